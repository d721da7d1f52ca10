import type { CancelBooking, CancelOrder, CancelOutcome } from '../booking/cancel-booking.ts'
import type { Asked, AskVendor } from '../booking/settle/ask-vendor.ts'
import type { StoredAnswer } from '../booking/store/answers.ts'
import type { BookingStore } from '../booking/store/bookings.ts'
import type { Actor } from '../domain/actor.ts'
import { type Booking, ROOM_STATES } from '../domain/booking/booking.ts'
import { AppError, invalidRequest } from '../domain/errors.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { SendMailAgain } from '../mail/send-again.ts'
import type { Attention } from './attention/attention.ts'
import { bookingOf } from './booking-file.ts'
import { type ResolveOrder, type ResolveRefusal, resolveReview } from './resolve-review.ts'

type Deps = {
  readonly bookings: Pick<BookingStore, 'any' | 'move' | 'events'>
  readonly askVendor: AskVendor
  readonly cancelBooking: CancelBooking
  readonly sendMailAgain: SendMailAgain
  readonly attention: Pick<Attention, 'settle'>
  readonly clock: Clock
  present(booking: Booking, reason?: string): StoredAnswer
}

type Operator = { readonly actor: Actor; readonly requestId: string }
type CancelWish = Pick<CancelOrder, 'preview' | 'acceptPenaltyUpTo' | 'simulation'> & {
  readonly reason: string | undefined
}

export type ActOnBooking = ReturnType<typeof createActOnBooking>

/** What operators do to a booking of any account. */
export function createActOnBooking(deps: Deps) {
  return {
    /** Asks the vendor now how it stands. */
    async read(bookingId: string): Promise<Asked> {
      const booking = await bookingOf(deps.bookings, bookingId)
      const asked = await deps.askVendor(booking)
      if (asked === undefined)
        throw new AppError('not_possible', `A booking ${whyOver(booking)} is not read at its vendor any more.`)
      return asked
    },

    /** Ends a review. */
    async resolve(bookingId: string, end: Omit<ResolveOrder, 'by'>, by: Operator): Promise<Booking> {
      const booking = await bookingOf(deps.bookings, bookingId)
      const resolved = await resolveReview(deps, booking, { ...end, by })
      if (typeof resolved === 'string') throw refusalOf(resolved, booking)
      return resolved
    },

    /** Cancels it for its account, or says what that would cost. */
    async cancel(
      bookingId: string,
      { reason, ...wish }: CancelWish,
      actor: Actor,
      context: RequestContext,
    ): Promise<CancelOutcome> {
      const { accountId } = await bookingOf(deps.bookings, bookingId)
      const why = reason === undefined ? {} : { reason: `operator: ${reason}` }
      return deps.cancelBooking({ accountId, bookingId, ...wish, actor, ...why }, context)
    },

    /** Sends the mail about how it stands once more, or one that was given up. */
    async sendMail(bookingId: string, sequence: number | undefined): Promise<void> {
      const booking = await bookingOf(deps.bookings, bookingId)
      await deps.sendMailAgain(booking, await deps.bookings.events(bookingId), sequence)
    },
  }
}

const whyOver = ({ state, personsErasedAt }: Booking) =>
  personsErasedAt === undefined ? `that is ${state}` : 'whose persons are erased'

function refusalOf(refusal: ResolveRefusal, { state, stay }: Booking): AppError {
  switch (refusal) {
    case 'not_in_review':
      return new AppError('not_possible', `Only a booking that needs_review can be resolved; this one is ${state}.`)
    case 'overtaken':
      return new AppError('not_possible', 'The booking has just changed; read it again.')
    case 'reference_missing':
      return invalidRequest([
        {
          field: 'vendor_reference',
          code: 'required',
          message: 'A confirmed booking needs the vendor’s own reference, and none is known yet.',
        },
      ])
    case 'rooms_wrong':
      return invalidRequest([
        {
          field: 'rooms',
          code: 'wrong_value',
          message: `rooms must say ${ROOM_STATES.join(' or ')} for each of the ${stay.occupancies.length} rooms; one that is confirmed makes the booking confirmed.`,
        },
      ])
  }
}
