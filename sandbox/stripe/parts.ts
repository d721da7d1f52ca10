import type { Clock } from '../../src/lib/time/clock.ts'
import type { Fault } from '../server/faults.ts'
import type { Events, WebhookSettings } from './events.ts'
import type { Form } from './form-body.ts'
import type { KeptIntent, MoneyEntry, StripeState } from './state.ts'

export type StripeSandboxSettings = WebhookSettings & {
  [own: string]: number
  /** An intent is found by search this long after it was created. */
  searchLagMs: number
  refundPendingMs: number
  refundFailMs: number
  /** Life of an idempotency key. */
  keyHours: number
  /** Above 0, 3-D Secure redirects to the bank's page instead of showing it inside the card form. */
  bankRedirects: number
}

export const STRIPE_DEFAULTS: Readonly<StripeSandboxSettings> = {
  webhookDelayMs: 0,
  webhookDuplicates: 0,
  webhookDrops: 0,
  webhookReorders: 0,
  webhookBeforeAnswer: 0,
  webhookHold: 0,
  webhookRetryMs: 1_000,
  searchLagMs: 5_000,
  refundPendingMs: 30_000,
  refundFailMs: 30_000,
  keyHours: 24,
  bankRedirects: 0,
}

export type Parts = {
  readonly state: StripeState
  readonly events: Events
  readonly clock: Clock
  readonly settings: StripeSandboxSettings
  readonly createId: (prefix: string) => string
  /** Address of the stand-in, for the page of the authentication. */
  readonly origin: () => string
}

/** Request of the API after authentication; parameters come from the body or the query. */
export type ApiCall = {
  readonly id: string
  readonly form: Form
  readonly faults: readonly Fault[]
  readonly key: string | undefined
  /** Publishable keys see and confirm only the intent whose secret they know. */
  readonly isPublic: boolean
}

export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1_000)

export const recordMoney = (
  { state, clock }: Parts,
  { id, metadata, currency }: KeptIntent,
  kind: MoneyEntry['kind'],
  amount: number,
  operation?: string,
): void =>
  state.record({
    kind,
    intent: id,
    paymentId: metadata.serai_payment,
    amount,
    currency,
    at: clock.now(),
    ...(operation !== undefined && { operation }),
  })
