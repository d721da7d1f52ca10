import type { ProviderTraits } from './scripted-provider.ts'

/** Actions of the guest at the bank. */
export const GUEST_ACTS = ['confirms', 'declined_first', 'is_reviewed', 'lapses_early', 'leaves'] as const
/** Actions of a person at the provider's console. */
export const DASHBOARD_ACTS = ['captures', 'refunds_a_part', 'cancels'] as const
/** Actions of an operator of the service: a refund beyond the terms, and three ends of a review. */
export const OPERATOR_ACTS = ['refunds', 'retries', 'accepts', 'releases'] as const

export type OperatorAct = { readonly nth: number; readonly act: (typeof OPERATOR_ACTS)[number] }

/** An order of an operator, as the operator knows its outcome. */
export type OperatorOrder = {
  readonly paymentId: string
  readonly act: OperatorAct['act']
  /** In minor units; 0 for an end of a review. */
  readonly amount: number
  outcome: 'done' | 'refused' | 'unknown'
  readonly beganOrder: number
  endedOrder: number
}

export type CardStep =
  /** Creates a payment for the offer, or repeats the request. */
  | { readonly do: 'pay'; readonly offer: number; readonly isSimulated: boolean; readonly acceptsMore: boolean }
  | { readonly do: 'guest'; readonly offer: number; readonly act: (typeof GUEST_ACTS)[number] }
  | { readonly do: 'look'; readonly offer: number }
  | { readonly do: 'release'; readonly offer: number }
  | { readonly do: 'drive' }
  /** Delivers a waiting notification, perhaps again, or a forged one. */
  | { readonly do: 'notify'; readonly nth: number; readonly times: number; readonly isForged: boolean }
  | { readonly do: 'dashboard'; readonly nth: number; readonly act: (typeof DASHBOARD_ACTS)[number] }
  | ({ readonly do: 'operator' } & OperatorAct)

export type CardScenario = {
  readonly traits: ProviderTraits
  /** The offers of the paying account have a margin, so that the guest's amounts differ from the vendor's. */
  readonly hasSale: boolean
  /** Delay until an operator resolves bookings in review. */
  readonly reviewAfterMs: number
  /** Actions of an operator after the reviews of bookings, an hour apart. */
  readonly operator: readonly OperatorAct[]
  /** Parts without faults. */
  readonly calm: readonly ('store' | 'vendor')[]
  readonly vendorSilentForMs: number
  readonly cancelFeeMinor: number
  readonly provider: readonly number[]
  readonly providerFocus: number
}
