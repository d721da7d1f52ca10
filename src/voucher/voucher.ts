import type { Booking, ConfirmationNumbers } from '../domain/booking/booking.ts'
import type { Board, Notice } from '../domain/offer.ts'
import { nightsOf } from '../domain/stay.ts'

/** What a guest shows at check-in. There is no price on it, whatever the booking cost. */
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
  /** What the vendor wants to stand here, except for the clause. */
  readonly notices: readonly Notice[]
  /** Who is to be paid through whom, in the vendor's words; a vendor that has such a clause wants it on every voucher. */
  readonly clause: string | undefined
  readonly simulated: boolean
  readonly updatedAt: number
}

export type VoucherRoom = ConfirmationNumbers & {
  /** Of the booking's rooms, counted from 1. */
  readonly number: number
  readonly guest: string
  readonly adults: number
  readonly childrenAges: readonly number[]
}

/** The voucher of a booking. A function of the booking alone, so that a page, an answer and a mail show the same. */
export function voucherOf(booking: Booking): Voucher {
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
    nights: nightsOf(stay),
    // Where some rooms are cancelled, it is good for the others.
    rooms: stay.occupancies.flatMap(({ adults, childrenAges }, at) => {
      if (booking.rooms?.[at] === 'cancelled') return []
      const guest = persons.guests[at] ?? persons.guests[0]
      const name = `${guest?.givenName ?? ''} ${guest?.familyName ?? ''}`.trim()
      return [{ ...confirmation?.rooms[at], number: at + 1, guest: name, adults, childrenAges }]
    }),
    specialRequests: persons.specialRequests,
    notices: shown.filter((notice) => !isClause(notice)),
    clause: clauses.length === 0 ? undefined : clauses.join('\n\n'),
    simulated: booking.simulated,
    updatedAt: booking.updatedAt,
  }
}

const isClause = ({ kind }: Notice) => kind === 'trader'
