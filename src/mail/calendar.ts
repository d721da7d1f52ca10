import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import type { Booking } from '../domain/booking/booking.ts'
import { isForConfirmedStay, type MailContent } from '../domain/mail.ts'
import { isClockTime, toInstant } from '../lib/time/zoned-time.ts'

type CalendarFile = { readonly method: 'PUBLISH' | 'CANCEL'; readonly text: string }

/** One UID for all mails of a booking. Undefined unless it is confirmed or cancelled. */
export function buildCalendar({ kind, booking, event }: MailContent, domain: string): CalendarFile | undefined {
  if (!isForConfirmedStay(kind) && kind !== 'cancelled') return undefined
  const method = ICalCalendarMethod[kind === 'cancelled' ? 'CANCEL' : 'PUBLISH']
  const { property, reference, room } = booking
  const { lat, lon } = property.location
  const calendar = ical({ prodId: '//Serai//Bookings//EN', method })
  calendar.createEvent({
    id: `${booking.bookingId}@${domain}`,
    sequence: event.sequence,
    stamp: new Date(event.at),
    ...readSpan(booking),
    summary: clean(property.name),
    location: {
      title: clean([property.name, property.address].filter((part) => part !== '').join(', ')),
      ...(lat === 0 && lon === 0 ? {} : { geo: { lat, lon } }),
    },
    description: clean([room.name, reference].join('\n')),
    status: ICalEventStatus[method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'],
    transparency: ICalEventTransparency.TRANSPARENT,
  })
  return { method, text: `${calendar}\r\n` }
}

/** Times if the property has published both, otherwise days: RFC 5545, 3.6.1 forbids a mixture. */
function readSpan({ stay: { checkIn, checkOut }, property: { checkInTime, checkOutTime, timezone } }: Booking) {
  if (!isClockTime(checkInTime) || !isClockTime(checkOutTime))
    return { start: new Date(checkIn), end: new Date(checkOut), allDay: true, timezone: 'UTC' }
  const toDate = (date: string, time: string) => new Date(toInstant(date, time, timezone))
  return { start: toDate(checkIn, checkInTime), end: toDate(checkOut, checkOutTime) }
}

/** RFC 5545, 3.3.11 allows no control character except the end of a line. */
const clean = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/(?!\n)\p{Cc}/gu, ' ')
