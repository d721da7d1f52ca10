import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { answerUnderFaults, type StandInAnswer } from '../answer-under-faults.ts'
import { answerControl, isControl } from '../control.ts'
import { createFaultPlan, type FaultPlan } from '../fault-plan.ts'
import type { Ledger } from '../ledger.ts'
import type { Allotment, World } from '../world/contract.ts'
import type { Desk } from './answer-bookings.ts'
import { createLibrary } from './answer-content.ts'
import { refuseCaller } from './check-caller.ts'
import { createRateKeys } from './rate-key.ts'
import { objectIn } from './read-request.ts'
import { routeOf } from './route.ts'
import { auditOf, gatewayError, invalidRequest, refusal, writeDown } from './vendor-words.ts'

export type HotelbedsStandInOptions = {
  readonly world: World
  readonly allotment: Allotment
  readonly ledger: Ledger
  readonly clock: Clock
  readonly apiKey: string
  readonly secret: string
  /** What the account is billed in; there is no asking for another currency. */
  readonly accountCurrency: string
  readonly faults?: FaultPlan
}

export type HotelbedsStandIn = {
  /** Binds to loopback; to any free port when none is given. */
  listen(port?: number): Promise<{ readonly origin: string }>
  close(): Promise<void>
  readonly faults: FaultPlan
  readonly ledger: Ledger
  /** Calls that arrived, by the adapter's operation names. */
  calls(): Readonly<Record<string, number>>
}

const BODY_MAX_BYTES = 2 * 1024 * 1024

/** Hotelbeds as far as a client can tell, over the synthetic world. */
export function createHotelbedsStandIn(options: HotelbedsStandInOptions): HotelbedsStandIn {
  const { clock, world, allotment, ledger } = options
  const faults = options.faults ?? createFaultPlan(1)
  const keys = createRateKeys(options.secret)
  const desk: Desk = { world, allotment, ledger, keys, currency: options.accountCurrency }
  const library = createLibrary(world)
  const counts = new Map<string, number>()
  let served = 0

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://sandbox.invalid')
    const method = incoming.method ?? 'GET'
    const body = parse(await readBody(incoming))
    served += 1
    const audit = auditOf(clock.now(), served)
    const exchange = {
      response,
      gzip: /\bgzip\b/.test(String(incoming.headers['accept-encoding'] ?? '')),
      unwell: writeDown(refusal(500, 'SYSTEM_ERROR', 'Internal server error'), audit),
      throttled: gatewayError(429, 'Rate limit exceeded'),
    }
    if (isControl(url)) {
      const work = () => answerControl(incoming, url, body, faults, ledger)
      return answerUnderFaults({ ...exchange, faults: [], work })
    }
    const route = routeOf(desk, library, { method, url, body: objectIn(body) })
    const operation = route?.operation ?? 'unknown'
    counts.set(operation, (counts.get(operation) ?? 0) + 1)
    const due = faults.next(operation)
    const work = (): StandInAnswer => {
      const refused = refuseCaller(incoming.headers, method, options, clock.now())
      if (refused !== undefined) return refused
      if (route === undefined) return gatewayError(596, 'Service Not Found')
      if (method === 'POST' && body === undefined) return writeDown(invalidRequest('Unrecognized token'), audit)
      return writeDown(route.work(due, clock.now()), audit)
    }
    return answerUnderFaults({ ...exchange, faults: due, work })
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // A defect of the stand-in itself must be seen, not mistaken for a vendor's fault.
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: `stand-in broken: ${String(error)}` }))
    })
  })
  return {
    listen: (port = 0) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', () => {
          resolve({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    faults,
    ledger,
    calls: () => Object.fromEntries(counts),
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += chunk.length
    if (size > BODY_MAX_BYTES) throw new Error('a request too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
