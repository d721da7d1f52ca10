import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { World } from '../world/contract.ts'
import { createVendorWorld } from '../world/vendor-view/vendor-view.ts'
import { answerUnderFaults } from './answer-under-faults.ts'
import type { BookingChange } from './booking-changes.ts'
import { answerControl, type Controlled, isControl } from './control.ts'
import { createFaultPlan, type FaultPlan, findFault } from './fault-plan.ts'
import type { Fault } from './faults.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { closeServer, listenOnLoopback } from './listen.ts'
import { DEFAULT_SETTINGS, type PartialSettings, type StandInSettings } from './settings.ts'
import type { Handler, StandIn, StandInParts, StandInRequest } from './stand-in.ts'

type StandInServer = Controlled & {
  /** Listens on a free loopback port. */
  listen(): Promise<{ readonly origin: string }>
  close(): Promise<void>
  /** Number of calls by adapter operation. */
  calls(): Readonly<Record<string, number>>
}

export type ServeOptions = Pick<StandInParts, 'allotment' | 'clock' | 'pictureBase'> & {
  readonly world: World
  readonly ledger?: Ledger
  readonly faults?: FaultPlan
  readonly settings?: PartialSettings
}

const BODY_MAX_BYTES = 2 * 1024 * 1024
const THROTTLED_MS = 1_000

/** HTTP server of one stand-in: reads requests, applies faults, counts calls and answers control requests. */
export function serveStandIn(standIn: StandIn, options: ServeOptions): StandInServer {
  const { clock, ledger = createLedger(), faults = createFaultPlan(1) } = options
  const settings: StandInSettings = { ...DEFAULT_SETTINGS, ...standIn.settings, ...options.settings }
  const handler = standIn.create({ ...options, ledger, settings, world: createVendorWorld(standIn, options.world) })
  const counts = new Map<string, number>()
  const limiter = createLimiter()

  function changeBooking(reference: string, change: BookingChange): boolean {
    const lines = ledger.current().filter((line) => line.ourReference === reference)
    const changed = lines.length === 0 ? [] : (handler.change?.(lines, change) ?? [])
    for (const line of changed) ledger.append(line)
    return changed.length > 0
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    const gzip = /\bgzip\b/.test(String(incoming.headers['accept-encoding'] ?? ''))
    if (!isDecodable(request.url)) return void response.writeHead(400).end()
    if (isControl(request.url)) {
      const work = () => answerControl(incoming, request, { faults, ledger, settings, changeBooking })
      return answerUnderFaults({ response, gzip, ...failureAnswers(handler, clock.now(), 0), faults: [], work })
    }
    const route = handler.route(request)
    counts.set(route.operation, (counts.get(route.operation) ?? 0) + 1)
    const isOverLimit = limiter.isOver(settings.callsPerSecond, clock.now())
    const due = [...faults.next(route.operation), ...(isOverLimit ? [OVER_LIMIT] : [])]
    const throttledMs = findFault(due, 'throttle')?.ms ?? THROTTLED_MS
    const work = () => route.work(due, clock.now())
    return answerUnderFaults({
      response,
      gzip,
      ...failureAnswers(handler, clock.now(), throttledMs),
      faults: due,
      work,
    })
  }

  const server = createServer((incoming, response) => {
    // The stand-in's own clock; adapters may compare it with ours.
    response.setHeader('date', new Date(clock.now()).toUTCString())
    answer(incoming, response).catch((error: unknown) => {
      // A bug in the stand-in must be visible, not look like a vendor fault.
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: `stand-in failed: ${String(error)}` }))
    })
  })
  return {
    listen: () => listenOnLoopback(server),
    close: () => closeServer(server),
    faults,
    ledger,
    settings,
    changeBooking,
    calls: () => Object.fromEntries(counts),
  }
}

const OVER_LIMIT: Fault = { kind: 'throttle', operation: '*' }

/** Counts the calls of the last second. Rejected calls do not count. */
function createLimiter() {
  let accepted: number[] = []
  return {
    isOver(limit: number, now: number): boolean {
      accepted = accepted.filter((at) => at > now - 1_000)
      if (limit > 0 && accepted.length >= limit) return true
      accepted.push(now)
      return false
    },
  }
}

const failureAnswers = (handler: Handler, now: number, throttledMs: number) => ({
  unavailable: handler.unavailable(now),
  throttled: handler.throttled(now + throttledMs),
})

/** Like a web server, rejects a path with a broken escape before the vendor's code sees it. */
function isDecodable({ pathname }: URL): boolean {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false
  }
}

async function readRequest(incoming: IncomingMessage): Promise<StandInRequest> {
  const { headers, method = 'GET' } = incoming
  const url = new URL(incoming.url ?? '/', `http://${headers.host ?? '127.0.0.1'}`)
  return { method, url, headers, body: await readJson(incoming) }
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += chunk.length
    if (size <= BODY_MAX_BYTES) chunks.push(chunk)
  }
  try {
    return size > BODY_MAX_BYTES ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
