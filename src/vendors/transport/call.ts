import type { CallContext } from '../../lib/async/call-context.ts'
import type { Effect } from '../vendor-error.ts'

/** Each class has its own limit and breaker, so that many searches never block a booking. */
export const CALL_CLASSES = ['content', 'search', 'price_check', 'book', 'manage'] as const
export type CallClass = (typeof CALL_CLASSES)[number]

/** One request in the vendor's format, before it is signed. */
export type Call = {
  readonly class: CallClass
  /** Name for logs and metrics, such as `availability` or `book`. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query, starting with `/`; resolved against the vendor's configured origin. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Effect if the response is lost: `none` for reads, `unknown` for writes. */
  readonly ifLost: Effect
  /** Share of the vendor's quota that the call uses; 1 by default. */
  readonly load?: number
  /** Name of the configured origin; the first by default. */
  readonly origin?: string
  /** Decodes a successful response, on another thread if it is long; see `Reply.read`. */
  readonly reading?: Reading
}

/** Decoder of a response. `frame` must be plain data, and `read` must return plain JSON. */
export type Reading<Answer = unknown, Frame = unknown> = {
  /** URL of the module that exports `read`; functions cannot be sent to a thread. */
  readonly module: string
  read(body: unknown, frame: Frame): Answer
  readonly frame: Frame
}

export type Reply = {
  readonly status: number
  /** Names are lower case; values of repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON; undefined if the body is empty or not JSON. */
  readonly body: unknown
  /** Result of `Call.reading` from another thread; throws the VendorError that was thrown there. */
  read?(): unknown
  /** First 500 characters of a body that is not JSON; for diagnosis, redacted. */
  readonly text?: string
}

/** Throws VendorError unless there is an HTTP response. */
export type Send = (call: Call, context: CallContext) => Promise<Reply>

/** Returns the result of another thread, or decodes the body on this one. */
export const readWith = <Answer, Frame>({ read, frame }: Reading<Answer, Frame>, reply: Reply): Answer =>
  reply.read === undefined ? read(reply.body, frame) : (reply.read() as Answer)
