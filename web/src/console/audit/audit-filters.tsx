import { type FormEvent, useState } from 'react'
import { navigate } from '../../browser/router.ts'

const FIELDS = [
  ['person', 'Person (e-mail)', 'search'],
  ['action', 'Action contains', 'search'],
  ['object', 'Object (reference, e-mail or id)', 'search'],
  ['from', 'From', 'date'],
  ['until', 'Until', 'date'],
] as const
export type AuditQuery = Readonly<Record<(typeof FIELDS)[number][0], string>>

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Filters of the address. Invalid dates are ignored. */
export function readAuditQuery(query: URLSearchParams): AuditQuery {
  const read = (name: string) => (query.get(name) ?? '').trim()
  const date = (name: string) => (DATE.test(read(name)) ? read(name) : '')
  return {
    person: read('person'),
    action: read('action'),
    object: read('object'),
    from: date('from'),
    until: date('until'),
  }
}

export function AuditFilters({ initial }: { initial: AuditQuery }) {
  const [form, setForm] = useState(initial)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    const query = new URLSearchParams(Object.entries(form).filter(([, value]) => value.trim() !== ''))
    navigate(`/console/audit${query.size === 0 ? '' : `?${query}`}`, { keepScroll: true })
  }
  return (
    <search>
      <form className="mb-4 flex flex-wrap items-end gap-3" onSubmit={apply}>
        {FIELDS.map(([name, label, type]) => (
          <label key={name} className={type === 'date' ? '' : 'w-full sm:max-w-58'}>
            <span className="field-label">{label}</span>
            <input
              className="field"
              type={type}
              value={form[name]}
              onChange={(event) => setForm({ ...form, [name]: event.target.value })}
            />
          </label>
        ))}
        <button type="submit" className="btn btn-quiet">
          Apply
        </button>
      </form>
    </search>
  )
}
