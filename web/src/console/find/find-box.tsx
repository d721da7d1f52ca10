import { type FormEvent, useState } from 'react'
import { navigate, useAddress } from '../../browser/router.ts'

/** Searches bookings, accounts and requests from every view of the console. */
export function FindBox() {
  const { path, query } = useAddress()
  const shown = path === '/console/find' ? (query.get('q') ?? '') : ''
  return <Box key={shown} shown={shown} />
}

function Box({ shown }: { shown: string }) {
  const [text, setText] = useState(shown)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') navigate(`/console/find?${new URLSearchParams({ q: text.trim() })}`)
  }
  return (
    <search className="max-lg:w-full lg:mb-3">
      <form onSubmit={submit}>
        <input
          className="field"
          type="search"
          aria-label="Search references, guests, accounts and request ids"
          placeholder="Search"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </search>
  )
}
