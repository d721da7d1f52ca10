import type { IncomingHttpHeaders } from 'node:http'
import type { Money } from '../domain/money/money.ts'
import type { CallContext } from '../lib/async/call-context.ts'

/**
 * Operations of a payment provider. Calls throw ProviderError. All amounts are in our minor units; the
 * adapter converts them where the provider counts differently.
 */
export interface PaymentProvider {
  readonly id: 'stripe'
  readonly capabilities: ProviderCapabilities
  /** False if this amount or currency cannot be charged exactly. */
  accepts(amount: Money): boolean
  /** Creates a payment that is only authorised, never captured, when the guest confirms it. */
  create(order: PaymentOrder, key: string, context: CallContext): Promise<{ readonly reference: string }>
  /** Present state of the payment, with its refunds. */
  look(reference: string, context: CallContext): Promise<PaymentView>
  /** Read anew for every guest; never stored or logged. */
  nextStep(reference: string, context: CallContext): Promise<NextStep>
  /** Releases what is authorised above the amount. */
  capture(reference: string, amount: Money, key: string, context: CallContext): Promise<Settled>
  void(reference: string, key: string, context: CallContext): Promise<Settled>
  refund(order: RefundOrder, key: string, context: CallContext): Promise<Settled>
  /** Payments created in this period (epoch ms) with our mark, for reconciliation. */
  list(period: { readonly from: number; readonly to: number }, context: CallContext): AsyncIterable<ListedPayment>
  /** Fee that the provider kept of a captured payment; undefined while it does not know yet. */
  fee(reference: string, context: CallContext): Promise<Money | undefined>
  /** From raw bytes. Undefined: signed, but of no payment. */
  readNotification(headers: IncomingHttpHeaders, body: Buffer): ProviderNotification | 'unsigned' | undefined
  /** Checks key, permissions and clock. */
  probe(context: CallContext): Promise<readonly ProviderProbe[]>
}

type ProviderCapabilities = {
  /** `answer`: a call is done when answered. `notification`: the answer only says that it was received. */
  readonly settledBy: 'answer' | 'notification'
  /** A request is sent again under its key for this long. */
  readonly keyLifeMs: number
  /** Assumed length of an authorisation if the provider does not tell. */
  readonly assumedHoldMs: number
  readonly isLive: boolean
}

/** `done`, accepted but not finished (`pending`), or only `received`. */
export type Settled = 'done' | 'pending' | 'received'

type PaymentOrder = {
  readonly paymentId: string
  readonly amount: Money
  /** Short text for the provider's console, such as the property and the dates. */
  readonly description: string
}

type RefundOrder = {
  readonly reference: string
  readonly amount: Money
  /** Our identifier of the operation, by which the view recognises it. */
  readonly operation: string
}

export type NextStep =
  | { readonly kind: 'confirm_in_browser'; readonly publishableKey: string; readonly clientSecret: string }
  | { readonly kind: 'none' }

export type RefundView = {
  /** Undefined if it was not ordered by us. */
  readonly operation?: string
  readonly reference: string
  readonly amount: Money
  readonly state: 'done' | 'pending' | 'failed'
  readonly reason?: string
}

export type PaymentView = {
  /** `gone`: cancelled or lapsed. `unknown`: a status that the adapter does not know, or one between two others. */
  readonly status: 'open' | 'authorised' | 'captured' | 'gone' | 'unknown'
  /** Only with `gone`: the provider ended the authorisation by itself. */
  readonly lapsed?: boolean
  readonly authorised: Money
  readonly captured: Money
  /** Epoch ms at which the authorisation ends. */
  readonly captureBefore?: number
  /** The provider's fraud check is waiting for a person. */
  readonly isInReview: boolean
  readonly refunds: readonly RefundView[]
  readonly disputed?: { readonly amount: Money; readonly status: string }
  readonly card?: { readonly brand: string; readonly last4: string }
  /** Reason of the last failed attempt, as it may be shown to the guest. */
  readonly failure?: { readonly code: string; readonly message: string }
  readonly isLive: boolean
  /** Our identifier in the provider's object; undefined if it has none. */
  readonly paymentId: string | undefined
}

export type ListedPayment = {
  readonly reference: string
  readonly paymentId: string | undefined
  readonly status: PaymentView['status']
  readonly authorised: Money
  readonly captured: Money
  readonly createdAt: number
}

export type ProviderNotification = {
  readonly eventId: string
  readonly type: string
  /** Provider's references of the payments concerned. */
  readonly references: readonly string[]
}

export type ProviderProbe = { readonly check: string; readonly isOk: boolean; readonly detail?: string }
