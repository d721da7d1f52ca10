import { isForConfirmedStay, type MailContent, type MailKind } from '../domain/mail.ts'
import { toDecimal } from '../domain/money/money.ts'
import { isClockTime, toInstant, zonedIso } from '../lib/time/zoned-time.ts'

/** schema.org `LodgingReservation` for mail clients; undefined without a reservation. */
export function buildReservation({ kind, booking }: MailContent): Readonly<Record<string, unknown>> | undefined {
  const status = toStatus(kind)
  if (status === undefined) return undefined
  const { property, stay, persons, price, confirmation } = booking
  const [guest] = persons.guests
  return {
    '@context': 'https://schema.org',
    '@type': 'LodgingReservation',
    // The number of an uncertain booking would look like a confirmation.
    reservationNumber:
      (kind === 'needs_attention' ? undefined : (confirmation?.vendor ?? booking.vendorReference)) ?? booking.reference,
    reservationStatus: `https://schema.org/${status}`,
    ...(guest && { underName: { '@type': 'Person', name: `${guest.givenName} ${guest.familyName}` } }),
    reservationFor: {
      '@type': 'LodgingBusiness',
      name: property.name,
      address: property.address,
      ...(property.phone !== '' && { telephone: property.phone }),
    },
    checkinTime: toMoment(stay.checkIn, property.checkInTime, property.timezone),
    checkoutTime: toMoment(stay.checkOut, property.checkOutTime, property.timezone),
    lodgingUnitDescription: booking.room.name,
    numAdults: stay.occupancies.reduce((sum, { adults }) => sum + adults, 0),
    numChildren: stay.occupancies.reduce((sum, { childrenAges }) => sum + childrenAges.length, 0),
    totalPrice: toDecimal(price.total),
    priceCurrency: price.total.currency,
  }
}

function toStatus(kind: MailKind): string | undefined {
  if (isForConfirmedStay(kind)) return 'ReservationConfirmed'
  if (kind === 'cancelled') return 'ReservationCancelled'
  return kind === 'needs_attention' ? 'ReservationPending' : undefined
}

const toMoment = (date: string, time: string, timezone: string): string =>
  isClockTime(time) ? zonedIso(toInstant(date, time, timezone), timezone) : date
