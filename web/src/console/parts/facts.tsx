import type { ReactNode } from 'react'

/** Omits values that are undefined or null. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-1 xs:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)]">
      {rows.map(([name, value]) =>
        value === undefined || value === null ? null : (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words max-xs:mb-2">{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

/** Time in UTC, as in the logs. */
export function When({ at }: { at: string }) {
  const [date, time] = MOMENT.format(new Date(at)).split(', ')
  // Breaks only between date and time.
  return (
    <time dateTime={at} className="figures">
      <span className="whitespace-nowrap">{date},</span> <span className="whitespace-nowrap">{time} UTC</span>
    </time>
  )
}

/** An id or other text to copy. */
export function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-xs break-all">{children}</code>
}
