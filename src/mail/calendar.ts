import type { Booking } from '../domain/booking/booking.ts'
import { isStanding, type MailContent } from '../domain/mail.ts'
import { instantOf, isClockTime } from '../lib/time/zoned-time.ts'

type CalendarFile = { readonly method: 'PUBLISH' | 'CANCEL'; readonly text: string }

/** The stay as an iCalendar event, under one UID for all mails of a booking. Only of a stay that stands, or is cancelled. */
export function calendarOf({ kind, booking, event }: MailContent, domain: string): CalendarFile | undefined {
  if (!isStanding(kind) && kind !== 'cancelled') return undefined
  const method = kind === 'cancelled' ? 'CANCEL' : 'PUBLISH'
  const { property, stay, reference, room } = booking
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Serai//Bookings//EN',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${escaped(booking.bookingId)}@${domain}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${utc(event.at)}`,
    ...spanOf(stay, property),
    `SUMMARY:${escaped(property.name)}`,
    `LOCATION:${escaped([property.name, property.address].filter((part) => part !== '').join(', '))}`,
    `DESCRIPTION:${escaped([room.name, reference].join('\n'))}`,
    ...(property.location.lat === 0 && property.location.lon === 0
      ? []
      : [`GEO:${property.location.lat};${property.location.lon}`]),
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return { method, text: `${lines.map(folded).join('\r\n')}\r\n` }
}

const utc = (instant: number): string => `${new Date(instant).toISOString().replace(/[-:]|\.\d+/g, '')}`

/** Moments where the property has said both; otherwise the days. RFC 5545, 3.6.1 allows no mixture. */
function spanOf({ checkIn, checkOut }: Booking['stay'], { checkInTime, checkOutTime, timezone }: Booking['property']) {
  const hasTimes = isClockTime(checkInTime) && isClockTime(checkOutTime)
  const momentOf = (date: string, time: string) =>
    hasTimes ? `:${utc(instantOf(date, time, timezone))}` : `;VALUE=DATE:${date.replaceAll('-', '')}`
  return [`DTSTART${momentOf(checkIn, checkInTime)}`, `DTEND${momentOf(checkOut, checkOutTime)}`]
}

/** RFC 5545, 3.3.11; other control characters are not allowed at all. */
const escaped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', '\\n')
    .replace(/\p{Cc}/gu, ' ')

const LINE_BYTES = 75

/** RFC 5545, 3.1: at most 75 bytes per line, never cut inside a character. */
function folded(line: string): string {
  const lines = ['']
  let bytes = 0
  for (const sign of line) {
    const size = Buffer.byteLength(sign)
    if (bytes + size > LINE_BYTES) {
      lines.push(' ')
      bytes = 1
    }
    lines[lines.length - 1] += sign
    bytes += size
  }
  return lines.join('\r\n')
}
