/** What travels with every call that may leave the process: its deadline, its owner's trace, and whom it is made for. */
export type CallContext = {
  /** Aborted when the deadline passes or nobody waits for the answer any more. */
  readonly signal: AbortSignal
  readonly requestId: string
  /** The booking that the call is about, where there is one already. */
  readonly bookingId?: string
  /** One id for a customer's whole journey: search, rooms, price check, booking and all that follows. */
  readonly sessionId?: string
  /** The traveller's own address and agent; vendors use them for fraud checks and point of sale. */
  readonly customerIp?: string
  readonly userAgent?: string
}
