import { type Call, createCall, type OpenedResponse, pause } from './call.ts'
import type { CardMethods } from './cards.ts'
import type { ClientOptions } from './client-options.ts'
import type { Booking, ListMeta, PriceCheck, Room, SearchRequest } from './generated/api-types.ts'
import { OPERATIONS } from './generated/operations.ts'
import type { Arguments, CallOptions, Methods, Operation } from './methods.ts'
import { readPages } from './read-pages.ts'
import { type SearchEvent, streamSearch } from './search-stream.ts'

/** Type of a voucher's document, or of the stay as a calendar entry. */
export type VoucherType = 'application/pdf' | 'text/html' | 'text/calendar'

type Extras = {
  readonly search: {
    /** Searches and yields results as they are found. */
    stream(args: SearchRequest, options?: CallOptions): AsyncGenerator<SearchEvent, void, undefined>
  }
  readonly booking: {
    /** Checks the price and terms of a room before booking; follows its `price_check_uri`. */
    checkRoom(room: Pick<Room, 'booking_info'>, options?: CallOptions): Promise<PriceCheck>
    /** Polls a booking until its outcome is known or the time is up, then returns it. */
    waitForOutcome(args: { booking_id: string; forMs?: number }, options?: CallOptions): Promise<Booking>
    /**
     * Downloads the voucher that guests show at the property, as PDF or as a page to print, or its dates as a calendar
     * entry.
     * @returns a Blob of that type; `Buffer.from(await blob.arrayBuffer())` has its bytes.
     */
    voucherFile(args: { booking_id: string; type: VoucherType }, options?: CallOptions): Promise<Blob>
    /** Downloads the receipt of a card payment, like `voucherFile`. */
    receiptFile(
      args: { booking_id: string; type: Exclude<VoucherType, 'text/calendar'> },
      options?: CallOptions,
    ): Promise<Blob>
  }
}
export type Client = Methods & Extras & { readonly search: CardMethods }

/** Operations of guests and shops; `@serai/client/operator` adds those of operators. */
export function createClient(options: ClientOptions): Client {
  const call = createCall(options)
  const methods = createMethods<Methods>(call, OPERATIONS)
  return {
    ...methods,
    // The service decides by `view` which members it sends.
    search: { ...methods.search, ...searchExtras(call) } as Client['search'],
    booking: { ...methods.booking, ...bookingExtras(call, methods) },
  }
}

type Table = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export function createMethods<M>(call: Call, table: Table): M {
  const groups = Object.entries(table).map(([group, operations]) => [
    group,
    Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [name, createMethod(call, `${group}.${name}`, operation)]),
    ),
  ])
  return Object.fromEntries(groups) as M
}

function createMethod(call: Call, name: string, operation: Operation) {
  const method = (args: Arguments = {}, options: CallOptions = {}) =>
    call(name, operation, args, options, (opened) => readResponse(opened, operation))
  if (!operation.isList) return method
  const all = (args: Arguments = {}, options: CallOptions = {}) =>
    readPages((page) => method(page, options) as Promise<{ data: unknown[]; meta: ListMeta }>, args)
  return Object.assign(method, { all })
}

/** Operations that return text; text from any other operation is a proxy's page. */
const TEXT_PATHS: readonly string[] = [OPERATIONS.docs.errors.path, OPERATIONS.health.metrics.path]

/** Returns the content of `data`; a page of a list keeps its `meta`. */
async function readResponse({ response }: OpenedResponse, { path }: Operation): Promise<unknown> {
  if (response.status === 204) return undefined
  const text = await response.text()
  const type = response.headers.get('content-type') ?? 'json'
  if (!/json/.test(type)) {
    if (TEXT_PATHS.includes(path)) return text
    throw new Error(`the response is ${type}`)
  }
  const body = JSON.parse(text)
  if ('data' in body && !('meta' in body)) return body.data
  return 'accommodation' in body ? body.accommodation : body
}

/** Reads a document of the requested type; any other type is a proxy's page. */
export const readFile =
  (type: string) =>
  async ({ response }: OpenedResponse): Promise<Blob> => {
    const received = response.headers.get('content-type') ?? ''
    if (!received.startsWith(type)) throw new Error(`the response is ${received}`)
    return response.blob()
  }

function searchExtras(call: Call): Extras['search'] {
  return { stream: (args, options = {}) => streamSearch(call, { ...args }, options) }
}

const UNSETTLED_STATUSES: readonly string[] = [
  'pending',
  'submitting',
  'in_doubt',
  'cancelling',
] satisfies Booking['status'][]
const MAX_POLL_MS = 10_000
const DEFAULT_WAIT_MS = 60_000

function bookingExtras(call: Call, { booking }: Methods): Extras['booking'] {
  return {
    async checkRoom(room, options) {
      const uri = String(room.booking_info.price_check_uri ?? '')
      // Uses only the token of the URI, so that the call always goes to the service.
      const token = new URL(uri, 'http://localhost').searchParams.get('token')
      if (token === null) throw new TypeError('The room has no price_check_uri.')
      return booking.checkPrice({ token }, options)
    },
    async waitForOutcome({ booking_id, forMs = DEFAULT_WAIT_MS }, options = {}) {
      const deadline = performance.now() + forMs
      const { show } = OPERATIONS.booking
      let known: { readonly booking: Booking; readonly tag: string | undefined } | undefined
      const readChange = async (opened: OpenedResponse) => {
        if (known !== undefined && opened.response.status === 304) return known
        const booking = (await readResponse(opened, show)) as Booking
        return { booking, tag: opened.response.headers.get('etag') ?? undefined }
      }
      for (let waitMs = 1_000; ; waitMs = Math.min(MAX_POLL_MS, waitMs * 1.5)) {
        known = await call('booking.show', show, { booking_id }, { ...options, knownTag: known?.tag }, readChange)
        const found = known.booking
        if (!UNSETTLED_STATUSES.includes(found.status) || performance.now() + waitMs > deadline) return found
        await pause(waitMs, options.signal)
      }
    },
    voucherFile({ type, ...args }, options = {}) {
      return call('booking.voucher', OPERATIONS.booking.voucher, args, { ...options, accept: type }, readFile(type))
    },
    receiptFile({ type, ...args }, options = {}) {
      return call('booking.receipt', OPERATIONS.booking.receipt, args, { ...options, accept: type }, readFile(type))
    },
  }
}
