import type { CallContext } from '../../../src/lib/async/call-context.ts'
import { DAY_MS, HOUR_MS } from '../../../src/lib/time/durations.ts'
import type { PaymentProvider, PaymentView, Settled } from '../../../src/payments/provider.ts'
import { ProviderError, type ProviderFault } from '../../../src/payments/provider-error.ts'
import { euro } from '../../../test/support/booking/an-offer.ts'
import type { Choices } from '../choices.ts'
import type { VirtualTime } from '../virtual-time.ts'
import { createProviderLedger, type HoldTraits, type Intent, Refused } from './provider-ledger.ts'
import type { Sequence } from './sequence.ts'

/** The provider's behaviour without faults. */
export type ProviderTraits = HoldTraits & {
  /** Time after the start in which every call fails. */
  readonly silentForMs: number
}

/** A request as it left us. */
export type SentRequest = {
  readonly kind: 'create' | 'capture' | 'void' | 'refund'
  readonly subject: string
  readonly key: string
  readonly parameters: string
  readonly at: number
  readonly order: number
  /** The caller got an answer, or a refusal that proves that nothing was done. */
  isAnswered: boolean
  answeredOrder?: number
}

/** A look that had an answer: nothing later than its begin is proven by it. */
type Look = { readonly reference: string; readonly beganOrder: number; readonly order: number }

/** Most calls succeed, so that most schedules reach a booking. */
const WRITE_FAULTS = [
  'none',
  ...Array.from({ length: 12 }, () => 'none' as const),
  'lost_before',
  'lost_after',
  'late_effect',
  'error_before',
  'error_after',
  'replayed_500_before',
  'replayed_500_after',
  'in_use',
  'throttled',
  'garbled_after',
  'refused_before',
] as const
const REFUND_KINDS = ['done', 'done', 'pending', 'fails_later'] as const
const LOOK_FAULTS = ['none', ...Array.from({ length: 8 }, () => 'none' as const), 'error', 'hangs', 'garbled'] as const
const DELAYS_MS = [5, 0, 900, 2_500, 3_990, 4_200, 9_000] as const
/** A request may arrive long after we have given it up. */
const LATE_MS = 40_000
/** A provider that forgets a key takes the same request for a new one. */
const KEY_FORGOTTEN_MS = 24 * HOUR_MS

type Saved = { readonly parameters: string; readonly outcome: () => unknown; readonly at: number }

/** A provider inside the process whose memory survives our crashes. `choices` selects the faults on the way. */
export function createScriptedProvider(
  time: VirtualTime,
  sequence: Sequence,
  choices: Choices,
  traits: ProviderTraits,
) {
  const ledger = createProviderLedger(sequence, traits)
  const requests: SentRequest[] = []
  const looks: Look[] = []
  /** Requests that were refused. */
  const refusals: Pick<SentRequest, 'kind' | 'subject'>[] = []
  const saved = new Map<string, Saved>()
  const providerSide = { alive: true }
  const silentUntil = time.now() + traits.silentForMs
  const fail = (fault: ProviderFault, effect: 'none' | 'unknown') => new ProviderError(fault, effect)

  /** One call: it may or may not arrive, the provider acts, and the answer may or may not return. */
  function exchange<T>(
    { signal }: CallContext,
    trip: { readonly reachMs: number; readonly backMs: number; act?: () => T; answer?: (acted: () => T) => T },
    ifLost: 'none' | 'unknown',
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const caller = time.currentOwner()
    if (signal.aborted) return Promise.reject(fail('timeout', 'none'))
    signal.addEventListener('abort', () => reject(fail('timeout', ifLost)), { once: true })
    time.after(
      trip.reachMs,
      () => {
        const acted = trip.act === undefined ? () => never() : settle(trip.act)
        if (trip.answer === undefined) return
        time.after(
          trip.backMs,
          () => {
            try {
              resolve(trip.answer?.(acted) as T)
            } catch (error) {
              reject(toProviderError(error))
            }
          },
          caller,
        )
      },
      providerSide,
    )
    return promise
  }

  /** The first outcome of a key is its outcome until the key is forgotten. */
  function once<T>(key: string, parameters: string, act: () => T): T {
    const known = saved.get(key)
    if (known !== undefined && known.at + KEY_FORGOTTEN_MS > time.now()) {
      if (known.parameters !== parameters) throw fail('state', 'unknown')
      return known.outcome() as T
    }
    const outcome = settle(act)
    saved.set(key, { parameters, outcome, at: time.now() })
    return outcome()
  }

  function write<T>(
    request: Pick<SentRequest, 'kind' | 'subject' | 'key' | 'parameters'>,
    context: CallContext,
    act: () => T,
  ): Promise<T> {
    const sent: SentRequest = { ...request, at: time.now(), order: sequence.next(), isAnswered: false }
    requests.push(sent)
    return noteAnswer(sent, send(sent, context, act))
  }

  /** Keeps what the caller learned from its request. */
  async function noteAnswer<T>(sent: SentRequest, answer: Promise<T>): Promise<T> {
    try {
      const value = await answer
      sent.isAnswered = true
      sent.answeredOrder = sequence.next()
      return value
    } catch (error) {
      if (error instanceof ProviderError && error.effect === 'none') {
        sent.isAnswered = true
        if (error.fault !== 'throttled') refusals.push(sent)
      }
      throw error
    }
  }

  function send<T>({ key, parameters }: SentRequest, context: CallContext, act: () => T): Promise<T> {
    const fault = time.now() < silentUntil ? 'lost_before' : choices.pick(WRITE_FAULTS)
    const trip = { reachMs: choices.pick(DELAYS_MS), backMs: choices.pick(DELAYS_MS) }
    const work = () => once(key, parameters, act)
    const answer = (acted: () => T) => acted()
    const throwing = (error: unknown) => () => {
      throw error
    }
    const failed = () => throwing(fail('unavailable', 'unknown'))()
    const failAfter = (work: () => T) => {
      settle(work)
      return failed()
    }
    switch (fault) {
      case 'none':
        return exchange(context, { ...trip, act: work, answer }, 'unknown')
      case 'lost_before':
        return exchange<T>(context, trip, 'unknown')
      case 'lost_after':
        return exchange(context, { ...trip, act: work }, 'unknown')
      case 'late_effect':
        return exchange(context, { ...trip, reachMs: LATE_MS, act: work }, 'unknown')
      case 'error_before':
        return exchange<T>(context, { ...trip, answer: failed }, 'unknown')
      case 'error_after':
        return exchange<T>(context, { ...trip, act: work, answer: failed }, 'unknown')
      case 'replayed_500_before':
        return exchange<T>(context, { ...trip, act: () => once(key, parameters, failed), answer }, 'unknown')
      case 'replayed_500_after':
        return exchange<T>(
          context,
          { ...trip, act: () => once(key, parameters, () => failAfter(act)), answer },
          'unknown',
        )
      case 'in_use':
        return exchange<T>(context, { ...trip, answer: failed }, 'unknown')
      case 'throttled':
        return exchange<T>(context, { ...trip, answer: throwing(fail('throttled', 'none')) }, 'unknown')
      case 'garbled_after':
        return exchange<T>(context, { ...trip, act: work, answer: throwing(fail('malformed', 'unknown')) }, 'unknown')
      case 'refused_before':
        return exchange<T>(context, { ...trip, answer: throwing(fail('refused', 'none')) }, 'unknown')
    }
  }

  function read<T>(context: CallContext, act: () => T): Promise<T> {
    const fault = time.now() < silentUntil ? 'error' : choices.pick(LOOK_FAULTS)
    const trip = { reachMs: choices.pick(DELAYS_MS), backMs: choices.pick(DELAYS_MS) }
    if (fault === 'hangs') return exchange<T>(context, trip, 'none')
    if (fault !== 'none') {
      const failure = fail(fault === 'error' ? 'unavailable' : 'malformed', 'none')
      const answer = () => {
        throw failure
      }
      return exchange<T>(context, { ...trip, answer }, 'none')
    }
    return exchange(context, { ...trip, act, answer: (acted) => acted() }, 'none')
  }

  function refund(reference: string, amount: number, operation: string): Settled {
    const kind = choices.pick(REFUND_KINDS)
    const made = ledger.refund(reference, amount, { operation, isPending: kind === 'pending' })
    if (kind === 'pending')
      time.after(2 * DAY_MS, () => ledger.finishRefund(reference, made.reference, 'done'), providerSide)
    if (kind === 'fails_later')
      time.after(5 * DAY_MS, () => ledger.finishRefund(reference, made.reference, 'failed'), providerSide)
    return kind === 'pending' ? 'pending' : 'done'
  }

  const provider: PaymentProvider = {
    id: 'stripe',
    capabilities: { settledBy: 'answer', keyLifeMs: 23 * HOUR_MS, assumedHoldMs: 4 * DAY_MS, isLive: false },
    accepts: () => true,
    create: ({ paymentId, amount }, key, context) => {
      const request = { kind: 'create', subject: paymentId, key, parameters: `${paymentId} ${amount.minor}` } as const
      return write(request, context, () => ({ reference: ledger.create(paymentId, amount.minor).reference }))
    },
    look: async (reference, context) => {
      const beganOrder = sequence.next()
      const view = await read(context, () => toView(ledger.find(reference)))
      looks.push({ reference, beganOrder, order: sequence.next() })
      return view
    },
    nextStep: (reference, context) =>
      read(context, () =>
        ledger.find(reference).status === 'open'
          ? { kind: 'confirm_in_browser', publishableKey: 'pk_test', clientSecret: `${reference}_secret` }
          : { kind: 'none' },
      ),
    capture: (reference, amount, key, context) => {
      const request = { kind: 'capture', subject: reference, key, parameters: `${reference} ${amount.minor}` } as const
      return write<Settled>(request, context, () => done(ledger.capture(reference, amount.minor)))
    },
    void: (reference, key, context) => {
      const request = { kind: 'void', subject: reference, key, parameters: reference } as const
      return write<Settled>(request, context, () => done(ledger.cancel(reference)))
    },
    refund: ({ reference, amount, operation }, key, context) => {
      const parameters = `${reference} ${amount.minor} ${operation}`
      const request = { kind: 'refund', subject: reference, key, parameters } as const
      return write<Settled>(request, context, () => refund(reference, amount.minor, operation))
    },
    async *list() {},
    fee: async () => undefined,
    readNotification(headers, body) {
      if (headers['x-signed'] !== 'yes') return 'unsigned'
      const { id, type, reference } = JSON.parse(body.toString('utf8'))
      return { eventId: id, type, references: [reference] }
    },
    probe: async () => [],
  }

  return { provider, ledger, requests, looks, refusals, silentUntil }
}

function toView(intent: Intent): PaymentView {
  const { status, lapsed, amount, captured, captureBefore, isInReview, refunds, paymentId } = intent
  const isAuthorised = status === 'authorised' || status === 'captured'
  return {
    status,
    ...(status === 'gone' && { lapsed }),
    authorised: euro(isAuthorised ? amount : 0),
    captured: euro(captured),
    ...(captureBefore !== undefined && { captureBefore }),
    isInReview,
    refunds: refunds.map(({ reference, operation, amount: minor, state }) => ({
      ...{ reference, amount: euro(minor), state },
      ...(operation !== undefined && { operation }),
    })),
    isLive: false,
    paymentId,
  }
}

/** Runs now; the result or the error is taken later, as often as wanted. */
function settle<T>(work: () => T): () => T {
  try {
    const value = work()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const done = (_intent: Intent): Settled => 'done'

function never(): never {
  throw new Error('the provider did not act')
}

const toProviderError = (error: unknown): unknown =>
  error instanceof Refused ? new ProviderError(error.fault, 'none') : error
