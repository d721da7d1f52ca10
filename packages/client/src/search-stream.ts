import type { Call, Opened } from './call.ts'
import { readEvents, Silence } from './event-stream.ts'
import { OPERATIONS } from './generated/operations.ts'
import type { Arguments, CallOptions } from './methods.ts'
import { STREAM_SILENCE_MS } from './policy.ts'
import { answerError, lostError } from './read-failure.ts'
import { SeraiError } from './serai-error.ts'
import type { PropertySummary, Search, StreamedSearch, VendorReport } from './shapes.ts'

/** What happens during a search, in the order in which it happens. */
export type SearchEvent =
  /** A vendor has answered or failed. */
  | { readonly type: 'vendor'; readonly vendor: VendorReport }
  /** Properties that were found or got cheaper, and all that were found so far by their ids. */
  | {
      readonly type: 'properties'
      readonly changed: readonly PropertySummary[]
      readonly found: ReadonlyMap<string, PropertySummary>
    }
  /** The whole search, in order: the same that `search.create` returns. Always the last event. */
  | { readonly type: 'done'; readonly search: Search }

/** A search that tells what it finds as it finds it. Ends with `done`, or throws. */
export async function* streamSearch(call: Call, args: Arguments, options: CallOptions): AsyncGenerator<SearchEvent> {
  const given = { ...options, accept: 'text/event-stream, application/json;q=0.5' }
  // Where something on the way has taken the stream out, the whole answer is read in the time of one attempt.
  const opened = await call('search.create', OPERATIONS.search.create, args, given, async (one) =>
    isStream(one.response) ? one : ((await one.response.json()) as { data: Search }).data,
  )
  if (!('response' in opened)) {
    yield { type: 'done', search: opened }
    return
  }
  try {
    yield* followStream(opened)
  } catch (error) {
    if (error instanceof SeraiError) throw error
    if (options.signal?.aborted) throw options.signal.reason
    throw lostError(opened.attempt, error instanceof Silence ? 'timeout' : 'unreadable_answer', error, opened.response)
  }
}

const isStream = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/event-stream') === true

async function* followStream({ response, attempt }: Opened): AsyncGenerator<SearchEvent> {
  const found = new Map<string, PropertySummary>()
  if (response.body === null) throw new Error('the stream is empty')
  for await (const { event, data } of readEvents(response.body, STREAM_SILENCE_MS)) {
    const read = JSON.parse(data)
    if (event === 'vendor') yield { type: 'vendor', vendor: read as VendorReport }
    else if (event === 'properties') {
      const { availability: changed } = read as { availability: PropertySummary[] }
      for (const property of changed) found.set(property.property_id, property)
      yield { type: 'properties', changed, found }
    } else if (event === 'problem') {
      const { headers } = response
      throw answerError(attempt, new Response(null, { status: Number(read.status) || 502, headers }), read)
    } else if (event === 'done') {
      yield { type: 'done', search: inOrder((read as { data: StreamedSearch }).data, found) }
      return
    }
  }
  throw lostError(attempt, 'unreadable_answer', new Error('the stream ended before the search was done'), response)
}

/** The whole search, put together from the properties that were sent before. */
function inOrder({ order, ...rest }: StreamedSearch, found: ReadonlyMap<string, PropertySummary>): Search {
  return { ...rest, availability: order.flatMap((id) => found.get(id) ?? []) }
}
