/** Record of a request. Contains nothing that was sent: no query, no body, no address. */
export type NotedRequest = {
  readonly requestId: string
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly status: number
  /** Of the problem that was answered. */
  readonly code: string | undefined
  readonly ms: number
  readonly accountId: string | undefined
  readonly keyId: string | undefined
  readonly simulated: boolean
  readonly searchId: string | undefined
  readonly bookingId: string | undefined
}
