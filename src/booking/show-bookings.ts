import type { BookingOwner } from '../domain/access.ts'
import { BOOKING_STATES, type Booking, type BookingEvent } from '../domain/booking/booking.ts'
import { AppError } from '../domain/errors.ts'
import type { Payment } from '../domain/payment/payment.ts'
import type { Simulation } from '../domain/simulation.ts'
import { computeFingerprint } from '../lib/crypto/fingerprint.ts'
import { hasIdShape, type Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { defineList, type ListField } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql/run.ts'
import type { Charge } from '../lists/work.ts'
import type { World, Worlds } from '../search/world.ts'
import type { CardPayments } from './card-payments.ts'
import { createIntent } from './offer/describe-offer.ts'
import type { BookingStore } from './store/bookings.ts'

export const BOOKING_FIELDS = {
  booking_id: { type: 'string', filterable: true, nullable: false },
  status: { type: 'enum', values: BOOKING_STATES, sortable: true, filterable: true, nullable: false },
  vendor_id: { type: 'string', sortable: true, filterable: true, nullable: false },
  client_reference: { type: 'string', filterable: true },
  property_name: { type: 'string', sortable: true, filterable: true, nullable: false },
  check_in: { type: 'date', sortable: true, filterable: true, nullable: false },
  check_out: { type: 'date', sortable: true, filterable: true, nullable: false },
  currency: { type: 'string', filterable: true, nullable: false },
  simulated: { type: 'boolean', sortable: true, filterable: true, nullable: false },
  created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
  updated_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
} as const satisfies Readonly<Record<string, ListField>>

export const BOOKING_LIST = defineList({
  fields: BOOKING_FIELDS,
  tiebreaker: 'booking_id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

type Deps = {
  readonly bookings: BookingStore
  readonly worlds: Worlds
  readonly clock: Clock
  readonly ids: Ids
  readonly cards: Pick<CardPayments, 'read'>
}

/** A booking with its card payment, if it has one. */
export type WithPayment = { readonly booking: Booking; readonly payment: Payment | undefined }

export type ShowBookings = ReturnType<typeof createShowBookings>

/** Shows callers only their own bookings. */
export function createShowBookings(deps: Deps) {
  const { bookings } = deps
  return {
    async list(owner: BookingOwner, plan: ListPlan, charge: Charge): Promise<ListPage<WithPayment>> {
      const page = await bookings.listing(owner, (source) => runOnSql(plan, source, charge))
      return { ...page, data: await withPayments(deps, page.data.map(bookings.fromRow)) }
    },

    newestId: (accountId: string): Promise<string> => bookings.newestId(accountId),

    /** With the simulation header, an id that was never issued shows a sample. */
    show: (owner: BookingOwner, bookingId: string, simulation?: Simulation): Promise<Shown> =>
      show(deps, owner, bookingId, simulation),

    /** A sample has no readings, even if another account has a booking with this id. */
    async history(owner: BookingOwner, bookingId: string, simulation?: Simulation) {
      const shown = await show(deps, owner, bookingId, simulation)
      const readings = shown.isSample ? [] : await bookings.readings(bookingId)
      return { booking: shown.booking, payment: shown.payment, events: await shown.readEvents(), readings }
    },
  }
}

async function withPayments({ cards }: Pick<Deps, 'cards'>, bookings: readonly Booking[]): Promise<WithPayment[]> {
  const byCard = bookings.filter(({ payment }) => payment !== undefined)
  const payments = byCard.length === 0 ? undefined : await cards.read(byCard)
  return bookings.map((booking) => ({ booking, payment: payments?.get(booking.payment?.paymentId ?? '') }))
}

type Shown = {
  readonly booking: Booking
  readonly payment: Payment | undefined
  readonly isSample: boolean
  readEvents(): Promise<readonly BookingEvent[]>
}

async function show(deps: Deps, owner: BookingOwner, bookingId: string, simulation?: Simulation): Promise<Shown> {
  const booking = await readVisibleBooking(deps.bookings, owner, bookingId)
  if (booking !== undefined) {
    const payments = booking.payment === undefined ? undefined : await deps.cards.read([booking])
    const payment = payments?.get(booking.payment?.paymentId ?? '')
    return { booking, payment, isSample: false, readEvents: () => deps.bookings.events(bookingId) }
  }
  const sample = await sampleBooking(deps, deps.worlds.select(simulation), owner.accountId, bookingId)
  return { booking: sample, payment: undefined, isSample: true, readEvents: async () => sampleEvents(sample) }
}

/** Undefined if the booking does not exist for this owner. */
export async function readVisibleBooking(
  bookings: Pick<BookingStore, 'get'>,
  { accountId, onlySimulated }: BookingOwner,
  bookingId: string,
): Promise<Booking | undefined> {
  const booking = await bookings.get(accountId, bookingId)
  return onlySimulated === true && booking?.simulated === false ? undefined : booking
}

const GUEST = { givenName: 'Simulated', familyName: 'Guest', email: 'guest@example.com', phone: '' }

/** Not stored. Only the simulation header has samples. */
export async function sampleBooking(
  deps: Pick<Deps, 'clock' | 'ids'>,
  world: World,
  accountId: string,
  bookingId: string,
): Promise<Booking> {
  if (world.samples === undefined || !hasIdShape(bookingId)) throw unknownBooking()
  const offer = await world.samples.offer(accountId, computeFingerprint([accountId, bookingId]), 1)
  const persons = { guests: [GUEST], contact: { email: GUEST.email, phone: '' }, specialRequests: '' }
  const intent = await createIntent(deps, world, offer, persons, {
    reference: bookingId.toUpperCase(),
    clientReference: undefined,
  })
  return { ...intent, bookingId, state: 'confirmed', vendorReference: `SIM-${intent.reference}` }
}

function sampleEvents({ createdAt: at, accountId }: Booking): BookingEvent[] {
  const by = { actor: { kind: 'account', id: accountId } } as const
  const states = ['pending', 'submitting', 'confirmed'] as const
  return states.map((to, index) => ({ sequence: index + 1, from: states[index - 1], to, at, reason: undefined, by }))
}

export const unknownBooking = () =>
  new AppError('booking_not_found', 'Booking not found. Use the booking_id of one of your bookings.')
