import type { OnMove } from '../../../src/booking/store/moves.ts'
import { soldBooking } from '../../../src/domain/booking/apply-sale.ts'
import type { Booking } from '../../../src/domain/booking/booking.ts'
import { dueByCard } from '../../../src/domain/payment/owed.ts'
import { release } from '../../../src/payments/decide/decide.ts'
import { claimFor, followBooking } from '../../../src/payments/decide/follow-booking.ts'
import { openOperation, type PaymentFile } from '../../../src/payments/decide/payment-file.ts'
import type { PaymentProvider, PaymentView } from '../../../src/payments/provider.ts'
import { ProviderError } from '../../../src/payments/provider-error.ts'
import { lockFile, saveFile } from '../../../src/payments/store/save-file.ts'
import type { Tx } from '../../../src/store/database.ts'
import { putTask } from '../../../src/store/tasks.ts'
import { euro } from '../../../test/support/booking/an-offer.ts'
import type { PlantedBug } from '../planted-bugs.ts'
import type { BugTools, PaymentBug } from './payment-bug.ts'

const never = (): never => {
  throw new Error('a booking without a payment')
}

const isDoubt = (error: unknown): error is ProviderError => error instanceof ProviderError && error.effect === 'unknown'

/** A bug in one part of payments, without any in bookings. */
const bug = (
  name: string,
  breaks: PlantedBug['breaks'],
  cards: PaymentBug,
  plant: PlantedBug['plant'] = () => ({}),
) => ({
  ...{ name, breaks, cards, plant },
})

/** Replaces calls to the provider. */
const atProvider = (change: (sound: PaymentProvider) => Partial<PaymentProvider>): PaymentBug => ({
  plantCards: ({ provider }) => ({ provider: { ...provider, ...change(provider) } }),
})

/** Replaces what the provider shows. */
const inView = (change: (view: PaymentView) => PaymentView): PaymentBug =>
  atProvider((sound) => ({ look: async (reference, context) => change(await sound.look(reference, context)) }))

/** Changes what the moves of a booking do to its payment. */
const onMove = (change: (sound: OnMove, tools: BugTools) => OnMove): PaymentBug => ({ follow: change })

const readInside = async (tx: Tx, { payment = never() }: Booking): Promise<PaymentFile> =>
  (await lockFile(tx, payment.paymentId)) ?? never()

async function saveInside(tx: Tx, before: PaymentFile, after: PaymentFile, now: number): Promise<void> {
  await saveFile(tx, before, after, now)
  const { paymentId: subject, provider: key } = after.payment
  await putTask(tx, { kind: 'payment', subject, key, dueAt: now })
}

/** Sets another amount than is owed. */
const oweAt = (state: string, owed: (booking: Booking, file: PaymentFile) => number): PaymentBug =>
  onMove((sound, tools) => async (tx, booking, event) => {
    if (event.to !== state || booking.payment === undefined || event.kind !== undefined)
      return sound(tx, booking, event)
    const file = await readInside(tx, booking)
    const due = { owed: euro(owed(booking, file)), isFrozen: false }
    const now = tools.clock.now()
    await saveInside(tx, file, followBooking(file, due, now), now)
  })

const dueOf = (booking: Booking): number => dueByCard(soldBooking(booking).price).minor

export const PLANTED_PAYMENT_BUGS: readonly PlantedBug[] = [
  bug(
    'a payment is captured when the vendor is called',
    ['captured_unbooked', 'illegal_pair'],
    oweAt('submitting', dueOf),
  ),
  bug(
    'a payment in doubt is captured, so that it does not lapse',
    ['captured_unbooked', 'illegal_pair'],
    oweAt('in_doubt', dueOf),
  ),
  bug(
    'a time-out at the capture means that it failed',
    ['uncollected', 'hold_left', 'ledger_broken', 'untrue_payment'],
    {
      plantCards: ({ provider }) => {
        const failed = new Set<string>()
        const capture: PaymentProvider['capture'] = async (reference, ...rest) => {
          try {
            return await provider.capture(reference, ...rest)
          } catch (error) {
            if (!isDoubt(error)) throw error
            failed.add(reference)
            throw new ProviderError('declined', 'none')
          }
        }
        const look: PaymentProvider['look'] = async (reference, context) => {
          const view = await provider.look(reference, context)
          const hasFailed = failed.has(reference) && view.status === 'captured'
          return hasFailed ? { ...view, status: 'authorised', captured: euro(0) } : view
        }
        return { provider: { ...provider, capture, look } }
      },
    },
  ),
  bug(
    'a lost capture is sent again under a new key',
    ['sent_blind', 'captured_twice'],
    atProvider((sound) => ({
      capture: (reference, amount, key, context) =>
        sound.capture(reference, amount, key, context).catch((error) => {
          if (!isDoubt(error)) throw error
          return sound.capture(reference, amount, `${key}:again`, context)
        }),
    })),
  ),
  bug(
    'the authorisation is released when the client gets 202',
    ['hold_dropped', 'confirmed_after_void', 'illegal_pair'],
    {
      follow: (sound, tools) => async (tx, booking, event) => {
        await sound(tx, booking, event)
        if (event.to === 'in_doubt' && event.from === 'submitting') await voidInside(tx, tools, booking)
      },
    },
  ),
  bug(
    'the authorisation is released while the booking is in doubt',
    ['hold_dropped', 'confirmed_after_void', 'illegal_pair'],
    oweAt('in_doubt', () => 0),
  ),
  bug(
    'the job that releases unclaimed payments does not compare the booking',
    ['hold_dropped', 'confirmed_after_void', 'booked_unpaid', 'illegal_pair', 'payment_shared'],
    {
      plantCards: ({ payments, clock }) => ({
        payments: {
          ...payments,
          async read(paymentId) {
            const file = await payments.read(paymentId)
            if (file?.payment.state !== 'held' || clock.now() < file.payment.expiresAt) return file
            return { ...file, payment: { ...file.payment, state: 'authorised', bookingId: undefined } }
          },
          // The sound job looks at a held payment only before its end.
          async release(task, _dueAt, hasFailed) {
            const file = await payments.read(task.subject)
            return payments.release(task, file?.payment.state === 'held' ? file.payment.expiresAt : _dueAt, hasFailed)
          },
        },
      }),
      follow:
        (sound, { clock }) =>
        async (tx, booking, event) => {
          await sound(tx, booking, event)
          if (event.from === undefined && booking.payment !== undefined)
            await putTask(tx, {
              kind: 'payment',
              subject: booking.payment.paymentId,
              key: 'stripe',
              dueAt: clock.now(),
            })
        },
    },
  ),
  bug(
    'the payment is looked at before the intent is written, not claimed with it',
    // `stuck`: the job fails at a void that meets a booking, again and again.
    ['booked_unpaid', 'payment_shared', 'illegal_pair', 'illegal_payment_history', 'hold_dropped', 'stuck'],
    onMove((sound, tools) => async (tx, booking, event) => {
      if (event.from !== undefined || booking.payment === undefined) return sound(tx, booking, event)
      const file = await readInside(tx, booking)
      const unclaimed = { ...file, payment: { ...file.payment, state: 'authorised' as const, bookingId: undefined } }
      const claimed = claimFor(unclaimed, booking.bookingId, tools.clock.now())
      await saveInside(tx, file, claimed, tools.clock.now())
    }),
  ),
  bug('the row is written after the provider was called', ['orphan_payment', 'sent_blind', 'hold_left'], {
    plantCards: ({ payments, provider }) => ({
      payments: {
        ...payments,
        async add(file, ...rest) {
          const { paymentId, amount: minor, currency, description } = file.payment
          const signal = AbortSignal.timeout(20_000)
          const order = { paymentId, amount: { minor, currency }, description }
          await provider
            .create(order, openOperation(file)?.key ?? '', { requestId: 'r', signal })
            .catch(() => undefined)
          return payments.add(file, ...rest)
        },
      },
    }),
  }),
  bug(
    'a capture takes what was authorised, although less is due',
    ['overcaptured'],
    oweAt('confirmed', (_booking, { payment }) => payment.authorised),
  ),
  bug(
    'a cancelled booking is refunded without its fee',
    ['refund_wrong'],
    oweAt('cancelled', () => 0),
  ),
  bug(
    'a cancelled booking is refunded up to the fee of the vendor',
    ['refund_wrong'],
    oweAt('cancelled', ({ cancelFee }) => cancelFee?.minor ?? 0),
  ),
  bug(
    'a booking is refunded when its cancellation is requested',
    ['refunded_twice', 'uncollected', 'confirmed_after_void', 'illegal_pair'],
    oweAt('cancelling', () => 0),
  ),
  bug(
    'a pending refund counts as failed',
    ['refunded_twice', 'refund_wrong', 'ledger_broken', 'hold_left', 'payment_stuck', 'stuck'],
    {
      plantCards: ({ provider }) => ({
        provider: {
          ...provider,
          async look(reference, context) {
            const view = await provider.look(reference, context)
            const refunds = view.refunds.map((refund) =>
              refund.state === 'pending' ? { ...refund, state: 'failed' as const } : refund,
            )
            return { ...view, refunds }
          },
        },
      }),
    },
  ),
  bug(
    'a refund whose answer was lost is sent again as another one',
    ['refunded_twice', 'sent_blind', 'key_misused'],
    atProvider((sound) => ({
      refund: (order, key, context) =>
        sound.refund(order, key, context).catch((error) => {
          if (!isDoubt(error)) throw error
          return sound.refund({ ...order, operation: `${order.operation}x` }, `${key}:again`, context)
        }),
    })),
  ),
  bug('a refund that was done is never looked at again', ['refund_wrong', 'ledger_broken'], {
    plantCards: ({ payments }) => ({
      payments: {
        ...payments,
        async release(task, dueAt, hasFailed) {
          const file = await payments.read(task.subject)
          return payments.release(task, file?.payment.state === 'captured' ? undefined : dueAt, hasFailed)
        },
      },
    }),
  }),
  bug('a notification writes the state of its moment', ['believed_event', 'ledger_broken'], {
    plantCards: ({ payments, ledger, database, clock }) => ({
      receive: (sound) => async (provider, headers, body) => {
        const { type, reference } = JSON.parse(body.toString('utf8'))
        const { paymentId } = ledger.find(reference)
        const file = type === 'authorised' ? await payments.read(paymentId) : undefined
        if (file === undefined || file.payment.authorised > 0 || file.payment.state !== 'open')
          return sound(provider, headers, body)
        await database.write((tx) =>
          tx
            .updateTable('payments')
            .set({
              authorised_minor: file.payment.amount,
              revision: file.payment.revision + 1,
              updated_at: clock.now(),
            })
            .where('payment_id', '=', paymentId)
            .execute(),
        )
        return 1
      },
    }),
  }),
  bug('a repeated notification adds an entry', ['ledger_broken'], {
    plantCards: ({ database, ledger, clock }) => ({
      receive: (sound) => async (provider, headers, body) => {
        const { type, reference } = JSON.parse(body.toString('utf8'))
        const { paymentId, amount } = ledger.find(reference)
        const known = await sound(provider, headers, body)
        if (type === 'authorised' && typeof known === 'number' && known > 0)
          await database.write(async (tx) => {
            const last = await tx
              .selectFrom('payment_entries')
              .select(({ fn }) => fn.max('sequence').as('sequence'))
              .where('payment_id', '=', paymentId)
              .executeTakeFirst()
            const sequence = (last?.sequence ?? 0) + 1
            const entry = { kind: 'authorised' as const, amount_minor: amount, operation: null, at: clock.now() }
            await tx
              .insertInto('payment_entries')
              .values({ payment_id: paymentId, sequence, ...entry })
              .execute()
            await tx
              .updateTable('payments')
              .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
              .where('payment_id', '=', paymentId)
              .execute()
          })
        return known
      },
    }),
  }),
  bug(
    'a 500 that is repeated under its key means that the request was refused',
    ['uncollected', 'hold_left', 'refund_wrong'],
    atProvider((sound) => {
      const refused = (error: unknown): never => {
        const isServerError = error instanceof ProviderError && error.fault === 'unavailable' && isDoubt(error)
        throw isServerError ? new ProviderError('refused', 'none') : error
      }
      return {
        capture: (...args) => sound.capture(...args).catch(refused),
        void: (...args) => sound.void(...args).catch(refused),
      }
    }),
  ),
  bug(
    'keys are used for ever',
    ['key_misused', 'refunded_twice', 'orphan_payment'],
    atProvider((sound) => ({ capabilities: { ...sound.capabilities, keyLifeMs: Number.MAX_SAFE_INTEGER / 4 } })),
  ),
  bug(
    'an authorisation that lapsed counts as captured',
    ['ledger_broken', 'uncollected', 'stuck', 'payment_stuck'],
    inView((view) =>
      view.status === 'gone' && view.lapsed === true
        ? { ...view, status: 'captured', authorised: euro(24_990), captured: euro(24_990) }
        : view,
    ),
  ),
  bug(
    'a booking that an operator rejects keeps its authorisation',
    ['hold_left', 'illegal_pair'],
    onMove((sound) => async (tx, booking, event) => {
      if (event.to !== 'rejected' || event.from !== 'needs_review') await sound(tx, booking, event)
    }),
  ),
  bug(
    'a capture that was planned is still sent for a cancelled booking',
    ['refund_wrong', 'captured_unbooked'],
    onMove((sound) => async (tx, booking, event) => {
      const file = booking.payment && (await readInside(tx, booking))
      const isPlanned = file !== undefined && openOperation(file)?.kind === 'capture'
      if (event.to !== 'cancelled' || !isPlanned) await sound(tx, booking, event)
    }),
  ),
  bug(
    'the end of an authorisation is assumed, although the provider tells it',
    ['lapse_unseen'],
    inView(({ captureBefore: _end, ...view }) => view),
  ),
  bug('a simulated payment pays a real booking', ['mixed_worlds'], {
    plantCards: () => ({
      createPayment: (sound) => (order, context) => sound({ ...order, simulation: undefined }, context),
    }),
  }),
]

async function voidInside(tx: Tx, tools: BugTools, booking: Booking): Promise<void> {
  if (booking.payment === undefined) return
  const file = await readInside(tx, booking)
  if (file.payment.state !== 'held') return
  const now = tools.clock.now()
  await saveInside(tx, file, release(file, now), now)
}
