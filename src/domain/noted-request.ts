/** Request log entry. Contains no query, body or IP address. */
export type NotedRequest = {
  readonly requestId: string
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly status: number
  /** Error code of the response. */
  readonly code: string | undefined
  readonly ms: number
  readonly accountId: string | undefined
  readonly keyId: string | undefined
  readonly simulated: boolean
  readonly searchId: string | undefined
  readonly bookingId: string | undefined
}
