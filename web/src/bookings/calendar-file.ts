import type { Booking } from '../api/shapes.ts'

/** The stay as an all-day entry (RFC 5545), without a time zone, so that it has the same dates everywhere. */
function calendarFile(booking: Booking): string {
  const { property, check_in, check_out, booking_id, reference, created_at } = booking
  const day = (date: string) => date.replaceAll('-', '')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Serai//Booking//EN',
    'BEGIN:VEVENT',
    `UID:${booking_id}@serai`,
    `DTSTAMP:${new Date(created_at).toISOString().replace(/[-:]|\.\d+/g, '')}`,
    `DTSTART;VALUE=DATE:${day(check_in)}`,
    `DTEND;VALUE=DATE:${day(check_out)}`,
    `SUMMARY:${escapeText(property.name)}`,
    `LOCATION:${escapeText(property.address)}`,
    `GEO:${property.location.lat};${property.location.lon}`,
    `DESCRIPTION:${escapeText(`${booking.room.name}\n${reference}`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}

export function downloadCalendar(booking: Booking): void {
  const address = URL.createObjectURL(new Blob([calendarFile(booking)], { type: 'text/calendar' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `serai-${booking.reference}.ics`
  link.click()
  URL.revokeObjectURL(address)
}

const escapeText = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')

/** RFC 5545 limits lines to 75 octets. Counting every non-ASCII character as three is a safe estimate. */
function fold(line: string): string {
  let out = ''
  let octets = 0
  for (const letter of line) {
    const size = letter.length > 1 ? 4 : letter > '\u007f' ? 3 : 1
    if (octets + size > 73) {
      out += '\r\n '
      octets = 1
    }
    out += letter
    octets += size
  }
  return out
}
