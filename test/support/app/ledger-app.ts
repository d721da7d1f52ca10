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
  readonly name: string
  readonly board: string
  readonly total_inclusive: number
  readonly currency: string
  readonly rooms_left: number | null
  readonly refundable: boolean
  readonly cancel_policy: { readonly cancelation: string; readonly penalties: readonly { amount: number }[] }
}
type Json = Readonly<Record<string, unknown>>

/** The whole application and the stand-in vendors in one process, with one manual clock. */
export type LedgerApp = TestApp & {
  readonly sandbox: Sandbox
  readonly token: string
  readonly otherToken: string
  /** Search of the last returned room. */
  readonly searchId: string
  /** Properties of that search, in its order. */
  readonly propertyIds: readonly string[]
  /** Returns a bookable room that no test has used yet, from a search that has not expired. */
  room(vendorId?: string): Promise<Room>
  book(body: Json, headers?: Record<string, string>, token?: string): Promise<LightMyRequestResponse>
  request(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Number of calls to the stand-ins since the application was opened. */
  calls(): Promise<number>
  ledger(): Promise<readonly LedgerEntry[]>
  faults(...faults: readonly Fault[]): Promise<void>
  noFaults(): Promise<void>
}

const COUNTED = 1_000_000_000
/** A fault without effect, whose countdown counts the calls to a stand-in. */
const COUNTER: Fault = { kind: 'latency', operation: '*', ms: 0, times: COUNTED }
const noLimit = { quota: 1e6, windowMs: 60_000 }
export const UNLIMITED = { account: noLimit, address: noLimit, signInsPerAddress: noLimit, signInsPerPair: noLimit }

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
  const roomStock = await createRoomStock(mine, clock.now)

  return {
    ...app,
    clock,
    sandbox,
    token,
    otherToken,
    get searchId() {
      return roomStock.search().searchId
    },
    get propertyIds() {
      return roomStock.search().propertyIds
    },
    room: roomStock.room,
    request: mine,
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
      // Closed first, because a fault may keep it hanging.
      await sandbox.close()
      await app.close()
    },
  }
}

type Send = (options: InjectOptions) => Promise<LightMyRequestResponse>

/** Vendors' offers live for ten minutes and more. */
const FRESH_MS = 5 * 60_000

async function createRoomStock(send: Send, now: () => number) {
  let search = await searchStays(send, now())
  let unseen = [...search.propertyIds]
  let stock: Room[] = []
  let spare: Room[] = []
  let searchedAt = now()
  return {
    search: () => search,
    async room(vendorId?: string): Promise<Room> {
      if (now() - searchedAt > FRESH_MS) {
        search = await searchStays(send, now())
        unseen = [...search.propertyIds]
        stock = []
        spare = []
        searchedAt = now()
      }
      for (;;) {
        const found = stock.find((room) => vendorId === undefined || room.vendor_id === vendorId)
        stock = stock.filter((room) => room !== found)
        if (found !== undefined) return found
        const propertyId = unseen.shift()
        if (propertyId === undefined) {
          if (spare.length === 0) throw new Error('every room has been used')
          stock.push(...spare.splice(0))
          continue
        }
        // Several tests may book rooms of one kind.
        const rooms = await fetchRooms(send, search.searchId, propertyId)
        stock.push(...rooms.filter(({ rooms_left: left }) => left !== null && left >= 5))
        // Rooms without a count may be the last: uses one and holds the others in reserve.
        const [room, ...others] = rooms.filter(({ rooms_left: left }) => left === null)
        if (room !== undefined) stock.push(room)
        spare.push(...others)
      }
    },
  }
}

async function searchStays(send: Send, now: number): Promise<{ searchId: string; propertyIds: string[] }> {
  const places = await send({ url: '/api/locations/search?starts_with=Zermatt' })
  const checkIn = addDays(dateIn('UTC', now), 40)
  const answer = await send({
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
  return { searchId, propertyIds: availability.map((property: { property_id: string }) => property.property_id) }
}

/** Of rates that differ only in price one is kept: to the service they are one room, which can be booked once. */
async function fetchRooms(send: Send, searchId: string, propertyId: string): Promise<Room[]> {
  const url = `/api/accommodation_searches/accommodation?search_id=${searchId}&property_id=${propertyId}&raw=true`
  const answer = await send({ url })
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
  const rooms: Room[] = answer.json().available_rooms
  return [...Map.groupBy(rooms, roomKey).values()].flatMap(([first]) => first ?? [])
}

function roomKey({ booking_info, vendor_id, name, board, refundable }: Room): string {
  const { price_check_uri: _, ...visible } = booking_info
  return JSON.stringify([vendor_id, name, board, refundable, visible])
}
