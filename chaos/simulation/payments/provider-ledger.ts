import type { Sequence } from './sequence.ts'

/** Money at the provider and at the guest's bank. Entries are only added. */
export type MoneyEntry = {
  readonly kind: 'created' | 'authorised' | 'captured' | 'released' | 'refunded' | 'refund_failed'
  readonly reference: string
  readonly paymentId: string
  readonly amount: number
  readonly by: 'us' | 'guest' | 'provider' | 'dashboard'
  /** Our identifier of a refund. */
  readonly operation?: string
  readonly at: number
  /** Position among everything that happened in the run. */
  readonly order: number
}

export type Refund = {
  readonly reference: string
  readonly operation: string | undefined
  readonly amount: number
  readonly at: number
  readonly state: 'done' | 'pending' | 'failed'
}

export type Intent = {
  readonly reference: string
  readonly paymentId: string
  readonly amount: number
  readonly createdAt: number
  readonly status: 'open' | 'authorised' | 'captured' | 'gone'
  readonly lapsed: boolean
  readonly captured: number
  readonly captureBefore: number | undefined
  readonly lapsesAt: number | undefined
  readonly isInReview: boolean
  readonly refunds: readonly Refund[]
}

/** A notification that waits to be delivered, with the state of its moment. */
type WaitingEvent = { readonly id: string; readonly type: string; readonly reference: string }

/** Refusal of the provider; it proves that this call did nothing. */
export class Refused extends Error {
  readonly fault: 'state' | 'refused' | 'declined' | 'not_found'
  constructor(fault: Refused['fault']) {
    super(fault)
    this.fault = fault
  }
}

export type HoldTraits = {
  readonly holdMs: number
  /** True if a second capture is refused, as Stripe does. */
  readonly naturallyOnce: boolean
}

/** Objects of the provider, without faults on the way to them. */
export function createProviderLedger(sequence: Sequence, { holdMs, naturallyOnce }: HoldTraits) {
  const entries: MoneyEntry[] = []
  const intents = new Map<string, Intent>()
  const events: WaitingEvent[] = []

  const record = (
    { reference, paymentId }: Intent,
    kind: MoneyEntry['kind'],
    amount: number,
    by: MoneyEntry['by'],
    operation?: string,
  ) => {
    const more = operation === undefined ? {} : { operation }
    entries.push({ kind, reference, paymentId, amount, by, at: sequence.now(), order: sequence.next(), ...more })
    events.push({ id: `evt_${entries.length}`, type: kind, reference })
  }
  const replace = (intent: Intent, changed: Partial<Intent>): Intent => {
    const replaced = { ...intent, ...changed }
    intents.set(intent.reference, replaced)
    return replaced
  }
  const find = (reference: string): Intent => {
    const intent = intents.get(reference)
    if (intent === undefined) throw new Refused('not_found')
    return lapseIfDue(intent)
  }
  const lapseIfDue = (intent: Intent): Intent => {
    if (intent.status !== 'authorised' || (intent.lapsesAt ?? Number.POSITIVE_INFINITY) > sequence.now()) return intent
    record(intent, 'released', intent.amount, 'provider')
    return replace(intent, { status: 'gone', lapsed: true })
  }

  return {
    entries,
    events,
    list: (): readonly Intent[] => [...intents.values()].map(lapseIfDue),
    find,
    create(paymentId: string, amount: number): Intent {
      const reference = `pi_${intents.size + 1}`
      const intent: Intent = {
        ...{ reference, paymentId, amount, createdAt: sequence.now(), status: 'open', lapsed: false, captured: 0 },
        ...{ captureBefore: undefined, lapsesAt: undefined, isInReview: false, refunds: [] },
      }
      intents.set(reference, intent)
      record(intent, 'created', amount, 'us')
      return intent
    },
    /** The guest’s bank holds the amount. */
    authorise(reference: string, { lapsesInMs = holdMs, isInReview = false } = {}): boolean {
      const intent = find(reference)
      if (intent.status !== 'open') return false
      const captureBefore = sequence.now() + holdMs
      replace(intent, {
        status: 'authorised',
        captureBefore,
        lapsesAt: sequence.now() + Math.min(lapsesInMs, holdMs),
        isInReview,
      })
      record(intent, 'authorised', intent.amount, 'guest')
      return true
    },
    capture(reference: string, amount: number, by: MoneyEntry['by'] = 'us'): Intent {
      const intent = find(reference)
      const isOurs =
        by === 'us' &&
        entries.some((entry) => entry.reference === reference && entry.kind === 'captured' && entry.by === 'us')
      // An amount captured at the dashboard cannot be captured again.
      const isAgain = intent.status === 'captured' && !naturallyOnce && isOurs
      if (intent.status !== 'authorised' && !isAgain) throw new Refused('state')
      if (amount > intent.amount) throw new Refused('refused')
      record(intent, 'captured', amount, by)
      if (!isAgain && amount < intent.amount) record(intent, 'released', intent.amount - amount, by)
      return replace(intent, { status: 'captured', captured: intent.captured + amount })
    },
    cancel(reference: string, by: MoneyEntry['by'] = 'us'): Intent {
      const intent = find(reference)
      if (intent.status === 'captured' || intent.status === 'gone') throw new Refused('state')
      record(intent, 'released', intent.status === 'authorised' ? intent.amount : 0, by)
      return replace(intent, { status: 'gone', lapsed: false })
    },
    refund(
      reference: string,
      amount: number,
      { operation, by = 'us', isPending = false }: { operation?: string; by?: MoneyEntry['by']; isPending?: boolean },
    ): Refund {
      const intent = find(reference)
      const left = intent.captured - sumOf(intent.refunds)
      if (intent.status !== 'captured' || amount > left) throw new Refused(left === 0 ? 'state' : 'refused')
      const refund: Refund = {
        ...{ reference: `re_${entries.length + 1}`, operation, amount, at: sequence.now() },
        state: isPending ? 'pending' : 'done',
      }
      replace(intent, { refunds: [refund, ...intent.refunds] })
      record(intent, 'refunded', amount, by, operation)
      return refund
    },
    /** A pending refund is done, or one comes back from the bank up to a month later. */
    finishRefund(reference: string, refund: string, state: 'done' | 'failed'): void {
      const intent = find(reference)
      const found = intent.refunds.find((each) => each.reference === refund)
      if (found === undefined || found.state === 'failed' || found.state === state) return
      const refunds = intent.refunds.map((each) => (each === found ? { ...each, state } : each))
      replace(intent, { refunds })
      if (state === 'failed') record(intent, 'refund_failed', found.amount, 'provider', found.operation)
      else events.push({ id: `evt_done_${refund}`, type: 'refund_done', reference })
    },
  }
}

export type ProviderLedger = ReturnType<typeof createProviderLedger>

export const sumOf = (refunds: readonly Refund[]): number =>
  refunds.filter(({ state }) => state !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
