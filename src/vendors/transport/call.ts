import type { CallContext } from '../../lib/async/call-context.ts'
import type { Effect } from '../vendor-error.ts'

/** Each class of calls has its own limit and breaker, so that many searches never block a booking. */
export const CALL_CLASSES = ['content', 'search', 'price_check', 'book', 'manage'] as const
export type CallClass = (typeof CALL_CLASSES)[number]

/** One request to a vendor, in the vendor's own format, before it is signed and sent. */
export type Call = {
  readonly class: CallClass
  /** For logs and metrics: `availability`, `book` … */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query, beginning with `/`; always resolved against the vendor's configured origin. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** What may have happened if the answer never comes: `none` for reads, `unknown` for anything that changes something. */
  readonly ifLost: Effect
  /** Which configured origin to use, where a vendor has several; the first by default. */
  readonly origin?: string
  /** How a good answer is decoded. With it, a long one is decoded on another thread; see `Reply.read`. */
  readonly reading?: Reading
}

/** How an answer is decoded. `frame` is all that `read` needs beside the answer, and plain data; what `read` returns can be written as JSON. */
export type Reading<Answer = unknown, Frame = unknown> = {
  /** The address of the module that exports `read`: a function cannot be sent to a thread. */
  readonly module: string
  read(body: unknown, frame: Frame): Answer
  readonly frame: Frame
}

export type Reply = {
  readonly status: number
  /** Lower-case names; a repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, or undefined when the body is empty or no JSON. */
  readonly body: unknown
  /** The answer that `Call.reading` decoded on another thread; throws the VendorError that it threw there. */
  read?(): unknown
  /** The first 500 characters when the body is no JSON; for diagnosis, redacted. */
  readonly text?: string
}

/** Sends a call. Throws VendorError for everything that is not an HTTP answer. */
export type Send = (call: Call, context: CallContext) => Promise<Reply>

/** The decoded answer, wherever it was decoded. */
export const readWith = <Answer, Frame>({ read, frame }: Reading<Answer, Frame>, reply: Reply): Answer =>
  reply.read === undefined ? read(reply.body, frame) : (reply.read() as Answer)
