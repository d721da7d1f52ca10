import type { Money } from '../../../src/domain/money/money.ts'
import { DAY_MS, HOUR_MS } from '../../../src/lib/time/durations.ts'
import type { PaymentProvider, PaymentView, RefundView } from '../../../src/payments/provider.ts'
import { ProviderError, type ProviderFault } from '../../../src/payments/provider-error.ts'

export type ProviderCall = { readonly call: string; readonly key?: string; readonly amount?: number }

type Intent = {
  readonly paymentId: string
  status: PaymentView['status']
  authorised: Money
  captured: Money
  captureBefore?: number
  isInReview: boolean
  lapsed: boolean
  refunds: RefundView[]
  failure?: { code: string; message: string }
  disputed?: { amount: Money; status: string }
}

/** `before`: nothing was done. `after`: done, and the answer is lost. */
type Fault = { readonly fault: ProviderFault; readonly when: 'before' | 'after'; readonly isProven?: boolean }

/** A payment provider in memory, with a ledger, whose failures a test chooses. */
export function scriptedProvider(clock: { now(): number }) {
  const intents = new Map<string, Intent>()
  const done = new Map<string, { readonly reference: string }>()
  const calls: ProviderCall[] = []
  const faults = new Map<string, Fault[]>()
  const asked = new Map<string, Money>()
  const pendingRefunds = new Set<string>()
  const read = (reference: string) => {
    const intent = intents.get(reference)
    if (intent === undefined) throw new ProviderError('not_found', 'none')
    return intent
  }
  /** Runs once for each key, and loses answers as the test demands. */
  async function write<T>(call: ProviderCall, work: () => T): Promise<T> {
    calls.push(call)
    const fault = faults.get(call.call)?.shift()
    const error = fault && new ProviderError(fault.fault, fault.isProven === true ? 'none' : 'unknown')
    if (fault?.when === 'before') throw error
    const result = work()
    if (fault?.when === 'after') throw error
    return result
  }
  const once = (key: string, reference: string, work: () => void) => {
    if (done.has(key)) return
    work()
    done.set(key, { reference })
  }
  const requireStatus = (intent: Intent, ...statuses: PaymentView['status'][]) => {
    if (!statuses.includes(intent.status)) throw new ProviderError('state', 'none')
  }

  const provider: PaymentProvider = {
    id: 'stripe',
    capabilities: { settledBy: 'answer', keyLifeMs: 23 * HOUR_MS, assumedHoldMs: 5 * DAY_MS, isLive: false },
    accepts: ({ currency }) => currency !== 'KWD',
    create: ({ paymentId, amount }, key) =>
      write({ call: 'create', key, amount: amount.minor }, () => {
        const reference = `pi_${paymentId}`
        once(key, reference, () => {
          const nothing = { ...amount, minor: 0 }
          intents.set(reference, {
            ...{ paymentId, status: 'open', authorised: nothing, captured: nothing },
            ...{ isInReview: false, lapsed: false, refunds: [] },
          })
          asked.set(reference, amount)
        })
        return { reference }
      }),
    async look(reference) {
      return write({ call: 'look' }, () => {
        const { lapsed, ...intent } = read(reference)
        const isHeld = intent.status === 'authorised' || intent.status === 'captured'
        return {
          ...intent,
          ...(lapsed && { lapsed }),
          isLive: false,
          refunds: [...intent.refunds],
          ...(isHeld && { card: { brand: 'visa', last4: '4242' } }),
        }
      })
    },
    nextStep: async (reference) =>
      write({ call: 'next' }, () => ({
        ...{ kind: 'confirm_in_browser', publishableKey: 'pk_test_scripted' },
        clientSecret: `${reference}_secret_canary`,
      })),
    capture: (reference, amount, key) =>
      write({ call: 'capture', key, amount: amount.minor }, () => {
        once(key, reference, () => {
          const intent = read(reference)
          requireStatus(intent, 'authorised')
          intent.status = 'captured'
          intent.captured = amount
        })
        return 'done' as const
      }),
    void: (reference, key) =>
      write({ call: 'void', key }, () => {
        once(key, reference, () => {
          const intent = read(reference)
          requireStatus(intent, 'authorised', 'open')
          intent.status = 'gone'
        })
        return 'done' as const
      }),
    refund: ({ reference, amount, operation }, key) =>
      write({ call: 'refund', key, amount: amount.minor }, () => {
        once(key, reference, () => {
          const intent = read(reference)
          requireStatus(intent, 'captured')
          intent.refunds.push({
            operation,
            reference: `re_${key}`,
            amount,
            state: pendingRefunds.has(reference) ? 'pending' : 'done',
          })
        })
        return pendingRefunds.has(reference) ? ('pending' as const) : ('done' as const)
      }),
    async *list() {
      for (const [reference, { paymentId, status, authorised, captured }] of intents)
        yield { reference, paymentId, status, authorised, captured, createdAt: clock.now() }
    },
    fee: async () => undefined,
    readNotification(headers, body) {
      if (headers['x-signature'] !== 'right') return 'unsigned'
      const { id, type, reference } = JSON.parse(body.toString('utf8'))
      return reference === undefined ? undefined : { eventId: id, type, references: [reference] }
    },
    probe: async () => [
      { check: 'key', isOk: true, detail: 'test' },
      { check: 'read reviews', isOk: false, detail: 'Give the key this permission.' },
    ],
  }
  const referenceOf = (paymentId: string) => `pi_${paymentId}`
  return {
    ...provider,
    provider,
    calls,
    writes: () => calls.filter(({ call }) => call !== 'look' && call !== 'next'),
    intent: (paymentId: string) => read(referenceOf(paymentId)),
    /** The guest authorises the amount in the browser. */
    confirm(paymentId: string, changed: Partial<Intent> = {}) {
      const intent = read(referenceOf(paymentId))
      const authorised = asked.get(referenceOf(paymentId))
      if (authorised === undefined) throw new Error(`${paymentId} is not known`)
      Object.assign(intent, { status: 'authorised', authorised, captureBefore: clock.now() + 7 * DAY_MS, ...changed })
    },
    decline(paymentId: string) {
      read(referenceOf(paymentId)).failure = {
        code: 'insufficient_funds',
        message: 'Your card has insufficient funds.',
      }
    },
    keepRefundsPending: (paymentId: string) => pendingRefunds.add(referenceOf(paymentId)),
    /** The next call of this kind fails. */
    fail(call: string, fault: Fault) {
      faults.set(call, [...(faults.get(call) ?? []), fault])
    },
    noFaults: () => faults.clear(),
  }
}

export type ScriptedProvider = ReturnType<typeof scriptedProvider>
