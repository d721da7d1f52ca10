import type { BookingLinks } from '../booking/booking-links.ts'
import type { CancelBooking, CancelOrder, CancelOutcome } from '../booking/cancel-booking.ts'
import type { AskResult, AskVendor } from '../booking/settle/ask-vendor.ts'
import type { StoredAnswer } from '../booking/store/answers.ts'
import type { BookingStore } from '../booking/store/bookings.ts'
import type { Actor } from '../domain/actor.ts'
import { type Booking, ROOM_STATES } from '../domain/booking/booking.ts'
import { AppError, invalidRequest } from '../domain/errors.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { ResendMail } from '../mail/resend-mail.ts'
import type { Attention } from './attention/attention.ts'
import { requireBooking } from './booking-file.ts'
import { type ResolveOrder, type ResolveRefusal, resolveReview } from './resolve-review.ts'

type Deps = {
  readonly bookings: Pick<BookingStore, 'any' | 'move' | 'events'>
  readonly askVendor: AskVendor
  readonly cancelBooking: CancelBooking
  readonly sendMailAgain: ResendMail
  readonly links: Pick<BookingLinks, 'revoke'>
  readonly attention: Pick<Attention, 'settle'>
  readonly clock: Clock
  present(booking: Booking, reason?: string): StoredAnswer
}

type Operator = { readonly actor: Actor; readonly requestId: string }
type CancelOptions = Pick<CancelOrder, 'preview' | 'acceptPenaltyUpTo' | 'simulation'> & {
  readonly reason: string | undefined
}

export type ActOnBooking = ReturnType<typeof createActOnBooking>

/** Operator actions on a booking of any account. */
export function createActOnBooking(deps: Deps) {
  return {
    /** Reads the booking from the vendor now. */
    async read(bookingId: string): Promise<AskResult> {
      const booking = await requireBooking(deps.bookings, bookingId)
      const asked = await deps.askVendor(booking)
      if (asked === undefined)
        throw new AppError('not_possible', `A booking ${describeEnd(booking)} can no longer be read from the vendor.`)
      return asked
    },

    async resolve(bookingId: string, end: Omit<ResolveOrder, 'by'>, by: Operator): Promise<Booking> {
      const booking = await requireBooking(deps.bookings, bookingId)
      const resolved = await resolveReview(deps, booking, { ...end, by })
      if (typeof resolved === 'string') throw toError(resolved, booking)
      return resolved
    },

    /** Cancels for the account, or previews the penalty. */
    async cancel(
      bookingId: string,
      { reason, ...options }: CancelOptions,
      actor: Actor,
      context: RequestContext,
    ): Promise<CancelOutcome> {
      const { accountId } = await requireBooking(deps.bookings, bookingId)
      const why = reason === undefined ? {} : { reason: `operator: ${reason}` }
      return deps.cancelBooking({ accountId, bookingId, ...options, actor, ...why }, context)
    },

    async revokeLinks(bookingId: string): Promise<void> {
      await requireBooking(deps.bookings, bookingId)
      await deps.links.revoke(bookingId)
    },

    /** Resends the mail with this sequence, or mails the current status to the guest. */
    async sendMail(bookingId: string, sequence: number | undefined): Promise<void> {
      const booking = await requireBooking(deps.bookings, bookingId)
      await deps.sendMailAgain(booking, await deps.bookings.events(bookingId), sequence)
    },
  }
}

const describeEnd = ({ state, personsErasedAt }: Booking) =>
  personsErasedAt === undefined ? `that is ${state}` : 'whose personal data is erased'

function toError(refusal: ResolveRefusal, { state, stay }: Booking): AppError {
  switch (refusal) {
    case 'not_in_review':
      return new AppError('not_possible', `Only a booking in needs_review can be resolved; this one is ${state}.`)
    case 'overtaken':
      return new AppError('not_possible', 'The booking has just changed; read it again.')
    case 'reference_missing':
      return invalidRequest([
        {
          field: 'vendor_reference',
          code: 'required',
          message: 'vendor_reference is required to confirm: the vendor’s reference is not known yet.',
        },
      ])
    case 'rooms_wrong':
      return invalidRequest([
        {
          field: 'rooms',
          code: 'wrong_value',
          message: `rooms must list ${ROOM_STATES.join(' or ')} for each of the ${stay.occupancies.length} rooms; status must be confirmed if any of them is.`,
        },
      ])
  }
}
