import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ApiClient,
  addAccounts,
  collectOffers,
  createApiClient,
  fetchToken,
  type ListedBooking,
  type Offer,
} from '../../chaos/crash/api-client.ts'
import type { BookingChange } from '../../sandbox/server/booking-changes.ts'
import { STAND_IN_IDS } from '../../sandbox/stand-ins.ts'
import { openConfigured } from '../../src/compose/database.ts'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/store/database.ts'
import { freePort } from '../support/servers/postgres.ts'
import { openStage, type ServerProcess, type Stage, sleep, startServer } from '../support/servers/server-process.ts'

const FOUND: Partial<Record<BookingChange, readonly [code: string, status: string]>> = {
  cancel: ['cancelled_by_vendor', 'cancelled'],
  other_hotel: ['property_differs', 'needs_review'],
  other_dates: ['dates_differ', 'needs_review'],
  reprice: ['price_differs', 'confirmed'],
  vanish: ['not_found', 'needs_review'],
}
const CHANGES = Object.keys(FOUND) as BookingChange[]
const HOUR_MS = 3_600_000

let stage: Stage
let server: ServerProcess
let database: Database
let client: ApiClient
let env: Record<string, string>
let port: number
beforeAll(async () => {
  stage = await openStage('readings')
  env = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir, SERAI_READINGS_PER_MINUTE: '6000' }
  await addAccounts(env)
  port = await freePort()
  server = await startServer({ dataDir: stage.dataDir, port, env })
  client = createApiClient(server.url, await fetchToken(server.url))
  database = openConfigured(readConfig({ ...env, NODE_ENV: 'development' }))
})
afterAll(async () => {
  await database.close()
  await server.stop()
  await stage.close()
})

/** Makes all readings due and all absences two hours old. */
async function letTimePass(): Promise<void> {
  const absentSince = Date.now() - 2 * HOUR_MS
  await database.write(async (tx) => {
    await tx.updateTable('tasks').set({ due_at: 0 }).where('kind', '=', 'read').execute()
    const absent = tx
      .updateTable('tasks')
      .set({ payload: String(absentSince) })
      .where('kind', '=', 'read')
    await absent.where('payload', 'is not', null).execute()
  })
}

test('the server finds silent changes of vendors over real HTTP, even after a crash', async () => {
  const offers = await collectOffers(client, 120)
  // A test that is run again ignores the bookings of its first run.
  const earlier = new Set((await client.bookings()).map(({ booking_id }) => booking_id))
  const listBookings = async () => (await client.bookings()).filter(({ booking_id }) => !earlier.has(booking_id))
  const changed = new Map<string, BookingChange>()
  for (const vendorId of STAND_IN_IDS) {
    const own = offers.filter((offer) => offer.vendorId === vendorId)
    for (const change of CHANGES) {
      const { id, reference } = await bookOne(own)
      await stage.sandbox.control[vendorId].changeBooking(reference, change)
      changed.set(id, change)
    }
    // One booking stays unchanged.
    await bookOne(own)
  }

  // The server dies before its first reading.
  await server.kill()
  await letTimePass()
  server = await startServer({ dataDir: stage.dataDir, port, env })
  await waitUntil(async () => (await listAbsent()).filter((id) => changed.has(id)).length === STAND_IN_IDS.length)
  await letTimePass()
  await waitUntil(async () => (await listBookings()).filter(hasDiscrepancies).length === changed.size)

  for (const { booking_id: id, status, discrepancies = [] } of await listBookings()) {
    const change = changed.get(id)
    const [code, state] = (change && FOUND[change]) ?? [undefined, 'confirmed']
    const codes = discrepancies.map((discrepancy) => discrepancy.code)
    expect({ id, change, status }).toEqual({ id, change, status: state })
    if (code === undefined) expect({ id, codes }).toEqual({ id, codes: [] })
    else expect(codes, change).toContain(code)
  }
}, 120_000)

const hasDiscrepancies = ({ discrepancies = [] }: ListedBooking) => discrepancies.length > 0

/** Ids of the bookings that a reading did not find. */
async function listAbsent(): Promise<string[]> {
  const tasks = database.read.selectFrom('tasks').select('subject').where('kind', '=', 'read')
  return (await tasks.where('payload', 'is not', null).execute()).map(({ subject }) => subject)
}

/** Books the first available offer and removes it from the list. */
async function bookOne(offers: Offer[]): Promise<{ id: string; reference: string }> {
  for (let offer = offers.shift(); offer !== undefined; offer = offers.shift()) {
    const answer = await client.book(offer.info, randomUUID())
    if (answer.status !== 201) continue
    const { booking_id: id, reference } = JSON.parse(answer.text).data
    return { id, reference }
  }
  throw new Error('nothing could be booked')
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isDone()) return
    await sleep(200)
  }
  throw new Error('the condition was not met within 60 s')
}
