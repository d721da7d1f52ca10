import type { CardPayments } from '../../../src/booking/card-payments.ts'
import type { BookingStore } from '../../../src/booking/store/bookings.ts'
import type { OnMove } from '../../../src/booking/store/moves.ts'
import { composePaymentStore } from '../../../src/compose/payments/compose-payments.ts'
import { AppError } from '../../../src/domain/errors.ts'
import type { Clock } from '../../../src/lib/time/clock.ts'
import { type CreatePayment, createCreatePayment } from '../../../src/payments/create-payment.ts'
import type { PaymentResolution } from '../../../src/payments/decide/resolve.ts'
import { createManagePayments, type ManagePayments } from '../../../src/payments/manage-payments.ts'
import { createCardPayments } from '../../../src/payments/pay-booking.ts'
import { createPaymentWorker } from '../../../src/payments/payment-worker.ts'
import type { PaymentProvider } from '../../../src/payments/provider.ts'
import { createReceiveNotification, type ReceiveNotification } from '../../../src/payments/receive-notification.ts'
import { createShowPayments, type ShowPayments } from '../../../src/payments/show-payment.ts'
import { createPaymentLists } from '../../../src/payments/store/payment-lists.ts'
import type { PaymentStore } from '../../../src/payments/store/payments.ts'
import type { Database } from '../../../src/store/database.ts'
import { createChoices, watchChoices } from '../choices.ts'
import { type FaultyAccess, withFaults } from '../faulty-store.ts'
import { KEY_ACCOUNT } from '../key-budget.ts'
import { type Step, selectOffer } from '../scenario.ts'
import type { VirtualTime } from '../virtual-time.ts'
import type { CardScenario, CardStep, OperatorAct, OperatorOrder } from './card-step.ts'
import type { PaymentBug } from './payment-bug.ts'
import { createScriptedProvider } from './scripted-provider.ts'
import type { Sequence } from './sequence.ts'

/** Parts of one process that concern payments. */
export type CardProcess = {
  readonly cards: CardPayments
  readonly createPayment: CreatePayment
  readonly showPayments: ShowPayments
  readonly receive: ReceiveNotification
  readonly manage: ManagePayments
  drive(): Promise<number>
}

/** Parts of one process, without payments. */
export type ProcessDeps = Omit<Parameters<typeof createCreatePayment>[0], 'provider' | 'payments'> & {
  readonly access: FaultyAccess
  readonly clock: Clock
}

type Options = {
  readonly time: VirtualTime
  readonly sequence: Sequence
  readonly database: Database
  readonly scenario: CardScenario
  readonly bookings: () => BookingStore
  readonly planted: PaymentBug | undefined
  /** Filled by this world. */
  readonly orders: OperatorOrder[]
  addLog(message: string): void
  /** Called for every fault and delay of the provider. */
  disturb(): void
  recordBug(error: unknown): void
}

export type CardWorld = ReturnType<typeof createCardWorld>

/** Answer of the service about a payment. */
type PaymentReply = {
  readonly paymentId: string
  readonly told: string
  readonly captured: number
  readonly refunded: number
  readonly order: number
}

/** Refund of an operator beyond the terms. */
const GOODWILL_EUR = 30

/** The provider, the guests and the payments of the first account. */
export function createCardWorld(options: Options) {
  const { time, sequence, database, scenario, planted, orders, addLog, recordBug } = options
  const scripted = createScriptedProvider(
    time,
    sequence,
    watchChoices(createChoices(scenario.provider, scenario.providerFocus), options.disturb),
    scenario.traits,
  )
  const { ledger } = scripted
  const composed = composePaymentStore({ database, clock: { now: time.now } }, options.bookings)
  const tools = { payments: composed.payments, database, ledger, clock: { now: time.now } }
  const follow: OnMove = planted?.follow?.(composed.followMoves, tools) ?? composed.followMoves
  /** Payments that clients know, by the number of the offer. */
  const known = new Map<number, string>()
  const replies: PaymentReply[] = []
  const simulated = new Set<string>()

  function assemble({ access, ...deps }: ProcessDeps): CardProcess {
    const sound = { provider: scripted.provider, payments: withFaults(composed.payments, access) }
    const bug = planted?.plantCards?.({ ...tools, ...sound, clock: deps.clock, access })
    const provider: PaymentProvider = bug?.provider ?? sound.provider
    const payments: PaymentStore = bug?.payments ?? sound.payments
    const shared = { ...deps, payments, provider }
    const cards = createCardPayments({ ...shared, paysByCard: async ({ id }) => id === KEY_ACCOUNT })
    const createPayment = createCreatePayment(shared)
    const receive = createReceiveNotification(shared)
    const worker = () =>
      createPaymentWorker({
        ...shared,
        onBug: recordBug,
      })
    return {
      cards: bug?.cards?.(cards) ?? cards,
      createPayment: bug?.createPayment?.(createPayment) ?? createPayment,
      showPayments: bug?.showPayments?.(createShowPayments(shared)) ?? createShowPayments(shared),
      manage: createManagePayments({ ...shared, lists: createPaymentLists(database) }),
      receive: bug?.receive?.(receive) ?? receive,
      // Each round has its own limits, because work interrupted by an injected crash never ends.
      drive: () => worker().run(),
    }
  }

  const say = (message: string, error: unknown) => {
    addLog(`${message} → ${error instanceof AppError ? error.code : String(error)}`)
    if (!(error instanceof AppError)) recordBug(error)
  }

  async function pay(
    { offer: number, isSimulated, acceptsMore }: CardStep & { do: 'pay' },
    process: CardProcess,
  ): Promise<void> {
    const { account, info } = selectOffer({ offer: number }, scenario.hasSale)
    try {
      const created = await process.createPayment(
        {
          ...{ account, bookingInfo: info, termsDigest: undefined, acceptPriceUpTo: acceptsMore ? 350 : undefined },
          fingerprint: `pay ${number} ${acceptsMore}`,
          ...{ idempotencyKey: undefined, simulation: isSimulated ? ('booking_confirmed' as never) : undefined },
        },
        { requestId: 'r' },
      )
      const { paymentId } = created.payment
      if (isSimulated) simulated.add(paymentId)
      known.set(number, paymentId)
      addLog(`pay ${number} → ${paymentId} ${created.payment.state}`)
    } catch (error) {
      say(`pay ${number}`, error)
    }
  }

  /** The guest acts at the provider and not with us. */
  function actAsGuest({ offer: number, act }: CardStep & { do: 'guest' }): void {
    const paymentId = known.get(number)
    const intent = ledger.list().find((each) => each.paymentId === paymentId)
    if (intent === undefined || act === 'leaves') return
    addLog(`the guest of ${paymentId} ${act}`)
    if (act === 'lapses_early') ledger.authorise(intent.reference, { lapsesInMs: 40_000 })
    else ledger.authorise(intent.reference, { isInReview: act === 'is_reviewed' })
  }

  async function lookOrRelease(step: CardStep & { do: 'look' | 'release' }, process: CardProcess): Promise<void> {
    const paymentId = known.get(step.offer)
    if (paymentId === undefined) return
    try {
      if (step.do === 'look') {
        const { payment } = await process.showPayments.show(KEY_ACCOUNT, paymentId)
        const { state: told, captured, refunded } = payment
        replies.push({ paymentId, told, captured, refunded, order: sequence.next() })
      } else await process.showPayments.release(KEY_ACCOUNT, paymentId)
    } catch (error) {
      say(`${step.do} ${paymentId}`, error)
    }
  }

  async function notify({ nth, times, isForged }: CardStep & { do: 'notify' }, process: CardProcess): Promise<void> {
    const event = ledger.events[nth % Math.max(1, ledger.events.length)]
    if (event === undefined) return
    const headers = isForged ? {} : { 'x-signed': 'yes' }
    for (let time = 0; time < times; time += 1) {
      try {
        const known = await process.receive('stripe', headers, Buffer.from(JSON.stringify(event)))
        addLog(`notify ${event.type} ${event.reference} → ${known}`)
      } catch (error) {
        say(`notify ${event.type}`, error)
      }
    }
  }

  function actAtDashboard({ nth, act }: CardStep & { do: 'dashboard' }): void {
    const intent = ledger.list()[nth]
    if (intent === undefined) return
    addLog(`a person ${act} ${intent.reference} at the dashboard`)
    try {
      if (act === 'captures') ledger.capture(intent.reference, intent.amount, 'dashboard')
      else if (act === 'cancels') ledger.cancel(intent.reference, 'dashboard')
      else ledger.refund(intent.reference, 500, { by: 'dashboard' })
    } catch {
      // The provider refuses what is not possible.
    }
  }

  /** An operator of the service, who reads the payment before acting. */
  async function actAsOperator({ nth, act }: CardStep & { do: 'operator' }, { manage }: CardProcess): Promise<void> {
    const paymentId = ledger.list()[nth]?.paymentId
    if (paymentId === undefined) return
    const order: OperatorOrder = {
      ...{ paymentId, act, amount: act === 'refunds' ? GOODWILL_EUR * 100 : 0, outcome: 'unknown' },
      ...{ beganOrder: sequence.next(), endedOrder: Number.POSITIVE_INFINITY },
    }
    orders.push(order)
    try {
      if (act === 'refunds') await manage.refund(paymentId, GOODWILL_EUR)
      else await manage.resolve(paymentId, endOf(act, (await manage.show(paymentId)).payment.captured > 0))
      order.outcome = 'done'
      addLog(`an operator ${act} ${paymentId}`)
    } catch (error) {
      if (error instanceof AppError) order.outcome = 'refused'
      say(`an operator ${act} ${paymentId}`, error)
    } finally {
      order.endedOrder = sequence.next()
    }
  }

  return {
    scripted,
    follow,
    assemble,
    replies,
    simulated,
    /** Payment that the client of this offer would book with. */
    paymentFor: (offer: number): string | undefined => known.get(offer),
    async act(step: Step & CardStep, process: CardProcess): Promise<void> {
      if (step.do === 'pay') return pay(step, process)
      if (step.do === 'guest') return actAsGuest(step)
      if (step.do === 'notify') return notify(step, process)
      if (step.do === 'dashboard') return actAtDashboard(step)
      if (step.do === 'operator') return actAsOperator(step, process)
      if (step.do === 'drive') return void (await process.drive().catch(recordBug))
      return lookOrRelease(step, process)
    },
  }
}

/** End of a review for the operator's action. */
function endOf(act: Exclude<OperatorAct['act'], 'refunds'>, isCaptured: boolean): PaymentResolution {
  if (act === 'releases') return 'voiding'
  if (act === 'retries') return isCaptured ? 'refunding' : 'capturing'
  return isCaptured ? 'captured' : 'voided'
}
