import { afterAll, beforeAll, expect, test } from 'vitest'
import { DifferenceResponse, ReconciliationResponse } from '../../../src/operator/schemas/reconciliation.ts'
import type { Database } from '../../../src/store/database.ts'
import { createHistoryReader } from '../../../src/store/history.ts'
import { ACCOUNT } from '../../support/app/app.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

const PATH = '/api/operator/reconciliation'
const LISTING = ['hotelbeds', 'liteapi']

let app: SearchApp
let database: Database
let operator: string
beforeAll(async () => {
  database = await openMigrated()
  app = await searchApp({}, { database })
  await searchUntilComplete(app)
  operator = await operatorToken(app)
})
afterAll(() => app.close())

type Body = { readonly guests: object[] }
async function book(
  vendorId: string,
): Promise<{ readonly body: Body; readonly key: string; readonly reference: string }> {
  const { search_id, availability } = await app.search({ vendors: [vendorId] })
  for (const { property_id } of availability.slice(0, 5)) {
    const [room] = (await app.detail(search_id, property_id)).json().accommodation.available_rooms
    const guests = [{ given_name: 'Ada', family_name: 'Lovelace', email: 'ada@guests.example' }]
    const body = { ...room?.booking_info, guests }
    const key = `lost ${vendorId}`
    const booked = await repeat(body, key)
    if (booked.statusCode === 201) return { body, key, reference: booked.json().data.reference }
  }
  throw new Error('Nothing could be booked.')
}
const repeat = (payload: Body, key: string) =>
  app.as(app.token, {
    ...{ method: 'POST', url: '/api/accommodation/book', payload },
    headers: { 'idempotency-key': key },
  })

const compare = async (body: object = {}) => {
  const answer = await app.as(operator, { method: 'POST', url: PATH, payload: { from: app.day(-1), ...body } })
  expectToMatch(ReconciliationResponse, answer.json())
  return answer.json().data
}
const carryOut = (order: object) =>
  app.as(operator, {
    ...{ method: 'POST', url: `${PATH}/carry_out` },
    payload: { from: app.day(-1), reason: 'The database was restored.', ...order },
  })
const accountId = async () => {
  const { data } = (await app.as(operator, { url: '/api/operator/accounts?limit=100' })).json()
  return data.find(({ email }: { email: string }) => email === ACCOUNT.email).id
}

test('bookings that the database lost are found at each vendor that lists them, and adopted until none is left', async () => {
  const made = await Promise.all(['expedia_rapid', ...LISTING].map(book))
  await database.write(async (tx) => {
    for (const table of ['booking_events', 'tasks', 'bookings'] as const) await tx.deleteFrom(table).execute()
  })
  await createHistoryReader(database, app.clock).markBehind()
  app.clock.advance(2_000)
  const attention = await app.as(operator, { url: '/api/operator/attention' })
  expect(attention.json().data).toMatchObject([{ kind: 'commits_lost', action: 'open_reconciliation' }])
  const markDone = { method: 'POST', payload: { reason: 'none' } } as const
  const marked = await app.as(operator, {
    ...markDone,
    url: `/api/operator/attention/${attention.json().data[0].id}/done`,
  })
  expect(marked.json()).toMatchObject({ code: 'not_possible' })

  const { vendors, differences, is_behind } = await compare()
  expect(is_behind).toBe(true)
  const byVendor = Object.fromEntries(vendors.map((row: { vendor_id: string }) => [row.vendor_id, row]))
  expect(byVendor).toMatchObject({
    expedia_rapid: { status: 'no_list', listed: 0 },
    hotelbeds: { status: 'listed', listed: 1 },
    liteapi: { status: 'listed', listed: 1 },
  })
  expect(differences.map((row: { reference: string }) => row.reference).sort()).toEqual(
    made
      .slice(1)
      .map(({ reference }) => reference)
      .sort(),
  )
  for (const difference of differences) {
    const { vendor_id, reference } = difference
    expect(difference).toMatchObject({ proposal: 'adopt', booking_id: null, vendor_status: 'confirmed' })
    const order = { vendor_id, reference, action: 'adopt' }
    expect((await carryOut(order)).json()).toMatchObject({ code: 'not_possible' })
    const adopted = await carryOut({ ...order, account_id: await accountId() })
    expect(adopted.statusCode, adopted.body).toBe(200)
    expectToMatch(DifferenceResponse, adopted.json())
  }
  const listed = await app.as(app.token, { url: '/api/accommodation/bookings' })
  expect(listed.json().data).toHaveLength(2)
  for (const booking of listed.json().data) {
    expect(booking).toMatchObject({ status: 'confirmed', property: { timezone: 'Europe/Zurich' } })
    expect(booking.property.property_id).not.toBe('')
  }

  // The vendor without a list is asked when the client repeats.
  for (const { body, key, reference } of made)
    expect((await repeat(body, key)).json().data).toMatchObject({ reference, status: 'confirmed' })
  const left = await compare()
  expect(left).toMatchObject({ is_behind: true, differences: [] })
  expect(Date.parse(left.repeats_end_at)).toBeGreaterThan(app.clock.now())
  expect(await compare({ end: true })).toMatchObject({ is_behind: false, repeats_end_at: null })
  expect((await app.as(operator, { url: '/api/operator/attention' })).json().data).toEqual([])
})

test('a wrong date and a client are refused', async () => {
  const wrong = await app.as(operator, { method: 'POST', url: PATH, payload: { from: 'yesterday' } })
  expect(wrong.statusCode).toBe(422)
  const client = await app.as(app.token, { method: 'POST', url: PATH, payload: { from: app.day(-1) } })
  expect(client.statusCode).toBe(403)
})
