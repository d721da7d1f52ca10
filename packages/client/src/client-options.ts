import type { Simulation } from './methods.ts'
import type { SeraiError } from './serai-error.ts'

export type ClientOptions = {
  /** URL of the service, such as `https://api.example.com`; empty in a page served by the service itself. */
  readonly baseUrl: string
  /** A token (`srt_…`) or API key (`srk_…`), or a function that returns one. */
  readonly token?: string | ((call: TokenCall) => string | undefined | Promise<string | undefined>) | undefined
  /** Called with the token of a denied call (401, 403). Return true to get a new token and repeat it once. */
  readonly onDenied?: ((error: SeraiError, token: string | undefined) => boolean | Promise<boolean>) | undefined
  /** Default simulation of every call. */
  readonly simulate?: Simulation | undefined
  readonly retries?: number | undefined
  /** In milliseconds, by operation, such as `{ 'booking.create': 60_000 }`. */
  readonly timeouts?: Readonly<Record<string, number>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Called before every attempt; may set headers, such as `traceparent`. */
  readonly onRequest?: ((request: AttemptRequest) => void) | undefined
  /** Called after every attempt, also one without a response. */
  readonly onResponse?: ((response: AttemptResponse) => void) | undefined
  /** Called before the wait for a repeat. */
  readonly onRetry?: ((retry: Retry) => void) | undefined
}

/** The call that needs a token. */
export type TokenCall = { readonly retries: number }

export type AttemptName = {
  /** Such as `booking.create`. */
  readonly operation: string
  /** Starts at 1. */
  readonly attempt: number
  /** Same for all attempts of a call. */
  readonly requestId: string
}
export type AttemptRequest = AttemptName & {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
}
export type AttemptResponse = AttemptName & {
  /** 0 if no response arrived. */
  readonly status: number
  readonly tookMs: number
}
export type Retry = AttemptName & { readonly error: SeraiError; readonly waitMs: number }
