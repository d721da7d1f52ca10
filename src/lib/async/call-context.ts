/** What is done for one request: its trace, and whom it is done for. */
export type RequestContext = {
  readonly requestId: string
  /** On whose behalf it is done, where there is one: accounts take turns where a vendor takes no more calls at once. */
  readonly accountId?: string
  /** The booking that it is about, where there is one already. */
  readonly bookingId?: string
  /** One id for a customer's whole journey: search, rooms, price check, booking and all that follows. */
  readonly sessionId?: string
  /** The traveller's own address and agent; vendors use them for fraud checks and point of sale. */
  readonly customerIp?: string
  readonly userAgent?: string
}

/** What goes with every call that may leave the process. */
export type CallContext = RequestContext & {
  /** Aborted when the deadline passes or nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** By when, on the monotonic clock, a vendor that is asked several questions must do with the answers it has. */
  readonly answerBy?: number
}
