/** Failures that a stand-in simulates on request. */
export const FAULT_KINDS = [
  /** Responds `ms` later than usual. */
  'latency',
  /** Never responds. */
  'hang',
  /** 500 or 503 before anything was done. */
  'error_before',
  /** Does the work, then responds with 500: the booking exists. */
  'error_after',
  /** Does the work, then never responds. */
  'hang_after',
  /** Breaks the connection, before or after the work. */
  'reset_before',
  'reset_after',
  /** One byte every `ms`. */
  'drip',
  /** Half of the body, then the end of the connection. */
  'truncate',
  /** An HTML page with status 200. */
  'html',
  /** Does the work, then responds with a proxy's own page and status 404. */
  'proxy_404',
  /** 429. */
  'throttle',
  /** Price check and booking respond with a higher price. */
  'price_change',
  'sold_out',
  /** The price check returns worse terms at the same total: not refundable. */
  'terms_change',
  /** An amount that was due now becomes payable at the property. */
  'fees_move',
  /** The meals are removed. */
  'board_change',
  /** The price check marks the rate as a packaging rate. */
  'packaging',
  /** Product error that does not say that the product is gone. */
  'product_error',
  /** Books, but responds with a refusal (410). */
  'refuse_after',
  /** Books, and bills two percent more than was checked. */
  'bill_more',
  /** A lookup reports that an existing booking does not exist. */
  'missing',
  /** The link or rate key has expired. */
  'expired',
  /** A booking becomes visible to lookups only after `ms`. */
  'late_visibility',
  /** Response of 50 MB. */
  'huge',
  /** 500 that is repeated for every request with the same idempotency key, before or after the work. */
  'replayed_500_before',
  'replayed_500_after',
  /** 409: the first request with this key is still running. */
  'key_in_use',
  /** Breaks the connection, then does the work `ms` later. */
  'late_effect',
  /** An authorisation ends `ms` after it was given, or right before the call. */
  'lapse_early',
  /** The fraud check holds the payment for a person. */
  'review',
  /** The bank refuses the call. */
  'decline',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export type Fault = {
  readonly kind: FaultKind
  /** Name of the adapter operation that it hits, or `*`. */
  readonly operation: string
  /** Number of calls that it hits; unlimited until cleared if absent. */
  readonly times?: number
  /** Number of calls that it lets pass first. */
  readonly after?: number
  /** Share of calls that it hits, 0 to 1; 1 if absent. */
  readonly share?: number
  readonly ms?: number
}
