import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'

let app: LedgerApp
let bookings: { booking_id: string; vendor_id: string; check_in: string; client_reference: string; status: string }[]
beforeAll(async () => {
  app = await ledgerApp()
  bookings = []
  for (const [index, vendorId] of ['expedia_rapid', 'hotelbeds', 'expedia_rapid', 'hotelbeds'].entries()) {
    const { booking_info: info } = await app.room(vendorId)
    app.clock.advance(1_000)
    bookings.push((await app.book({ ...info, client_reference: `list-${index}` })).json().data)
  }
})
afterAll(() => app.close())

const list = (query: string, token = app.token) =>
  app.as(token, { url: `/api/accommodation/bookings${query === '' ? '' : `?${query}`}` })
const ids = (answer: { json(): { data: { booking_id: string }[] } }) =>
  answer.json().data.map((booking) => booking.booking_id)
const bookingIds = () => bookings.map(({ booking_id }) => booking_id)
const filter = (field: string, op: string, value: string) =>
  `filters[0][field]=${field}&filters[0][op]=${encodeURIComponent(op)}&filters[0][value]=${encodeURIComponent(value)}`

describe('the list of bookings', () => {
  test('bookings are listed newest first, each with the content of its first response', async () => {
    const answer = await list('')
    expect(ids(answer)).toEqual(bookingIds().reverse())
    const [newest] = answer.json().data
    expect({ ...newest, cancel_policy: undefined }).toEqual({ ...bookings[3], cancel_policy: undefined })
  })

  test('bookings are filtered by status, vendor, reference and day, sorted and paged', async () => {
    const [, second] = bookingIds()
    await app.request({ method: 'POST', url: `/api/accommodation/bookings/${second}/cancel` })
    expect(ids(await list(filter('status', '==', 'cancelled')))).toEqual([second])
    expect(ids(await list(filter('vendor_id', '==', 'hotelbeds')))).toEqual([bookingIds()[3], bookingIds()[1]])
    expect(ids(await list(filter('client_reference', '==', 'list-2')))).toEqual([bookingIds()[2]])
    const day = bookings[0]?.check_in ?? ''
    expect(ids(await list(filter('check_in', '>=', day)))).toHaveLength(4)
    expect(ids(await list(filter('check_in', '<', day)))).toEqual([])
    expect(ids(await list('order_by[]=created_at&order_directions[]=asc'))).toEqual(bookingIds())
    const page = await list('page=2&page_size=3')
    expect([ids(page), page.json().meta.total_count]).toEqual([[bookingIds()[0]], 4])
  })

  test('a client that was offline finds bookings changed since then, with or without simulated ones', async () => {
    const [, , changed] = bookingIds()
    const before = new Date(app.clock.now()).toISOString()
    app.clock.advance(60_000)
    await app.request({ method: 'POST', url: `/api/accommodation/bookings/${changed}/cancel` })
    expect(ids(await list(filter('updated_at', '>', before)))).toEqual([changed])
    expect(ids(await list('order_by[]=updated_at&order_directions[]=desc&limit=1'))).toEqual([changed])
    const createdAt = bookings.map((booking) => Reflect.get(booking, 'created_at') as string)
    expect(ids(await list(filter('created_at', '<=', createdAt[1] ?? '')))).toEqual([bookingIds()[1], bookingIds()[0]])
    expect(ids(await list(filter('created_at', '>=', createdAt[3] ?? '')))).toEqual([bookingIds()[3]])

    const headers = { 'x-simulate-return': 'success' }
    const url = '/api/accommodation/book'
    const payload = { bed_id: '1', price_check_uri: '/api/accommodation/price_check?token=none' }
    const simulated = (await app.request({ method: 'POST', url, payload, headers })).json().data.booking_id
    expect(ids(await list(filter('simulated', '==', 'true')))).toEqual([simulated])
    expect(ids(await list(filter('simulated', '==', 'false')))).toEqual(bookingIds().reverse())
    expect(ids(await list('order_by[]=simulated&order_directions[]=desc'))[0]).toBe(simulated)
    const paged = (await list('order_by[]=updated_at&first=3')).json()
    const rest = await list(`order_by[]=updated_at&first=3&after=${encodeURIComponent(paged.meta.end_cursor)}`)
    expect(new Set([...ids({ json: () => paged }), ...ids(rest)]).size).toBe(5)
  })

  test('an invalid parameter is named in the list envelope (422)', async () => {
    const answer = await list(filter('status', '==', 'sleeping'))
    expect([answer.statusCode, answer.json().data]).toEqual([422, []])
    expect(answer.json().meta.errors.length).toBeGreaterThan(0)
    for (const wrong of [
      filter('check_in', '>=', '2026-13-45'),
      filter('check_out', '==', 'soon'),
      filter('updated_at', '>', 'today'),
    ])
      expect((await list(wrong)).statusCode, wrong).toBe(422)
  })
})

test('a booking is returned with its history in order', async () => {
  const { data } = (await app.request({ url: `/api/accommodation/bookings/${bookingIds()[0]}` })).json()
  expect(
    data.events.map((event: { sequence: number; from: string | null; to: string }) => [
      event.sequence,
      event.from,
      event.to,
    ]),
  ).toEqual([
    [1, null, 'pending'],
    [2, 'pending', 'submitting'],
    [3, 'submitting', 'confirmed'],
  ])
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
/** Calls an operation with an id of the owner. Each id of each operation has one row. */
type OperationOnId = {
  own(): Promise<string>
  url(id: string): string
  absent: string
  owner: number
  payload?: object
}
const ABSENT_SEARCH = '00000000-0000-4000-8000-00000000dead'
const ROWS: Readonly<Record<string, OperationOnId>> = {
  'GET /api/accommodation_searches/{search_id}/availability search_id': {
    own: async () => app.searchId,
    url: (id) => `/api/accommodation_searches/${id}/availability`,
    absent: ABSENT_SEARCH,
    owner: 200,
  },
  'GET /api/accommodation_searches/accommodation search_id': {
    own: async () => app.searchId,
    url: (id) => `/api/accommodation_searches/accommodation?search_id=${id}&property_id=${app.propertyIds[0]}`,
    absent: ABSENT_SEARCH,
    owner: 200,
  },
  'GET /api/accommodation_searches/accommodation property_id': {
    own: async () => app.propertyIds[0] ?? '',
    url: (id) => `/api/accommodation_searches/accommodation?search_id=${app.searchId}&property_id=${id}`,
    absent: 'prp_0000000000000000',
    owner: 200,
  },
  'GET /api/accommodation/bookings/{booking_id} booking_id': {
    own: async () => bookingIds()[0] ?? '',
    url: (id) => `/api/accommodation/bookings/${id}`,
    absent: 'bkg_0000000000000',
    owner: 200,
  },
  'GET /api/accommodation/bookings/{booking_id}/voucher booking_id': {
    own: async () => bookingIds()[3] ?? '',
    url: (id) => `/api/accommodation/bookings/${id}/voucher`,
    absent: 'bkg_0000000000000',
    owner: 200,
  },
  // Bookings on account have no receipt; voucher/receipt.test.ts covers those paid by card.
  'GET /api/accommodation/bookings/{booking_id}/receipt booking_id': {
    own: async () => bookingIds()[3] ?? '',
    url: (id) => `/api/accommodation/bookings/${id}/receipt`,
    absent: 'bkg_0000000000000',
    owner: 409,
  },
  'POST /api/accommodation/bookings/{booking_id}/cancel booking_id': {
    own: async () => bookingIds()[0] ?? '',
    url: (id) => `/api/accommodation/bookings/${id}/cancel`,
    absent: 'bkg_0000000000000',
    owner: 200,
  },
  'PATCH /api/accommodation/bookings/{booking_id} booking_id': {
    own: async () => bookingIds()[3] ?? '',
    url: (id) => `/api/accommodation/bookings/${id}`,
    absent: 'bkg_0000000000000',
    owner: 200,
    payload: { special_requests: 'A quiet room' },
  },
  'GET /api/accommodation/bookings/{booking_id}/history booking_id': {
    own: async () => bookingIds()[0] ?? '',
    url: (id) => `/api/accommodation/bookings/${id}/history`,
    absent: 'bkg_0000000000000',
    owner: 200,
  },
  'DELETE /api/accounts/keys/{id} id': {
    own: async () => {
      const payload = { name: 'mine', mode: 'test', scopes: ['read'] }
      return (await app.request({ method: 'POST', url: '/api/accounts/keys', payload })).json().data.id
    },
    url: (id) => `/api/accounts/keys/${id}`,
    absent: 'key_0000000000000',
    owner: 204,
  },
  'DELETE /api/accounts/sessions/{id} id': {
    own: async () => {
      await app.signIn()
      const sessions: { id: string; current: boolean }[] = (await app.request({ url: '/api/accounts/sessions' })).json()
        .data
      return sessions.find(({ current }) => !current)?.id ?? ''
    },
    url: (id) => `/api/accounts/sessions/${id}`,
    absent: 'ses_000000000000000000000000',
    owner: 204,
  },
  'GET /api/webhooks/{id} id': webhookRow(''),
  'PATCH /api/webhooks/{id} id': { ...webhookRow(''), payload: { description: 'mine' } },
  'DELETE /api/webhooks/{id} id': { ...webhookRow(''), owner: 204 },
  'POST /api/webhooks/{id}/rotate_secret id': webhookRow('/rotate_secret'),
  'POST /api/webhooks/{id}/test id': { ...webhookRow('/test'), owner: 202 },
  'GET /api/webhooks/{id}/deliveries id': webhookRow('/deliveries'),
  'GET /api/webhooks/{id}/deliveries/{delivery_id} id': deliveryRow(''),
  'GET /api/webhooks/{id}/deliveries/{delivery_id} delivery_id': deliveryRow(''),
  'POST /api/webhooks/{id}/deliveries/{delivery_id}/replay id': { ...deliveryRow('/replay'), owner: 202 },
  'POST /api/webhooks/{id}/deliveries/{delivery_id}/replay delivery_id': { ...deliveryRow('/replay'), owner: 202 },
}

async function newWebhook(): Promise<string> {
  const payload = { url: 'https://example.com/hook' }
  return (await app.request({ method: 'POST', url: '/api/webhooks', payload })).json().data.id
}

function webhookRow(path: string): OperationOnId {
  return { own: newWebhook, url: (id) => `/api/webhooks/${id}${path}`, absent: 'whk_0000000000000', owner: 200 }
}

/** Combines the ids of a webhook and its delivery, since neither is valid without the other. */
function deliveryRow(path: string): OperationOnId {
  return {
    async own() {
      const id = await newWebhook()
      const { data } = (await app.request({ method: 'POST', url: `/api/webhooks/${id}/test` })).json()
      return `${id}/deliveries/${data.id}`
    },
    url: (id) => `/api/webhooks/${id}${path}`,
    absent: 'whk_0000000000000/deliveries/evt_0_1',
    owner: 200,
  }
}

type Parameter = { name: string; in: string }
type Document = { paths: Record<string, Record<string, { parameters?: Parameter[] }>> }
const documented = async () =>
  Object.entries((await app.call({ url: '/openapi.json' })).json<Document>().paths).flatMap(([path, methods]) =>
    // Vendors and places belong to no account, and operators see all accounts: access.test.ts covers those operations.
    // A link opens a booking without an account, and closing it only removes a cookie: booking-links.test.ts covers it.
    // Without a provider there are no payments: payments/pay.test.ts covers them.
    Object.entries(
      /^\/api\/(vendors|operator|locations|payments|session\/booking)\//.test(path) ? {} : methods,
    ).flatMap(([method, { parameters = [] }]) =>
      parameters
        .filter((parameter) => parameter.in === 'path' || (parameter.in === 'query' && /_id$/.test(parameter.name)))
        .map(({ name }) => `${method.toUpperCase()} ${path} ${name}`),
    ),
  )

describe('isolation of accounts', () => {
  test('every id of every operation has a row in the table', async () => {
    expect((await documented()).filter((row) => ROWS[row] === undefined)).toEqual([])
  })

  test('another account gets 404 and an anonymous caller 401 for every id of every operation', async () => {
    const withoutInstance = (body: string) => ({ ...JSON.parse(body), instance: '' })
    for (const name of await documented()) {
      const row = ROWS[name]
      if (row === undefined) continue
      const method = name.split(' ')[0] as Method
      const id = await row.own()
      const ask = (as: string | undefined, which: string) => {
        const options = { method, url: row.url(which), ...(row.payload && { payload: row.payload }) } as const
        return as === undefined ? app.call(options) : app.as(as, options)
      }
      const other = await ask(app.otherToken, id)
      const absent = await ask(app.otherToken, row.absent)
      expect([name, other.statusCode, withoutInstance(other.body)]).toEqual([name, 404, withoutInstance(absent.body)])
      expect([name, (await ask(undefined, id)).statusCode]).toEqual([name, 401])
      expect([name, (await ask('srt_nobody', id)).statusCode]).toEqual([name, 401])
      // Last, because some of these requests delete the resource.
      expect([name, (await ask(app.token, id)).statusCode]).toEqual([name, row.owner])
    }
  })

  test('lists are empty for another account, and a cursor of one account is invalid for another', async () => {
    for (const url of ['/api/accommodation/bookings', '/api/accommodation_searches']) {
      expect((await app.as(app.otherToken, { url })).json().data).toEqual([])
      const { end_cursor: cursor } = (await app.request({ url: `${url}?first=1` })).json().meta
      const next = `${url}?first=1&after=${encodeURIComponent(cursor)}`
      expect((await app.request({ url: next })).statusCode).toBe(200)
      const stolen = await app.as(app.otherToken, { url: next })
      expect(stolen.statusCode).toBe(422)
    }
  })
})
