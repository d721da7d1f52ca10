import type { IncomingMessage } from 'node:http'
import type { StandInAnswer } from './answer-under-faults.ts'
import { BOOKING_CHANGES, type BookingChange } from './booking-changes.ts'
import type { FaultPlan } from './fault-plan.ts'
import { FAULT_KINDS, type Fault } from './faults.ts'
import type { Ledger, LedgerEntry } from './ledger.ts'
import { objectIn } from './read-json.ts'
import { type PartialSettings, parseSettings, type StandInSettings } from './settings.ts'
import type { StandInRequest } from './stand-in.ts'

/** Controls of one stand-in, for tests and operators. */
export type VendorControl = {
  addFaults(...faults: readonly Fault[]): Promise<void>
  clearFaults(): Promise<void>
  faults(): Promise<readonly Fault[]>
  /** Current state of each booking in the stand-in's own ledger. */
  ledger(): Promise<readonly LedgerEntry[]>
  change(settings: PartialSettings): Promise<void>
  /** Makes the vendor silently change the booking with our reference. */
  changeBooking(reference: string, change: BookingChange): Promise<void>
}

export type Controlled = {
  readonly faults: FaultPlan
  readonly ledger: Ledger
  readonly settings: StandInSettings
  /** Changes a booking without a request of ours. Returns false if the booking does not exist. */
  changeBooking(reference: string, change: BookingChange): boolean
}

/** Controls of a stand-in in this process. */
export const localControl = ({ faults, ledger, settings, changeBooking }: Controlled): VendorControl => ({
  async addFaults(...added) {
    for (const fault of added) faults.add(fault)
  },
  async clearFaults() {
    faults.clear()
  },
  faults: async () => faults.list(),
  ledger: async () => ledger.current(),
  async change(given) {
    Object.assign(settings, given)
  },
  async changeBooking(reference, change) {
    if (!changeBooking(reference, change)) throw new Error(`booking ${reference} does not exist or cannot be changed`)
  },
})

/** Paths that no vendor has: they set faults and settings, and read the ledger, from another process. */
export const isControl = (url: URL): boolean => url.pathname.startsWith('/_sandbox/')

export const jsonAnswer = (status: number, body: unknown): StandInAnswer => ({ status, body: JSON.stringify(body) })

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** The answer to a control request from another machine; undefined for one from this machine. */
export function refuseRemote({ socket }: IncomingMessage): StandInAnswer | undefined {
  if (LOOPBACK.test(socket.remoteAddress ?? '')) return undefined
  return jsonAnswer(403, { error: 'control paths accept only loopback connections' })
}

export function answerControl(
  incoming: IncomingMessage,
  { method, url, body }: StandInRequest,
  { faults, ledger, settings, changeBooking }: Controlled,
): StandInAnswer {
  const refused = refuseRemote(incoming)
  if (refused !== undefined) return refused
  switch (`${method} ${url.pathname}`) {
    case 'GET /_sandbox/ledger':
      return jsonAnswer(200, ledger.current())
    case 'GET /_sandbox/settings':
      return jsonAnswer(200, settings)
    case 'PUT /_sandbox/settings':
      return changeSettings(body, settings)
    case 'POST /_sandbox/bookings':
      return handleBookingChange(body, changeBooking)
    case 'GET /_sandbox/faults':
      return jsonAnswer(200, faults.list())
    case 'DELETE /_sandbox/faults':
      faults.clear()
      return { status: 204, body: '' }
    case 'POST /_sandbox/faults':
      return addFaults(body, faults)
    default:
      return jsonAnswer(404, { error: 'unknown control path' })
  }
}

function handleBookingChange(body: unknown, changeBooking: Controlled['changeBooking']): StandInAnswer {
  const { reference, change } = objectIn(body)
  const known = BOOKING_CHANGES.find((each) => each === change)
  if (known === undefined || typeof reference !== 'string') {
    return jsonAnswer(400, { error: `"reference" must be a string and "change" one of: ${BOOKING_CHANGES.join(', ')}` })
  }
  return changeBooking(reference, known) ? { status: 204, body: '' } : jsonAnswer(404, { error: 'no such booking' })
}

export function changeSettings(body: unknown, settings: Record<string, number>): StandInAnswer {
  const names = Object.keys(settings)
  const given = parseSettings(body, names)
  if (given === undefined)
    return jsonAnswer(400, { error: `settings must be numbers of at least 0, named: ${names.join(', ')}` })
  return jsonAnswer(200, Object.assign(settings, given))
}

export function addFaults(body: unknown, faults: FaultPlan): StandInAnswer {
  const given = Array.isArray(body) ? body : [body]
  const read = given.flatMap((value) => readFault(value) ?? [])
  if (read.length < given.length) {
    return jsonAnswer(400, { error: `a fault needs an "operation" and a "kind" of: ${FAULT_KINDS.join(', ')}` })
  }
  for (const fault of read) faults.add(fault)
  return jsonAnswer(200, faults.list())
}

function readFault(value: unknown): Fault | undefined {
  const { kind, operation, times, after, share, ms } = objectIn(value)
  const known = FAULT_KINDS.find((each) => each === kind)
  if (known === undefined || typeof operation !== 'string' || operation === '') return undefined
  const numbers = Object.entries({ times, after, share, ms }).filter(([, number]) => number !== undefined)
  if (numbers.some(([, number]) => typeof number !== 'number' || !(number >= 0))) return undefined
  return { kind: known, operation, ...Object.fromEntries(numbers) }
}
