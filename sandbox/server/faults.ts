/** What a stand-in can be told to do wrong. */
export const FAULT_KINDS = [
  /** Answers `ms` later than it would. */
  'latency',
  /** Never answers. */
  'hang',
  /** 500 or 503 before anything was done. */
  'error_before',
  /** Does the work, then answers 500: the booking exists. */
  'error_after',
  /** Does the work, then never answers. */
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
  /** Does the work, then answers with a proxy's own page and status 404. */
  'proxy_404',
  /** 429. */
  'throttle',
  /** Price check and booking answer with a higher price. */
  'price_change',
  'sold_out',
  /** The price check answers with worse terms at the same total: no longer refundable, */
  'terms_change',
  /** a part that was to be paid now is to be paid at the property, */
  'fees_move',
  /** or the meals are gone. */
  'board_change',
  /** The price check calls the rate a packaging rate. */
  'packaging',
  /** A product error that does not say that the product is gone. */
  'product_error',
  /** Books, then refuses (410) all the same. */
  'refuse_after',
  /** Books, and bills two percent more than was checked. */
  'bill_more',
  /** A look-up answers that there is no such booking, although it exists. */
  'missing',
  /** The link or rate key is too old. */
  'expired',
  /** A booking becomes visible to look-ups only `ms` later. */
  'late_visibility',
  /** 50 MB of answer. */
  'huge',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export type Fault = {
  readonly kind: FaultKind
  /** Which operation it hits: the adapter's own operation name, or `*`. */
  readonly operation: string
  /** How many calls it hits; absent means until it is cleared. */
  readonly times?: number
  /** How many calls it lets pass first. */
  readonly after?: number
  /** Share of calls it hits, 0 to 1; 1 when absent. */
  readonly share?: number
  readonly ms?: number
}
