import type { IncomingMessage } from 'node:http'
import type { StandInAnswer } from './answer-under-faults.ts'
import type { FaultPlan } from './fault-plan.ts'
import { FAULT_KINDS, type Fault } from './faults.ts'
import type { Ledger } from './ledger.ts'

/** Addresses of the stand-in that no vendor has: told faults, asked for the booking book. */
export const isControl = (url: URL): boolean => url.pathname.startsWith('/_sandbox/')

const json = (status: number, body: unknown): StandInAnswer => ({ status, body: JSON.stringify(body) })

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

export function answerControl(
  request: IncomingMessage,
  url: URL,
  body: unknown,
  faults: FaultPlan,
  ledger: Ledger,
): StandInAnswer {
  if (!LOOPBACK.test(request.socket.remoteAddress ?? '')) return json(403, { error: 'loopback only' })
  const what = `${request.method} ${url.pathname}`
  if (what === 'GET /_sandbox/ledger') return json(200, ledger.current())
  if (what === 'GET /_sandbox/faults') return json(200, faults.list())
  if (what === 'DELETE /_sandbox/faults') {
    faults.clear()
    return { status: 204, body: '' }
  }
  if (what !== 'POST /_sandbox/faults') return json(404, { error: 'unknown control' })
  const given = (Array.isArray(body) ? body : [body]).map(readFault)
  if (given.includes(undefined))
    return json(400, { error: `a fault has an operation and one of: ${FAULT_KINDS.join(', ')}` })
  for (const fault of given) if (fault !== undefined) faults.add(fault)
  return json(200, faults.list())
}

export function readFault(value: unknown): Fault | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { kind, operation, times, share, ms } = value as Readonly<Record<string, unknown>>
  const known = FAULT_KINDS.find((each) => each === kind)
  if (known === undefined || typeof operation !== 'string' || operation === '') return undefined
  const numbers = Object.entries({ times, share, ms }).filter(([, number]) => number !== undefined)
  if (numbers.some(([, number]) => typeof number !== 'number' || !(number >= 0))) return undefined
  return { kind: known, operation, ...Object.fromEntries(numbers) }
}
