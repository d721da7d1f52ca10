import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Fault } from '../../../sandbox/server/faults.ts'
import type { LedgerEntry } from '../../../sandbox/server/ledger.ts'
import type { Sandbox } from '../../../sandbox/start-sandbox.ts'
import { startSandbox } from '../../../sandbox/start-sandbox.ts'
import type { Overrides } from '../../../src/compose/core.ts'
import type { Config } from '../../../src/config.ts'
import { addDays, dateIn } from '../../../src/lib/time/plain-date.ts'
import { aPlace } from '../sandbox/places.ts'
import { manualClock } from '../time/clock.ts'
import { OTHER_ACCOUNT, type TestApp, testApp, testLocations } from './app.ts'

export type Room = {
  readonly booking_info: Readonly<Record<string, string>>
  readonly vendor_id: string
  readonly total_inclusive: number
  readonly currency: string
  readonly rooms_left: number | null
  readonly refundable: boolean
  readonly cancel_policy: { readonly cancelation: string; readonly penalties: readonly { amount: number }[] }
}
type Json = Readonly<Record<string, unknown>>

/** The whole application with the vendors' stand-ins beside it in this process, all on one clock that can be turned. */
export type LedgerApp = TestApp & {
  readonly sandbox: Sandbox
  readonly token: string
  readonly otherToken: string
  /** The search that the last room came from. */
  readonly searchId: string
  /** Properties of that search, in its order. */
  readonly propertyIds: readonly string[]
  /** A bookable room that no test has had yet; fresh, however far the clock was turned. */
  room(vendorId?: string): Promise<Room>
  book(body: Json, headers?: Record<string, string>, token?: string): Promise<LightMyRequestResponse>
  mine(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Calls that the stand-ins have had since the application was opened. */
  calls(): Promise<number>
  ledger(): Promise<readonly LedgerEntry[]>
  faults(...faults: readonly Fault[]): Promise<void>
  noFaults(): Promise<void>
}

const COUNTED = 1_000_000_000
/** A fault that does nothing but count down: the stand-ins' own word on how often they were asked. */
const COUNTER: Fault = { kind: 'latency', operation: '*', ms: 0, times: COUNTED }
const much = { quota: 1e6, windowMs: 60_000 }
export const UNLIMITED = { account: much, address: much, signInsPerAddress: much, signInsPerPair: much }

export async function ledgerApp(settings: Partial<Config> = {}, overrides: Overrides = {}): Promise<LedgerApp> {
  const clock = manualClock()
  const sandbox = await startSandbox({
    places: [aPlace('Zermatt'), aPlace('Nice')],
    pictureBase: 'http://127.0.0.1:1/sandbox/pictures',
    clock,
  })
  const controls = Object.values(sandbox.control)
  const vendorEnvironment = Promise.resolve(sandbox.environment)
  const app = await testApp(
    { allowances: UNLIMITED, tokenTtlMs: 10 * 365 * 86_400_000, ...settings },
    { clock, vendorEnvironment, locations: testLocations(), ...overrides },
  )
  const [token, otherToken] = [await app.signIn(), await app.signIn(OTHER_ACCOUNT)]
  const mine = (options: InjectOptions) => app.as(token, options)
  for (const control of controls) await control.addFaults(COUNTER)
  const shelf = await openShelf(mine, clock.now)

  return {
    ...app,
    clock,
    sandbox,
    token,
    otherToken,
    get searchId() {
      return shelf.search().searchId
    },
    get propertyIds() {
      return shelf.search().propertyIds
    },
    room: shelf.room,
    mine,
    book: (body, headers = {}, as = token) =>
      app.as(as, { method: 'POST', url: '/api/accommodation/book', payload: body, headers }),
    async calls() {
      const left = (await Promise.all(controls.map((control) => control.faults()))).map(
        (faults) => faults.find(({ kind, ms }) => kind === 'latency' && ms === 0)?.times ?? 0,
      )
      return left.reduce((sum, times) => sum + COUNTED - times, 0)
    },
    ledger: async () => (await Promise.all(controls.map((control) => control.ledger()))).flat(),
    async faults(...faults) {
      for (const control of controls) await control.addFaults(...faults)
    },
    async noFaults() {
      for (const control of controls) {
        await control.clearFaults()
        await control.addFaults(COUNTER)
      }
    },
    async close() {
      // First, so that nobody waits for a stand-in that was told to hang.
      await sandbox.close()
      await app.close()
    },
  }
}

type Ask = (options: InjectOptions) => Promise<LightMyRequestResponse>

/** Vendors' offers live for ten minutes and more. */
const FRESH_MS = 5 * 60_000

async function openShelf(ask: Ask, now: () => number) {
  let search = await searchStays(ask, now())
  let unseen = [...search.propertyIds]
  let stock: Room[] = []
  let spare: Room[] = []
  let at = now()
  return {
    search: () => search,
    async room(vendorId?: string): Promise<Room> {
      if (now() - at > FRESH_MS) {
        search = await searchStays(ask, now())
        unseen = [...search.propertyIds]
        stock = []
        spare = []
        at = now()
      }
      for (;;) {
        const found = stock.find((one) => vendorId === undefined || one.vendor_id === vendorId)
        stock = stock.filter((one) => one !== found)
        if (found !== undefined) return found
        const propertyId = unseen.shift()
        if (propertyId === undefined) {
          if (spare.length === 0) throw new Error('every room has been had')
          stock.push(...spare.splice(0))
          continue
        }
        // Several tests may get rooms of one kind: there must be enough of it.
        const rooms = await roomsOf(ask, search.searchId, propertyId)
        stock.push(...rooms.filter(({ rooms_left: left }) => left !== null && left >= 5))
        // Of a vendor that does not count them, one; the others only when nothing else is left.
        const [one, ...others] = rooms.filter(({ rooms_left: left }) => left === null)
        if (one !== undefined) stock.push(one)
        spare.push(...others)
      }
    },
  }
}

async function searchStays(ask: Ask, now: number): Promise<{ searchId: string; propertyIds: string[] }> {
  const places = await ask({ url: '/api/locations/search?starts_with=Zermatt' })
  const checkIn = addDays(dateIn('UTC', now), 40)
  const answer = await ask({
    method: 'POST',
    url: '/api/accommodation_searches/search',
    payload: {
      destination_id: places.json().data[0].id,
      check_in: checkIn,
      check_out: addDays(checkIn, 2),
      occupancies: [{ adults: 2 }],
      currency: 'EUR',
      timeout_ms: 15_000,
    },
  })
  if (answer.statusCode !== 200) throw new Error(`the search answered ${answer.statusCode}: ${answer.body}`)
  const { search_id: searchId, availability } = answer.json().data
  return { searchId, propertyIds: availability.map((one: { property_id: string }) => one.property_id) }
}

async function roomsOf(ask: Ask, searchId: string, propertyId: string): Promise<Room[]> {
  const url = `/api/accommodation_searches/accommodation?search_id=${searchId}&property_id=${propertyId}&raw=true`
  const answer = await ask({ url })
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
  return answer.json().available_rooms
}
