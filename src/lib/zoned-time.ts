import type { PlainDate } from './plain-date.ts'

const offsets = new Map<string, Intl.DateTimeFormat>()

/** Minutes that the clocks of `timeZone` are ahead of UTC at `instant`. */
export function offsetMinutes(timeZone: string, instant: number): number {
  let format = offsets.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    offsets.set(timeZone, format)
  }
  const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const parts = /GMT([+-])(\d{2}):(\d{2})/.exec(name)
  if (parts === null) return 0
  return (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3]))
}

/** The instant at which the wall clock of `timeZone` shows `time` (HH:MM) on `date`. */
export function instantOf(date: PlainDate, time: string, timeZone: string): number {
  const asIfUtc = Date.parse(`${date}T${time}:00Z`)
  const guess = asIfUtc - offsetMinutes(timeZone, asIfUtc) * 60_000
  return asIfUtc - offsetMinutes(timeZone, guess) * 60_000
}

/** ISO 8601 with the zone's own offset: `2027-03-04T23:59:00+01:00`. */
export function zonedIso(instant: number, timeZone: string): string {
  const minutes = offsetMinutes(timeZone, instant)
  const local = new Date(instant + minutes * 60_000).toISOString().slice(0, 19)
  const size = Math.abs(minutes)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
