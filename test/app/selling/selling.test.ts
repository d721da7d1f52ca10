import type { InjectOptions } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { OTHER_ACCOUNT } from '../../support/app/app.ts'
import { type LedgerApp, ledgerApp, type Room } from '../../support/app/ledger-app.ts'
import { startReceiver } from '../../support/http/webhook-receiver.ts'
import { type Mailbox, startMailbox } from '../../support/mail/mailbox.ts'

/** Unusual figures, so that no selling amount equals a net amount by chance. */
const RULES = [{ priority: 1, percent: 13.7, per_stay: { amount: 3.31, currency: 'EUR' }, cancel_buffer_hours: 48 }]
const OPERATOR = '/api/operator/selling/rules'

let app: LedgerApp
let mailbox: Mailbox
let receiver: Awaited<ReturnType<typeof startReceiver>>
/** Every text that the account without access to net prices received. */
const received: string[] = []

beforeAll(async () => {
  mailbox = await startMailbox({ login: { user: 'u', password: 'a-secret-password' }, hideSTARTTLS: true })
  receiver = await startReceiver()
  const sender = { name: 'Serai', address: 'bookings@sender.example', domain: 'sender.example' }
  const smtp = {
    host: '127.0.0.1',
    port: mailbox.port,
    secure: false,
    startTls: 'off',
    user: 'u',
    password: 'a-secret-password',
  } as const
  app = await ledgerApp({
    selling: { exchangeMarginPercent: 0 },
    mail: { smtp, sender, keep: false, operator: undefined },
    allowPrivateWebhookTargets: true,
  })
  await app.manageAccounts.setRole(OTHER_ACCOUNT.email, 'operator')
  await app.manageAccounts.setSeesNet(OTHER_ACCOUNT.email, true)
  await setRules(RULES)
  const hook = await mine({ method: 'POST', url: '/api/webhooks', payload: { url: receiver.url } })
  expect(hook.statusCode, hook.body).toBe(201)
}, 120_000)
afterEach(() => app.noFaults())
afterAll(async () => {
  await app.close()
  await mailbox.stop()
  await receiver.stop()
})

const asOperator = (options: InjectOptions) => app.as(app.otherToken, options)

async function setRules(rules: object[]) {
  const answer = await asOperator({ method: 'PUT', url: OPERATOR, payload: { rules } })
  expect(answer.statusCode, answer.body).toBe(200)
  // Expires cached rooms.
  app.clock.advance(6 * 60_000)
}

async function mine(options: InjectOptions) {
  const answer = await app.request(options)
  received.push(answer.body)
  return answer
}

async function runSearch(as: typeof mine, headers = {}) {
  const places = await as({ url: '/api/locations/search?starts_with=Zermatt' })
  return as({
    method: 'POST',
    url: '/api/accommodation_searches/search',
    headers,
    payload: {
      destination_id: places.json().data[0].id,
      check_in: '2027-03-10',
      check_out: '2027-03-13',
      occupancies: [{ adults: 2 }],
      currency: 'EUR',
      timeout_ms: 15_000,
    },
  })
}

type Summary = {
  property_id: string
  total_price: number
  net_price: number
  offers: { total_price: number; net_price: number }[]
}
const sold = (net: number) => Math.round(net * 100 + Math.round(net * 13.7) + 331) / 100
const fetchRooms = async (as: typeof mine, searchId: string, propertyId: string): Promise<Room[]> => {
  const query = `search_id=${searchId}&property_id=${propertyId}&raw=true`
  const answer = await as({ url: `/api/accommodation_searches/accommodation?${query}` })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().available_rooms
}

/** The number in JSON, in a mail and in minor units. Shorter ones also occur in tokens and times by chance. */
const formatAmounts = (net: number) =>
  [String(net), net.toFixed(2), String(Math.round(net * 100))].filter(({ length }) => length > 3)
const containsNumber = (text: string, number: string) =>
  new RegExp(`(?<![\\d.,])${number.replace('.', '\\.')}(?![\\d])`).test(text)

test('the list, the room, the check, the booking and its statement show the same price, and the vendor gets the net price', async () => {
  const { search_id: searchId, availability } = (await runSearch(mine)).json().data
  const withNet: Summary[] = (await runSearch(asOperator)).json().data.availability
  // A price that the hotel sets has no markup.
  const marked = withNet.find((property) => property.total_price === sold(Number(property.net_price)))
  const first = (availability as Summary[]).find((property) => property.property_id === marked?.property_id)
  if (first === undefined) throw new Error('No property with a markup was found.')
  const rooms = await fetchRooms(mine, searchId, first.property_id)
  expect(rooms[0]?.total_inclusive).toBe(first.total_price)
  const listed = await mine({
    url: `/api/accommodation_searches/${searchId}/availability?order_by[]=total_price&limit=1`,
  })
  expect(listed.json().data[0].total_price).toBe(
    Math.min(...availability.map((property: Summary) => property.total_price)),
  )

  const uri = rooms[0]?.booking_info.price_check_uri ?? ''
  const checked = (await mine({ url: uri })).json().data
  expect([checked.status, checked.room.total_inclusive]).toEqual(['matched', first.total_price])
  const booked = await mine({
    method: 'POST',
    url: '/api/accommodation/book',
    payload: { ...checked.room.booking_info, terms_digest: checked.terms_digest },
  })
  expect(booked.statusCode, booked.body).toBe(201)
  const { data } = booked.json()
  expect(data.total_price).toBe(first.total_price)
  expect(data.base_price + data.taxes_fees).toBeCloseTo(data.total_price, 5)

  const stored = await app.operator.bookings.any(data.booking_id)
  const atVendor = (await app.ledger()).find(({ ourReference }) => ourReference === data.reference)
  const { total, dueAtProperty } = stored?.price ?? expect.fail('not stored')
  expect(atVendor?.status).toBe('confirmed')
  expect(data.total_price).toBe(sold(total.minor / 100))
  const month = data.created_at.slice(0, 7)
  const lines = await asOperator({ url: `/api/operator/statements?from=${month}` })
  const line = lines.json().data.find(({ vendor_id }: { vendor_id: string }) => vendor_id === data.vendor_id)
  expect(line).toMatchObject({
    bookings: 1,
    sold: data.total_price,
    net: total.minor / 100,
    payable: (total.minor - dueAtProperty.minor) / 100,
  })
  expect(line.margin).toBeCloseTo(data.total_price - total.minor / 100, 5)
})

test('a stream has the prices of the blocking response', async () => {
  const blocking: Summary[] = (await runSearch(mine)).json().data.availability
  const stream = (await runSearch(mine, { accept: 'text/event-stream' })).body
  const streamed = new Map<string, number>()
  for (const [, json = ''] of stream.matchAll(/^data: (.*)$/gm)) {
    for (const property of (JSON.parse(json).availability ?? []) as Summary[])
      streamed.set(property.property_id, property.total_price)
  }
  expect([...streamed].sort()).toEqual(blocking.map((property) => [property.property_id, property.total_price]).sort())
})

test('changed rules affect neither saved searches nor existing offers', async () => {
  const { search_id: searchId, availability } = (await runSearch(mine)).json().data
  const [first, second] = availability as Summary[]
  const [before] = await fetchRooms(mine, searchId, first?.property_id ?? '')
  await setRules([{ priority: 1, percent: 50 }])
  try {
    const [later] = await fetchRooms(mine, searchId, second?.property_id ?? '')
    expect(later?.total_inclusive).toBe(second?.total_price)
    const booked = await mine({ method: 'POST', url: '/api/accommodation/book', payload: before?.booking_info ?? {} })
    expect([booked.statusCode, booked.json().data.total_price]).toEqual([201, first?.total_price])
    const fresh: Summary[] = (await runSearch(mine)).json().data.availability
    const prices = new Map((availability as Summary[]).map((property) => [property.property_id, property.total_price]))
    const risen = fresh.map((property) => property.total_price / (prices.get(property.property_id) ?? Number.NaN))
    expect(Math.min(...risen)).toBeGreaterThanOrEqual(1)
    // Some properties also have a rate with a price set by the hotel, which is now the cheapest.
    expect(risen.filter((share) => share > 1.2).length).toBeGreaterThan(fresh.length * 0.8)
  } finally {
    await setRules(RULES)
  }
})

describe.each(STAND_IN_IDS)('net prices of %s', (vendorId) => {
  test('net prices do not appear in responses, problems, webhooks, mails or logs of an account without access to them', async () => {
    const from = received.length
    const room = await app.room(vendorId)
    await mine({ url: room.booking_info.price_check_uri ?? '' })
    await app.faults({ kind: 'price_change', operation: 'price_check' })
    const refused = await mine({ method: 'POST', url: '/api/accommodation/book', payload: room.booking_info })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'price_changed'])
    expect(refused.json().new_total).toBeGreaterThan(refused.json().old_total)
    await app.noFaults()
    const { booking_info: info } = await app.room(vendorId)
    const payload = { ...info, contact: { email: 'guest@example.com', phone: '' } }
    const booked = await mine({ method: 'POST', url: '/api/accommodation/book', payload })
    expect(booked.statusCode, booked.body).toBe(201)
    const { booking_id: id, total_price: total } = booked.json().data
    const bookingUrl = `/api/accommodation/bookings/${id}`
    for (const url of [bookingUrl, '/api/accommodation/bookings', `${bookingUrl}/history`, `${bookingUrl}/voucher`])
      await mine({ url })
    await mine({ method: 'POST', url: `${bookingUrl}/cancel?preview=true` })
    await mine({ method: 'POST', url: `${bookingUrl}/cancel` })
    await app.deliverWebhooks()
    await app.deliverMails()

    const stored = (await app.operator.bookings.any(id)) ?? expect.fail('not stored')
    expect(stored.sale).toBeDefined()
    const { price, cancel } = stored
    const paid = price.total.minor - price.dueAtProperty.minor
    const net = [
      price.total.minor,
      price.base.minor,
      paid,
      ...(cancel?.penalties ?? []).map(({ amount }) => amount.minor),
    ]
    const mails = mailbox.received.map(({ mail }) => `${mail.subject}\n${mail.text}\n${mail.html}`)
    const texts = [...received.slice(from), ...receiver.received.map(({ text }) => text), ...mails, ...app.logged]
    expect(mails.some((text) => containsNumber(text, total.toFixed(2)))).toBe(true)
    expect(receiver.received.some(({ text }) => containsNumber(text, String(total)))).toBe(true)
    const leaks = net
      .filter((minor) => minor > 2_000)
      .flatMap((minor) => formatAmounts(minor / 100))
      .flatMap((number) =>
        texts.filter((text) => containsNumber(text, number)).map((text) => `${number} in ${text.slice(0, 300)}`),
      )
    expect(leaks.slice(0, 3)).toEqual([])
  })
})

test('an account with access to net prices sees them beside the selling prices, and others lack the field', async () => {
  const own = (await runSearch(mine)).json().data
  const { search_id: searchId, availability } = (await runSearch(asOperator)).json().data
  expect(JSON.stringify(own)).not.toContain('net_price')
  // If the hotel sets the price, the net price is the vendor's bill.
  const marked = (availability as Summary[]).filter((property) => property.total_price !== property.net_price)
  expect(marked.length).toBeGreaterThan(availability.length / 2)
  for (const property of marked) {
    expect(property.total_price).toBeGreaterThanOrEqual(sold(property.net_price))
    const hidden = own.availability.find(({ property_id }: Summary) => property_id === property.property_id)
    expect(hidden.total_price).toBe(property.total_price)
    expect(
      containsNumber(JSON.stringify({ ...hidden, description: '', location: 0 }), String(property.net_price)),
    ).toBe(false)
  }
  const [room] = await fetchRooms(asOperator, searchId, availability[0].property_id)
  expect(room).toMatchObject({ net_price: availability[0].net_price, total_inclusive: availability[0].total_price })
})

describe('operations of operators', () => {
  test.each([
    ['GET', OPERATOR],
    ['PUT', OPERATOR],
    ['POST', '/api/operator/selling/try'],
    ['GET', '/api/operator/statements?from=2027-01'],
  ] as const)('%s %s is refused for accounts with other roles', async (method, url) => {
    const net = { amount: 1, currency: 'EUR' }
    const body = { rules: [], vendor_id: 'x', check_in: '2027-03-01', check_out: '2027-03-02', net }
    const payload = url === OPERATOR ? { rules: [] } : body
    const answer = await mine({ method, url, ...(method === 'GET' ? {} : { payload }) })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'insufficient_scope'])
  })

  test('every version of the rules names its author', async () => {
    const { data } = (await asOperator({ url: OPERATOR })).json()
    expect(data.versions[0]).toMatchObject({ version: data.version, changed_by: { kind: 'operator' } })
    expect(data.versions.length).toBe(data.version)
    expect(data.rules).toEqual([{ match: {}, ...RULES[0] }])
  })

  test('an invalid rule is refused with the field and a suggestion, and changes nothing', async () => {
    const rules = [
      { priority: 1, percnt: 5 },
      { priority: 2, per_stay: { amount: 1.234, currency: 'EUR' } },
    ]
    const shape = await asOperator({ method: 'PUT', url: OPERATOR, payload: { rules } })
    expect(shape.json().errors).toEqual([
      { field: 'rules[0].percnt', code: 'unknown_field', message: expect.stringContaining('not a field') },
    ])
    const digits = await asOperator({ method: 'PUT', url: OPERATOR, payload: { rules: rules.slice(1) } })
    expect([digits.statusCode, digits.json().errors[0].field]).toEqual([422, 'rules[0].per_stay.amount'])
    const span = [{ priority: 1, match: { nights: { from: 5, to: 2 } } }]
    const empty = await asOperator({ method: 'PUT', url: OPERATOR, payload: { rules: span } })
    expect([empty.statusCode, empty.json().errors[0].field]).toEqual([422, 'rules[0].match.nights'])
    expect((await asOperator({ url: OPERATOR })).json().data.rules[0].percent).toBe(13.7)
  })

  test('a trial returns the rule and the total, with the current rules or with others', async () => {
    const body = {
      vendor_id: 'any',
      check_in: '2027-03-01',
      check_out: '2027-03-04',
      net: { amount: 100, currency: 'EUR' },
    }
    const ask = async (payload: object) =>
      (await asOperator({ method: 'POST', url: '/api/operator/selling/try', payload })).json().data
    expect(await ask(body)).toMatchObject({ rule: { priority: 1 }, percent: 13.7, per_stay: 3.31, selling: 117.01 })
    const rules = [{ priority: 5, match: { nights: { from: 3 } }, per_night: { amount: 2, currency: 'EUR' } }]
    expect(await ask({ ...body, rules, rooms: 2 })).toMatchObject({ per_night: 12, selling: 112 })
    expect(await ask({ ...body, check_out: '2027-03-02', rules })).toMatchObject({ rule: null, selling: 100 })
    expect(await ask({ ...body, bounds: { max: 105 } })).toMatchObject({ bounds: -12.01, selling: 105 })
  })
})

test('a room whose free cancellation was ended by the rules is not called refundable', async () => {
  await setRules([{ priority: 1, percent: 10, cancel_buffer_hours: 720 }])
  const day = (days: number) => new Date(app.clock.now() + days * 86_400_000).toISOString().slice(0, 10)
  const [place] = (await mine({ url: '/api/locations/search?starts_with=Zermatt' })).json().data
  const payload = {
    ...{ destination_id: place.id, check_in: day(10), check_out: day(12), occupancies: [{ adults: 2 }] },
    ...{ currency: 'EUR', timeout_ms: 15_000 },
  }
  const search = await mine({ method: 'POST', url: '/api/accommodation_searches/search', payload })
  const { search_id, availability } = search.json().data
  const pages = await Promise.all(
    availability.slice(0, 5).map(({ property_id }: Summary) => fetchRooms(mine, search_id, property_id)),
  )
  const rooms: Room[] = pages.flat()
  const ended = rooms.filter(({ cancel_policy }) => cancel_policy.cancelation === 'none')
  expect(ended.length).toBeGreaterThan(0)
  expect(ended.filter(({ refundable }) => refundable)).toEqual([])
})
