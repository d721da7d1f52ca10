import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { answerUnderFaults, type StandInAnswer } from '../answer-under-faults.ts'
import { answerControl, isControl } from '../control.ts'
import { createFaultPlan, type FaultPlan, faultOf } from '../fault-plan.ts'
import type { Fault } from '../faults.ts'
import type { Ledger } from '../ledger.ts'
import type { Allotment, World } from '../world/contract.ts'
import { answerContent, answerRegions } from './answer-content.ts'
import { answerAvailability, answerPriceCheck } from './answer-shop.ts'
import { refuseCaller } from './check-caller.ts'
import { answerBook, answerCancel, answerFind, answerRetrieve } from './itineraries.ts'
import { rememberRates } from './remember-rates.ts'
import { createTokens } from './tokens.ts'
import { flatError, internalError, throttled } from './vendor-words.ts'

export type RapidStandInOptions = {
  readonly world: World
  readonly allotment: Allotment
  readonly ledger: Ledger
  readonly clock: Clock
  readonly apiKey: string
  readonly sharedSecret: string
  readonly pictureBase: string
  readonly faults?: FaultPlan
}

export type RapidStandIn = {
  /** Port 0, or none, takes a free one. Loopback only. */
  listen(port?: number): Promise<{ origin: string }>
  close(): Promise<void>
  readonly faults: FaultPlan
  readonly ledger: Ledger
  /** Calls that arrived, by the adapter's operation names. */
  calls(): Readonly<Record<string, number>>
}

/** Rapid on loopback: its wire format, its checks and its words, over the synthetic world. */
export function createRapidStandIn(options: RapidStandInOptions): RapidStandIn {
  const { clock, ledger } = options
  const faults = options.faults ?? createFaultPlan(1)
  const counts = new Map<string, number>()
  let origin = 'http://127.0.0.1'
  const world = rememberRates(options.world)
  const deps = { ...options, world, tokens: createTokens(options.sharedSecret, clock), origin: () => origin }

  function work(route: Route, request: IncomingMessage, url: URL, body: unknown, due: readonly Fault[]): StandInAnswer {
    const refusal = refuseCaller(request.headers, options, clock.now(), route.needsCustomerIp)
    if (refusal !== undefined) return refusal
    const test = String(request.headers.test ?? '')
    const query = url.searchParams
    switch (route.operation) {
      case 'availability':
      case 'rooms':
        return answerAvailability(deps, query, test, due)
      case 'price_check':
        return answerPriceCheck(deps, query, test, due)
      case 'book':
        return answerBook(deps, query, body, test, due)
      case 'find':
        return answerFind(deps, query, test)
      case 'retrieve':
        return answerRetrieve(deps, route.id, query, test)
      case 'cancel':
        return answerCancel(deps, query, test)
      case 'content':
        return answerContent(deps, query, due)
      case 'regions':
        return answerRegions(deps, query)
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    const body = await readBody(request)
    const gzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    const now = clock.now()
    const plain = { response, faults: [], gzip, unwell: internalError, throttled: throttled(now) }
    if (isControl(url))
      return answerUnderFaults({ ...plain, work: () => answerControl(request, url, body, faults, ledger) })
    const route = routeOf(request.method ?? '', url)
    if (route === undefined) {
      return answerUnderFaults({ ...plain, work: () => flatError(404, 'resource_not_found', 'No such resource.') })
    }
    counts.set(route.operation, (counts.get(route.operation) ?? 0) + 1)
    const due = faults.next(route.operation)
    return answerUnderFaults({
      ...plain,
      faults: due,
      throttled: throttled(now + (faultOf(due, 'throttle')?.ms ?? 1_000)),
      work: () => quota(work(route, request, url, body, due), now),
    })
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A fault of the stand-in itself must be seen, not mistaken for a vendor's.
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ type: 'stand_in_broken', message: String(error) }))
    })
  })

  return {
    faults,
    ledger,
    calls: () => Object.fromEntries(counts),
    listen: (port = 0) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', () => {
          origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
          resolve({ origin })
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Percentages left and the epoch of the reset, on every answer that does not set its own. */
function quota(answer: StandInAnswer, now: number): StandInAnswer {
  const reset = String(now - (now % 60_000) + 60_000)
  const headers = {
    'rate-limit-minute-remaining': '98',
    'rate-limit-minute-reset': reset,
    'rate-limit-day-remaining': '97',
    region: 'us-west-2',
  }
  return { ...answer, headers: { ...headers, ...answer.headers } }
}

type Operation =
  | 'availability'
  | 'rooms'
  | 'price_check'
  | 'book'
  | 'find'
  | 'retrieve'
  | 'cancel'
  | 'content'
  | 'regions'
type Route = { readonly operation: Operation; readonly id: string; readonly needsCustomerIp: boolean }

function routeOf(method: string, { pathname, searchParams }: URL): Route | undefined {
  const [version, kind, id = '', third, , fifth] = pathname.slice(1).split('/')
  const depth = pathname.slice(1).split('/').length
  const route = (operation: Operation, needsCustomerIp = false): Route => ({ operation, id, needsCustomerIp })
  if (version !== 'v3') return undefined
  if (kind === 'properties' && method === 'GET') {
    if (id === 'content' && depth === 3) return route('content')
    if (id === 'availability' && depth === 3) return route(isDetail(searchParams) ? 'rooms' : 'availability')
    return third === 'rooms' && fifth === 'rates' && depth === 7 ? route('price_check') : undefined
  }
  if (kind === 'regions' && method === 'GET' && depth === 2) return route('regions')
  if (kind !== 'itineraries') return undefined
  if (depth === 2 && (method === 'GET' || method === 'POST')) return route(method === 'GET' ? 'find' : 'book', true)
  if (depth === 3 && method === 'GET') return route('retrieve', true)
  return depth === 5 && third === 'rooms' && method === 'DELETE' ? route('cancel', true) : undefined
}

/** Rapid has one address for both; whoever asks one house for many rates is looking at its rooms. */
const isDetail = (query: URLSearchParams): boolean =>
  query.getAll('property_id').length === 1 && Number(query.get('rate_plan_count')) > 1

const BODY_MAX = 1024 * 1024

/** Parsed JSON, or undefined when there is none. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= BODY_MAX) chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
