import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import type { Booking } from '../domain/booking/booking.ts'
import { isClockTime, toInstant } from '../lib/time/zoned-time.ts'

type CalendarFile = { readonly method: 'PUBLISH' | 'CANCEL'; readonly text: string }

type Entry = {
  readonly isCancelled: boolean
  /** Later entries replace earlier ones in a calendar. */
  readonly sequence: number
  readonly at: number
  /** Domain of our sender. */
  readonly domain: string
}

/** The stay as a calendar entry. One UID for the page and all mails of a booking. */
export function buildCalendar(booking: Booking, { isCancelled, sequence, at, domain }: Entry): CalendarFile {
  const method = ICalCalendarMethod[isCancelled ? 'CANCEL' : 'PUBLISH']
  const { property, reference, room } = booking
  const { lat, lon } = property.location
  const calendar = ical({ prodId: '//Serai//Bookings//EN', method })
  calendar.createEvent({
    id: `${booking.bookingId}@${domain}`,
    sequence,
    stamp: new Date(at),
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
