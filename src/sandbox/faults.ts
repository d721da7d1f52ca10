/** A misfortune a stand-in can be told to have, for the next calls or by a schedule. */
export const FAULT_KINDS = [
  /** Answers `ms` later than it would. */
  'latency',
  /** Never answers. */
  'hang',
  /** 500 or 503 before anything was done. */
  'error_before',
  /** Does the work, then answers 500: the booking exists. */
  'error_after',
  /** Does the work, then says nothing at all. */
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
  /** 429. */
  'throttle',
  /** Price check and booking answer with a higher price. */
  'price_change',
  'sold_out',
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
  /** Share of calls it hits, 0 to 1; 1 when absent. */
  readonly share?: number
  readonly ms?: number
}
