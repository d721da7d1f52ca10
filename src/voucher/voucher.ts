import type { Booking, ConfirmationNumbers } from '../domain/booking/booking.ts'
import type { Board, Notice } from '../domain/offer.ts'
import { countNights } from '../domain/stay.ts'

/** The document a guest shows at check-in, without prices. */
export type Voucher = {
  readonly bookingId: string
  readonly vendorId: string
  readonly reference: string
  readonly clientReference: string | undefined
  readonly vendorReference: string | undefined
  readonly propertyNumber: string | undefined
  readonly property: Booking['property']
  readonly room: { readonly name: string; readonly beds: readonly string[]; readonly board: Board }
  readonly checkIn: string
  readonly checkOut: string
  readonly nights: number
  readonly rooms: readonly VoucherRoom[]
  readonly specialRequests: string
  /** Texts that the vendor requires, except the clause. */
  readonly notices: readonly Notice[]
  /** The vendor's payment clause, required on every voucher. */
  readonly clause: string | undefined
  readonly simulated: boolean
  readonly updatedAt: number
}

export type VoucherRoom = ConfirmationNumbers & {
  /** Room number in the booking, from 1. */
  readonly number: number
  readonly guest: string
  readonly adults: number
  readonly childrenAges: readonly number[]
}

/** Depends on the booking alone, so that page, API and mail show the same. */
export function createVoucher(booking: Booking): Voucher {
  const { property, room, stay, persons, confirmation, notices = [] } = booking
  const shown = notices.filter(({ requiredAt }) => requiredAt.includes('voucher'))
  const clauses = shown.filter(isClause).map(({ text }) => text)
  return {
    bookingId: booking.bookingId,
    vendorId: booking.vendorId,
    reference: booking.reference,
    clientReference: booking.clientReference,
    vendorReference: confirmation?.vendor ?? booking.vendorReference,
    propertyNumber: confirmation?.property,
    property,
    room: { name: room.name, beds: room.beds, board: room.board },
    checkIn: stay.checkIn,
    checkOut: stay.checkOut,
    nights: countNights(stay),
    // If some rooms are cancelled, the voucher is valid for the others.
    rooms: stay.occupancies.flatMap(({ adults, childrenAges }, index) => {
      if (booking.rooms?.[index] === 'cancelled') return []
      const guest = persons.guests[index] ?? persons.guests[0]
      const name = `${guest?.givenName ?? ''} ${guest?.familyName ?? ''}`.trim()
      return [{ ...confirmation?.rooms[index], number: index + 1, guest: name, adults, childrenAges }]
    }),
    specialRequests: persons.specialRequests,
    notices: shown.filter((notice) => !isClause(notice)),
    clause: clauses.length === 0 ? undefined : clauses.join('\n\n'),
    simulated: booking.simulated,
    updatedAt: booking.updatedAt,
  }
}

const isClause = ({ kind }: Notice) => kind === 'trader'
