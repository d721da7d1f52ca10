import type { CallContext } from '../lib/call-context.ts'
import type { ListShape } from './read-in-pieces.ts'
import type { Effect } from './vendor-error.ts'

/** Each class of calls has its own bulkhead and breaker, so that a flood of searches never takes a booking's place. */
export const CALL_CLASSES = ['content', 'search', 'price_check', 'book', 'manage'] as const
export type CallClass = (typeof CALL_CLASSES)[number]

/** One request to a vendor, in the vendor's own words, before it is signed and sent. */
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
  /** The answer is one long list, to be read item by item; see `Reply.items`. */
  readonly list?: ListShape
  /** How a good answer is made ours. With it, a long one is read on a thread of its own; see `Reply.read`. */
  readonly reading?: Reading
}

/** One way of reading an answer. `frame` is all that `read` needs beside it, and plain data. */
export type Reading = {
  /** The module that exports `read`, by its address. */
  readonly module: string
  read(reply: Pick<Reply, 'body' | 'items'>, frame: unknown): unknown
  readonly frame: unknown
}

export type Reply = {
  readonly status: number
  /** Lower-case names; a repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, or undefined when the body is empty or no JSON. */
  readonly body: unknown
  /** The items of `Call.list`, each parsed when it is its turn; then `body` has the list, but empty. To be read once. */
  readonly items?: Iterable<unknown>
  /** What `Call.reading` makes of it, once, as it would itself: throws VendorError where that is no good answer. */
  read?(): unknown
  /** The first 500 characters when the body is no JSON; for diagnosis, redacted. */
  readonly text?: string
}

/** The one way out. Throws VendorError for everything that is not an HTTP answer. */
export type Send = (call: Call, context: CallContext) => Promise<Reply>

/** What a reading makes of a reply, wherever that was done. */
export const readWith = ({ read, frame }: Reading, reply: Reply): unknown =>
  reply.read === undefined ? read(reply, frame) : reply.read()
