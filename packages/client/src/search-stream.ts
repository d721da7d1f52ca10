import type { Call, OpenedResponse } from './call.ts'
import { readEvents, StreamIdleError } from './event-stream.ts'
import type {
  FoundProperties,
  PropertySummary,
  Search,
  StreamedProperty,
  StreamedSearch,
  VendorReport,
} from './generated/api-types.ts'
import { OPERATIONS } from './generated/operations.ts'
import type { Arguments, CallOptions } from './methods.ts'
import { STREAM_IDLE_MS } from './policy.ts'
import { toLostResponseError, toResponseError } from './read-failure.ts'
import { SeraiError } from './serai-error.ts'

/** Events of a search, in order. `P`: PropertyCard with `view: 'card'`. */
export type SearchEvent<P = PropertySummary> =
  | { readonly type: 'vendor'; readonly vendor: VendorReport }
  /** Properties that are new or changed, merged with what was sent before, and all properties found so far by id. */
  | {
      readonly type: 'properties'
      readonly changed: readonly P[]
      readonly found: ReadonlyMap<string, P>
    }
  /** The complete search, as `search.create` returns it. Always the last event. */
  | { readonly type: 'done'; readonly search: Omit<Search, 'availability'> & { availability: P[] } }

/** Ends with `done`, or throws. */
export async function* streamSearch(call: Call, args: Arguments, options: CallOptions): AsyncGenerator<SearchEvent> {
  const streamOptions = { ...options, accept: 'text/event-stream, application/json;q=0.5' }
  // If a proxy has removed the stream, the whole response is read within the time of one attempt.
  const opened = await call('search.create', OPERATIONS.search.create, args, streamOptions, async (unread) =>
    isStream(unread.response) ? unread : ((await unread.response.json()) as { data: Search }).data,
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
    throw toLostResponseError(
      opened.attempt,
      error instanceof StreamIdleError ? 'timeout' : 'unreadable_answer',
      error,
      opened.response,
    )
  }
}

const isStream = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/event-stream') === true

async function* followStream({ response, attempt }: OpenedResponse): AsyncGenerator<SearchEvent> {
  const found = new Map<string, PropertySummary>()
  if (response.body === null) throw new Error('the stream is empty')
  for await (const { event, data } of readEvents(response.body, STREAM_IDLE_MS)) {
    const read = JSON.parse(data)
    if (event === 'vendor') yield { type: 'vendor', vendor: read as VendorReport }
    else if (event === 'properties') {
      const changed = (read as FoundProperties).availability.map((sent) =>
        mergeProperty(found.get(sent.property_id), sent),
      )
      for (const property of changed) found.set(property.property_id, property)
      yield { type: 'properties', changed, found }
    } else if (event === 'problem') {
      const { headers } = response
      throw toResponseError(attempt, new Response(null, { status: Number(read.status) || 502, headers }), read)
    } else if (event === 'done') {
      yield { type: 'done', search: assembleSearch((read as { data: StreamedSearch }).data, found) }
      return
    }
  }
  throw toLostResponseError(
    attempt,
    'unreadable_answer',
    new Error('the stream ended before the search was done'),
    response,
  )
}

/** A property is sent in full once; later only the members that changed. */
function mergeProperty(before: PropertySummary | undefined, sent: StreamedProperty): PropertySummary {
  const { free_cancellation, ...merged } = { ...before, ...sent }
  return { ...merged, ...(free_cancellation && { free_cancellation }) } as PropertySummary
}

function assembleSearch({ order, ...rest }: StreamedSearch, found: ReadonlyMap<string, PropertySummary>): Search {
  return { ...rest, availability: order.flatMap((id) => found.get(id) ?? []) }
}
