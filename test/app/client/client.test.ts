import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient, SeraiError, signInWith } from '../../../packages/client/src/index.ts'
import { createOperatorClient } from '../../../packages/client/src/operator.ts'
import { addDays, dateIn } from '../../../src/lib/time/plain-date.ts'
import { ACCOUNT } from '../../support/app/app.ts'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'

const ROOT = join(import.meta.dirname, '../../..')
const GUESTS = [{ given_name: 'Ana', family_name: 'Costa' }]

let app: LedgerApp
let url: string
let client: Client
beforeAll(async () => {
  app = await ledgerApp()
  url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  client = createClient({ baseUrl: url, ...signInWith(ACCOUNT, { baseUrl: url }) })
})
afterAll(() => app.close())

const stay = () => {
  const check_in = addDays(dateIn('UTC', app.clock.now()), 40)
  return {
    check_in,
    check_out: addDays(check_in, 2),
    occupancies: [{ adults: 2 }],
    currency: 'EUR',
    timeout_ms: 15_000,
  }
}
async function destination(): Promise<string> {
  const [place] = (await client.locations.search({ starts_with: 'zermatt', limit: 1 })).data
  return place?.id ?? ''
}

test('the generated types and the table of operations match the API', { timeout: 90_000 }, async () => {
  const written = await promisify(execFile)(process.execPath, ['scripts/write-client.ts', '--check'], {
    cwd: ROOT,
  }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
  expect(written).toBe('')
})

test('the clients have one method for every operation that clients and operators may call', async () => {
  const { paths } = (await app.call({ url: '/openapi.json' })).json()
  const operations = Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
    Object.values(methods),
  )
  const ids = operations.map(({ operationId }) => operationId).filter((id) => !id.startsWith('vendor'))
  const missing = (from: Client) =>
    ids.filter((id) => {
      const [, group = '', name = ''] = /^([a-z]+)(.)/.exec(id) ?? []
      const method = `${name.toLowerCase()}${id.slice(group.length + 1)}`
      return typeof Object(Object(from)[group])[method] !== 'function'
    })
  const ofOperators = ids.filter((id) => id.startsWith('operator'))
  expect(ofOperators.length).toBeGreaterThan(20)
  expect(ids.length - ofOperators.length).toBeGreaterThan(20)
  expect(missing(client)).toEqual(ofOperators)
  expect(missing(createOperatorClient({ baseUrl: url }))).toEqual([])
})

describe('the client against the service', () => {
  test('a search is followed through to exactly one booking, which is then cancelled', async () => {
    const before = (await app.ledger()).length
    const found = await client.search.create({ destination_id: await destination(), ...stay() })
    const [first] = found.availability
    const property = await client.search.detail({
      search_id: found.search_id,
      property_id: first?.property_id ?? '',
    })
    const room = property.available_rooms.find(({ refundable }) => refundable) ?? property.available_rooms[0]
    if (room === undefined) throw new Error('The property has no room.')
    const checked = await client.booking.checkRoom(room)
    expect(checked.status).toBe('matched')
    const order = { ...checked.room?.booking_info, terms_digest: checked.terms_digest, guests: GUESTS }
    // Simulates a caller that crashed: the same order concurrently, then once more.
    const all = await Promise.all([1, 2, 3].map(() => client.booking.create(order, { retries: 5 })))
    const again = await client.booking.create(order)
    expect(new Set([...all, again].map(({ booking_id }) => booking_id)).size).toBe(1)
    expect(again).toMatchObject({ status: 'confirmed', guests: GUESTS, simulated: false })
    expect((await app.ledger()).length - before).toBe(1)

    const { booking_id } = again
    const shown = await client.booking.waitForOutcome({ booking_id })
    expect(shown.events?.map(({ type }) => type)).toContain('booking.confirmed')
    const pdf = await client.booking.voucherFile({ booking_id, type: 'application/pdf' })
    expect(new TextDecoder().decode((await pdf.arrayBuffer()).slice(0, 5))).toBe('%PDF-')

    const cost = await client.booking.cancel({ booking_id, preview: true })
    expect(cost).toMatchObject({ preview: true, status: 'confirmed' })
    expect(await client.booking.cancel({ booking_id })).toMatchObject({ status: 'cancelled', penalty: cost.penalty })
    const mine = (await app.ledger()).filter(({ ourReference }) => ourReference === shown.reference)
    expect(mine.map(({ status }) => status)).toEqual(['cancelled'])
  })

  test('a streamed search adds up to the blocking response', async () => {
    const request = { destination_id: await destination(), ...stay() }
    const blocking = await client.search.create(request)
    const seen = new Set<string>()
    for await (const event of client.search.stream(request)) {
      if (event.type === 'vendor') seen.add(event.vendor.vendor_id)
      if (event.type !== 'done') continue
      const { search_id: _a, created_at: _b, expires_at: _c, vendors, ...streamed } = event.search
      const { search_id: _d, created_at: _e, expires_at: _f, vendors: asked, ...whole } = blocking
      expect(streamed).toEqual(whole)
      expect([...seen].sort()).toEqual(vendors.map(({ vendor_id }) => vendor_id).sort())
      expect(asked.length).toBe(vendors.length)
    }
    expect(seen.size).toBeGreaterThan(1)
  })

  test('a changed price is an error with the new room, whose offer can be booked', async () => {
    const order = { offer: 'any', guests: GUESTS }
    const error = await client.booking.create(order, { simulate: 'price_changed' }).catch((caught: unknown) => caught)
    if (!(error instanceof SeraiError)) throw error
    expect(error).toMatchObject({ status: 409, code: 'price_changed', retryable: false })
    const { room, old_total = 0, new_total = 0 } = error.problem ?? {}
    expect(new_total).toBeGreaterThan(old_total)
    const booked = await client.booking.create({ ...room?.booking_info, guests: GUESTS }, { simulate: 'success' })
    expect(booked).toMatchObject({ status: 'confirmed', simulated: true, total_price: new_total })
  })

  test('a simulated booking that the vendor refuses is rejected permanently', async () => {
    const order = { offer: 'refused', guests: GUESTS }
    const error = await client.booking.create(order, { simulate: 'vendor_refuses' }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ status: 409, code: 'booking_rejected', retryable: false })
    const { problem } = error as SeraiError
    const booking = await client.booking.show({ booking_id: String(problem?.booking_id) })
    expect(booking.status).toBe('rejected')
  })
})

describe('lists of the client', () => {
  test('all() reads every item once, page by page and in order', async () => {
    const created: string[] = []
    for (let count = 0; count < 7; count += 1) {
      const order = { offer: `list-${count}`, guests: GUESTS, client_reference: 'list' }
      created.push((await client.booking.create(order, { simulate: 'success' })).booking_id)
      app.clock.advance(1_000)
    }
    const newest = { order_by: ['created_at' as const], order_directions: ['desc' as const] }
    for (const paging of [{ first: 2 }, { page_size: 2, page: 1 }, { limit: 3 }, { last: 2 }, {}]) {
      const read: string[] = []
      for await (const { booking_id } of client.booking.list.all({ ...newest, ...paging })) read.push(booking_id)
      const mine = read.filter((id) => created.includes(id))
      expect(new Set(read).size, JSON.stringify(paging)).toBe(read.length)
      expect([...mine].sort(), JSON.stringify(paging)).toEqual([...created].sort())
      if (!('last' in paging)) expect(mine).toEqual(created.toReversed())
    }
  })

  test('filters are written as in the reference, and a page includes its meta', async () => {
    const page = await client.booking.list({ filters: ['status:==<cancelled', 'simulated:==<false'], limit: 5 })
    expect(page.data.every(({ status, simulated }) => status === 'cancelled' && !simulated)).toBe(true)
    expect(page.meta.page_size).toBe(5)
  })
})

test('an expired token is replaced by signing in again, without the caller noticing', async () => {
  const { token } = await client.accounts.getToken({ user: { email: ACCOUNT.email, password: ACCOUNT.password } })
  let current = token
  const other = createClient({
    baseUrl: url,
    token: () => current,
    onDenied() {
      current = app.token
      return true
    },
  })
  await other.accounts.revokeToken()
  expect((await other.booking.list({ limit: 1 })).data.length).toBeLessThanOrEqual(1)
})
