import type { CardPayments } from '../../../src/booking/card-payments.ts'
import type { Booking } from '../../../src/domain/booking/booking.ts'
import type { Payment } from '../../../src/domain/payment/payment.ts'
import { HOUR_MS } from '../../../src/lib/time/durations.ts'
import { refuseClaim } from '../../../src/payments/refuse-claim.ts'
import { lockFile } from '../../../src/payments/store/save-file.ts'
import type { Database } from '../../../src/store/database.ts'
import { aPrice } from '../../../test/support/booking/an-offer.ts'
import type { PlantedBug } from '../planted-bugs.ts'

/** Skips a check of `prepare` for the payments that `isTrusted` selects. */
const trusting =
  (
    readMany: (ids: readonly string[]) => Promise<readonly Payment[]>,
    isTrusted: (payment: Payment, order: Parameters<CardPayments['prepare']>[0]) => boolean,
  ) =>
  (sound: CardPayments): CardPayments => ({
    ...sound,
    async prepare(order) {
      const [payment] = order.paymentId === undefined ? [] : await readMany([order.paymentId])
      return payment !== undefined && isTrusted(payment, order) ? payment : sound.prepare(order)
    },
  })

async function readAuthorised({ read }: Database, paymentId: string): Promise<number | undefined> {
  const found = read.selectFrom('payments').select('authorised_minor').where('payment_id', '=', paymentId)
  return (await found.executeTakeFirst())?.authorised_minor
}

/** Only a booking with a selling price has one besides the vendor's. */
const sellFor = (booking: Booking, minor: number): Booking =>
  booking.sale === undefined ? booking : { ...booking, sale: { ...booking.sale, price: aPrice(minor) } }

/** Bugs that only one invariant finds. */
export const PLANTED_CLAIM_BUGS: readonly PlantedBug[] = [
  {
    name: 'a capture is sent once more under a new key, to be sure that it arrived',
    breaks: ['captured_twice'],
    plant: () => ({}),
    cards: {
      plantCards: ({ provider }) => ({
        provider: {
          ...provider,
          async capture(reference, amount, key, context) {
            const settled = await provider.capture(reference, amount, key, context)
            await provider.capture(reference, amount, `${key}:sure`, context).catch(() => undefined)
            return settled
          },
        },
      }),
    },
  },
  {
    name: 'a payment that a booking has claimed pays for another one too',
    breaks: ['payment_shared'],
    plant: () => ({}),
    cards: {
      plantCards: ({ payments }) => ({
        cards: trusting(payments.readMany, ({ bookingId }) => bookingId !== undefined),
      }),
      follow: (sound) => async (tx, booking, event) => {
        const file =
          event.from === undefined && booking.payment !== undefined
            ? await lockFile(tx, booking.payment.paymentId)
            : undefined
        if (file?.payment.bookingId === undefined) await sound(tx, booking, event)
      },
    },
  },
  {
    name: 'a payment of another account is taken',
    breaks: ['on_account_touched'],
    plant: () => ({}),
    cards: {
      plantCards: ({ payments, clock }) => ({
        cards: trusting(payments.readMany, (payment, order) => {
          if (payment.accountId === order.account.id) return false
          refuseClaim(payment, payment.paymentId, clock.now())
          return true
        }),
      }),
    },
  },
  {
    name: 'a capture that was ordered is shown as done',
    breaks: ['untrue_payment'],
    plant: () => ({}),
    cards: {
      plantCards: () => ({
        showPayments: (sound) => ({
          ...sound,
          async show(accountId, paymentId) {
            const shown = await sound.show(accountId, paymentId)
            const isOrdered = shown.payment.state === 'capturing'
            return isOrdered ? { ...shown, payment: { ...shown.payment, state: 'captured' } } : shown
          },
        }),
      }),
    },
  },
  {
    name: 'a real payment pays a simulated booking',
    breaks: ['mixed_worlds'],
    plant: () => ({}),
    cards: {
      plantCards: ({ payments, clock }) => ({
        cards: trusting(payments.readMany, (payment, order) => {
          if (!order.offer.simulated) return false
          refuseClaim(payment, payment.paymentId, clock.now())
          return true
        }),
      }),
    },
  },
  {
    name: 'a booking costs what the guest authorised, and not what it was sold for',
    breaks: ['overcaptured'],
    plant: ({ bookings, database }) => ({
      bookings: {
        ...bookings,
        async create(booking, ...rest) {
          const file = booking.payment && (await readAuthorised(database, booking.payment.paymentId))
          return bookings.create(file === undefined ? booking : sellFor(booking, file), ...rest)
        },
      },
    }),
    cards: {},
  },
  {
    name: 'a release without an answer is looked at again after an hour',
    breaks: ['hold_left'],
    plant: () => ({}),
    cards: {
      plantCards: ({ payments, clock }) => ({
        payments: {
          ...payments,
          async release(task, dueAt, hasFailed) {
            const file = await payments.read(task.subject)
            const isReleasing = dueAt !== undefined && file?.payment.state === 'voiding'
            return payments.release(task, isReleasing ? Math.max(dueAt, clock.now() + HOUR_MS) : dueAt, hasFailed)
          },
        },
      }),
    },
  },
]
