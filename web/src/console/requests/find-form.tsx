import { type FormEvent, useState } from 'react'
import { navigate } from '../../browser/router.ts'
import { TextField } from '../../ui/text-field.tsx'

export function FindForm({ initial = '' }: { initial?: string }) {
  const [id, setId] = useState(initial)
  const [isEmpty, setEmpty] = useState(false)
  const find = (event: FormEvent) => {
    event.preventDefault()
    const wanted = id.trim()
    setEmpty(wanted === '')
    if (wanted !== '') navigate(`/console/requests/${encodeURIComponent(wanted)}`)
  }
  return (
    <search className="mb-6">
      <form className="flex flex-wrap items-start gap-2" onSubmit={find} noValidate>
        <div className="min-w-0 flex-1 basis-64 sm:max-w-md">
          <TextField
            id="request-id"
            label="Request id"
            hint="From the x-request-id header of a response, or from an error message."
            value={id}
            onValue={setId}
            error={isEmpty && id.trim() === '' ? 'Enter a request id.' : undefined}
            autoComplete="off"
            maxLength={100}
          />
        </div>
        <button type="submit" className="btn btn-primary mt-7">
          Find
        </button>
      </form>
    </search>
  )
}
