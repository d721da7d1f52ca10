import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import type { Booking } from '../domain/booking/booking.ts'
import { isStanding, type MailContent } from '../domain/mail.ts'
import { instantOf, isClockTime } from '../lib/time/zoned-time.ts'

type CalendarFile = { readonly method: 'PUBLISH' | 'CANCEL'; readonly text: string }

/** The stay as an iCalendar event, under one UID for all mails of a booking. Only of a stay that stands, or is cancelled. */
export function calendarOf({ kind, booking, event }: MailContent, domain: string): CalendarFile | undefined {
  if (!isStanding(kind) && kind !== 'cancelled') return undefined
  const method = ICalCalendarMethod[kind === 'cancelled' ? 'CANCEL' : 'PUBLISH']
  const { property, reference, room } = booking
  const { lat, lon } = property.location
  const calendar = ical({ prodId: '//Serai//Bookings//EN', method })
  calendar.createEvent({
    id: `${booking.bookingId}@${domain}`,
    sequence: event.sequence,
    stamp: new Date(event.at),
    ...spanOf(booking),
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

/** Moments where the property has said both; otherwise the days. RFC 5545, 3.6.1 allows no mixture. */
function spanOf({ stay: { checkIn, checkOut }, property: { checkInTime, checkOutTime, timezone } }: Booking) {
  if (!isClockTime(checkInTime) || !isClockTime(checkOutTime))
    return { start: new Date(checkIn), end: new Date(checkOut), allDay: true, timezone: 'UTC' }
  const momentOf = (date: string, time: string) => new Date(instantOf(date, time, timezone))
  return { start: momentOf(checkIn, checkInTime), end: momentOf(checkOut, checkOutTime) }
}

/** RFC 5545, 3.3.11 allows no control character except the end of a line. */
const clean = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/(?!\n)\p{Cc}/gu, ' ')
