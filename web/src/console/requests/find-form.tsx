import { useState } from 'react'
import { navigate } from '../../browser/router.ts'
import { Form, useForm } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ifEmpty } from '../parts/checks.ts'

export function FindForm({ initial = '' }: { initial?: string }) {
  const [id, setId] = useState(initial)
  const form = useForm({
    check: () => ({ 'request-id': ifEmpty(id, 'Enter a request id.') }),
    send: () => navigate(`/console/requests/${encodeURIComponent(id.trim())}`),
  })
  return (
    <search className="mb-6">
      <Form form={form} className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 basis-48 sm:max-w-md">
          <TextField
            id="request-id"
            label="Request id"
            hint="From the x-request-id header of a response, or from an error message."
            value={id}
            onValue={setId}
            maxLength={100}
          />
        </div>
        <button type="submit" className="btn btn-primary mt-[1.6rem]">
          Find
        </button>
      </Form>
    </search>
  )
}
