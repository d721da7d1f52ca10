import { appendFileSync } from 'node:fs'
import type Stripe from 'stripe'
import { openLines } from '../server/ledger.ts'
import type { ReadCard } from './cards.ts'

export type KeptRefund = {
  readonly id: string
  readonly amount: number
  readonly created: number
  readonly metadata: Readonly<Record<string, string>>
  readonly reason: string | null
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly failureReason?: string
  /** Next change by itself (epoch ms). */
  readonly changesAt?: number
}

export type KeptCharge = {
  readonly id: string
  readonly created: number
  /** Published end of the authorisation (epoch seconds), and the real one (epoch ms). */
  readonly captureBefore: number
  readonly lapsesAt: number
  readonly capturedAt?: number
}

export type KeptDispute = {
  readonly id: string
  readonly amount: number
  readonly created: number
  readonly reason: string
  readonly status: Stripe.Dispute.Status
}

/** A PaymentIntent with everything that belongs to it. Amounts are Stripe's, times epoch seconds. */
export type KeptIntent = {
  readonly id: string
  readonly secret: string
  readonly amount: number
  readonly currency: string
  readonly created: number
  readonly description: string | null
  readonly statementSuffix: string | null
  readonly captureMethod: 'manual' | 'automatic' | 'automatic_async'
  readonly metadata: Readonly<Record<string, string>>
  readonly status: Stripe.PaymentIntent.Status
  readonly amountReceived: number
  readonly canceledAt?: number
  readonly cancellationReason?: Stripe.PaymentIntent.CancellationReason
  readonly card?: ReadCard
  readonly lastError?: { readonly code: string; readonly declineCode?: string; readonly message: string }
  /** Authentication that the guest has not finished. */
  readonly action?: { readonly returnUrl?: string }
  readonly charge?: KeptCharge
  readonly review?: { readonly id: string; readonly isOpen: boolean }
  readonly refunds: readonly KeptRefund[]
  readonly dispute?: KeptDispute
}

/** Line of the ledger of money, by which tests judge the service. It is never changed. */
export type MoneyEntry = {
  readonly kind: 'authorised' | 'captured' | 'released' | 'refunded' | 'refund_failed' | 'disputed'
  readonly intent: string
  readonly paymentId: string | undefined
  readonly amount: number
  readonly currency: string
  readonly operation?: string
  /** Epoch milliseconds. */
  readonly at: number
}

type Line = { readonly intent: KeptIntent } | { readonly money: MoneyEntry }

export type StripeState = {
  find(id: string): KeptIntent | undefined
  /** Newest first. */
  all(): readonly KeptIntent[]
  save(intent: KeptIntent): void
  /** Intents that may change by themselves. */
  waiting(): readonly KeptIntent[]
  record(entry: MoneyEntry): void
  ledger(): readonly MoneyEntry[]
}

/** Kept in memory, and in a file of lines if there is a path: the last line of an intent counts. */
export function createStripeState({ path }: { readonly path?: string | undefined } = {}): StripeState {
  const intents = new Map<string, KeptIntent>()
  const money: MoneyEntry[] = []
  const remember = (line: Line) => {
    if ('money' in line) money.push(line.money)
    else intents.set(line.intent.id, line.intent)
  }
  if (path !== undefined) for (const line of openLines(path).readNewLines()) remember(JSON.parse(line) as Line)
  const waiting = new Set([...intents.values()].filter(mayChange).map(({ id }) => id))
  const write = (line: Line) => {
    if (path !== undefined) appendFileSync(path, `${JSON.stringify(line)}\n`)
    remember(line)
  }

  return {
    find: (id) => intents.get(id),
    all: () => [...intents.values()].reverse(),
    save(intent) {
      write({ intent })
      if (mayChange(intent)) waiting.add(intent.id)
      else waiting.delete(intent.id)
    },
    waiting: () => [...waiting].flatMap((id) => intents.get(id) ?? []),
    record: (entry) => write({ money: entry }),
    ledger: () => money,
  }
}

const mayChange = ({ status, refunds }: KeptIntent): boolean =>
  status === 'requires_capture' || refunds.some(({ changesAt }) => changesAt !== undefined)
