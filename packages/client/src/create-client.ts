import { type Call, type ClientOptions, createCall, type Opened, pause } from './call.ts'
import { OPERATIONS } from './generated/operations.ts'
import type { Arguments, CallOptions, Methods, Operation } from './methods.ts'
import { readPages } from './read-pages.ts'
import { type SearchEvent, streamSearch } from './search-stream.ts'
import type { Booking, ListMeta, PriceCheck, Room, SearchRequest } from './shapes.ts'

type Extras = {
  readonly search: {
    /** Searches, and tells what is found as it is found. */
    stream(args: SearchRequest, options?: CallOptions): AsyncGenerator<SearchEvent, void, undefined>
  }
  readonly booking: {
    /** Checks the price and terms of a room before it is booked: follows its `price_check_uri`. */
    checkRoom(room: Pick<Room, 'booking_info'>, options?: CallOptions): Promise<PriceCheck>
    /** Reads a booking until its outcome is known, or until the time is up; returns it as it stands then. */
    waitForOutcome(args: { booking_id: string; forMs?: number }, options?: CallOptions): Promise<Booking>
    /** The voucher as a document. */
    voucherFile(
      args: { booking_id: string; type: 'application/pdf' | 'text/html' },
      options?: CallOptions,
    ): Promise<Blob>
  }
  readonly operator: {
    /** The statement as CSV. */
    statementFile(args: Parameters<Methods['operator']['statements']>[0], options?: CallOptions): Promise<Blob>
  }
}
export type Client = Methods & Extras

export function createClient(options: ClientOptions): Client {
  if (!/^(https?:\/\/|\/|$)/i.test(options.baseUrl))
    throw new TypeError('baseUrl must be an address such as https://api.example.com.')
  const call = createCall(options)
  const groups = Object.entries(OPERATIONS).map(([group, operations]) => [
    group,
    Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [name, methodOf(call, `${group}.${name}`, operation)]),
    ),
  ])
  const methods = Object.fromEntries(groups) as Methods
  return {
    ...methods,
    search: { ...methods.search, ...searchExtras(call) },
    booking: { ...methods.booking, ...bookingExtras(call, methods) },
    operator: { ...methods.operator, ...operatorExtras(call) },
  }
}

function methodOf(call: Call, name: string, operation: Operation) {
  const method = (args: Arguments = {}, options: CallOptions = {}) =>
    call(name, operation, args, options, (opened) => readAnswer(opened, operation))
  if (!operation.isList) return method
  const all = (args: Arguments = {}, options: CallOptions = {}) =>
    readPages((page) => method(page, options) as Promise<{ data: unknown[]; meta: ListMeta }>, args)
  return Object.assign(method, { all })
}

/** Two operations answer text; from any other it is the page of a proxy. */
const TEXTS: readonly string[] = [OPERATIONS.docs.errors.path, OPERATIONS.health.metrics.path]

/** What stands in `data`; a page of a list keeps its `meta`. */
async function readAnswer({ response }: Opened, { path }: Operation): Promise<unknown> {
  if (response.status === 204) return undefined
  const text = await response.text()
  const type = response.headers.get('content-type') ?? 'json'
  if (!/json/.test(type)) {
    if (TEXTS.includes(path)) return text
    throw new Error(`the answer is ${type}`)
  }
  const answer = JSON.parse(text)
  if ('data' in answer && !('meta' in answer)) return answer.data
  return 'accommodation' in answer ? answer.accommodation : answer
}

/** A document of the type that was asked for; any other is the page of a proxy. */
const readFile =
  (type: string) =>
  async ({ response }: Opened): Promise<Blob> => {
    const answered = response.headers.get('content-type') ?? ''
    if (!answered.startsWith(type)) throw new Error(`the answer is ${answered}`)
    return response.blob()
  }

function searchExtras(call: Call): Extras['search'] {
  return { stream: (args, options = {}) => streamSearch(call, args, options) }
}

function operatorExtras(call: Call): Extras['operator'] {
  return {
    statementFile(args, options = {}) {
      const accept = 'text/csv'
      const { statements } = OPERATIONS.operator
      return call('operator.statements', statements, args, { ...options, accept }, readFile(accept))
    },
  }
}

const OPEN: readonly string[] = ['pending', 'submitting', 'in_doubt', 'cancelling'] satisfies Booking['status'][]
const LONGEST_LOOK_MS = 10_000
const USUAL_WAIT_MS = 60_000

function bookingExtras(call: Call, { booking }: Methods): Extras['booking'] {
  return {
    async checkRoom(room, options) {
      const uri = String(room.booking_info.price_check_uri ?? '')
      // Only the token is taken from it: a call goes to the service and nowhere else.
      const token = new URL(uri, 'http://localhost').searchParams.get('token')
      if (token === null) throw new TypeError('The room has no price_check_uri.')
      return booking.checkPrice({ token }, options)
    },
    async waitForOutcome({ booking_id, forMs = USUAL_WAIT_MS }, options = {}) {
      const until = performance.now() + forMs
      for (let waitMs = 1_000; ; waitMs = Math.min(LONGEST_LOOK_MS, waitMs * 1.5)) {
        const found = await booking.show({ booking_id }, options)
        if (!OPEN.includes(found.status) || performance.now() + waitMs > until) return found
        await pause(waitMs, options.signal)
      }
    },
    voucherFile({ type, ...args }, options = {}) {
      return call('booking.voucher', OPERATIONS.booking.voucher, args, { ...options, accept: type }, readFile(type))
    },
  }
}
