export type RequestContext = {
  readonly requestId: string
  /** Account that pays for the call. Accounts take turns if a vendor's call limit is reached. */
  readonly accountId?: string
  /** The booking concerned, if it exists already. */
  readonly bookingId?: string
  /** Shared by search, rooms, price check, booking and everything that follows. */
  readonly sessionId?: string
  /** Traveller's own address and user agent; vendors use them for fraud checks and point of sale. */
  readonly customerIp?: string
  readonly userAgent?: string
}

export type CallContext = RequestContext & {
  /** Awaited right before a booking leaves. Throws if it must not be sent. */
  readonly beforeSend?: () => Promise<void>
  /** Aborted at the deadline or when the client disconnects. */
  readonly signal: AbortSignal
  /** Monotonic time by which an adapter that sends several requests returns its results so far. */
  readonly answerBy?: number
}
