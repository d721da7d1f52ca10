import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type App, buildApp } from '../../../src/compose/app.ts'
import { readConfig } from '../../../src/config.ts'
import { WEBHOOK_EVENTS } from '../../../src/domain/webhook.ts'
import type { Examples } from '../../../src/http/openapi/openapi-examples.ts'
import { type Ids, uuidV5In } from '../../../src/lib/crypto/ids.ts'
import type { LocationIndex } from '../../../src/locations/location-index.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { recordAccounts, recordMatches } from './record-accounts.ts'
import { recordKeys } from './record-keys.ts'
import { recordMonitoring } from './record-monitoring.ts'
import { recordOperator } from './record-operator.ts'
import { paymentEvents, recordPaymentLists, recordPayments } from './record-payments.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { shortenExample, shortenStream } from './shorten.ts'

const NOW = Date.parse('2027-01-15T12:00:00Z')
const ACCOUNT = { email: 'demo@example.com', password: 'demo-demo-demo' }
const GUEST = { given_name: 'Ana', family_name: 'Costa', email: 'ana@example.com', phone: '+351910000000' }
const NOT_THERE = '00000000-0000-4000-8000-00000000dead'

/**
 * Calls the whole API once on the simulator and records its answers as examples for the OpenAPI document.
 * Reproducible: clock and ids are fixed, and random values (tokens, secrets, sealed offers) are replaced.
 */
export async function recordExamples(locations?: LocationIndex): Promise<Examples> {
  const receiver = await startReceiver()
  const database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  const config = readConfig({ NODE_ENV: 'test', SERAI_LOG_LEVEL: 'silent' })
  const app = await buildApp(
    {
      ...config,
      jobs: false,
      guests: { ...config.guests, access: 'book' },
      allowPrivateWebhookTargets: true,
    },
    {
      clock: { now: () => NOW },
      ids: createSequentialIds(),
      database,
      ...(locations === undefined ? {} : { locations }),
    },
  )
  try {
    await app.manageAccounts.add(ACCOUNT.email, 'Demo', ACCOUNT.password)
    const recorder = createRecorder((call) => app.http.inject(call))
    const token = await recordBasics(recorder)
    await recordSessions(recorder)
    const webhookId = await recordRegistration(recorder, receiver.url)
    const bookingId = await recordStay(recorder)
    await recordWebhooks(recorder, webhookId, () => app.deliverWebhooks())
    recordPayments(recorder)
    await recordProblems(recorder)
    await recordKeys(recorder, await operatorToken(app))
    await recordOperator(recorder, await operatorToken(app))
    recorder.authorize(await operatorToken(app))
    await recordPaymentLists(recorder)
    await recordAccounts(recorder)
    await recordMatches(recorder, app.operator.catalogue)
    recorder.authorize(await operatorToken(app, 'sales@example.com'))
    await app.manageAccounts.setSeesNet('sales@example.com', true)
    await recordSelling(recorder, bookingId)
    await recordMonitoring(recorder, () => app.writeFigures())
    const { operations, problems } = recorder
    const shown = (value: unknown) =>
      shortenExample(value, { [token]: TOKEN, [receiver.url]: 'https://example.com/hooks/serai' })
    return {
      operations: mapValues(operations, ({ request, answers, stream }) => ({
        ...(request === undefined ? {} : { request: shown(request) }),
        answers: mapValues(answers, shown),
        ...(stream === undefined ? {} : { stream: shortenStream(stream, shown) }),
      })),
      problems: mapValues(problems, shown),
      events: mapValues(
        Object.fromEntries(
          Object.entries({ ...receiver.events, ...paymentEvents(receiver.events['booking.confirmed']) }).sort(),
        ),
        shown,
      ),
    }
  } finally {
    await app.close()
    await database.close()
    await receiver.close()
  }
}

/** Sends what the page sends. The session itself is in a header and not part of the examples. */
async function recordSessions({ keep, put }: Recorder): Promise<void> {
  const fromPage = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin', 'x-serai-page': '1' } } as const
  await keep('sessionSignIn', 200, { ...fromPage, url: '/api/session', payload: { user: ACCOUNT } })
  const request = { reference: 'NY4TRSM6254C626WV0XG', email: 'ana@example.com' }
  await keep('sessionSendBookingLink', 202, { ...fromPage, url: '/api/session/booking_link', payload: request })
  // The token is only in mails.
  const opened = { data: { booking_id: 'bkg_31', expires_at: '2027-01-16T12:00:00.000Z' } }
  put('sessionOpenBooking', 200, opened, { token: 'srl_token' })
  await keep('sessionStartGuest', 200, { ...fromPage, url: '/api/session/guest' })
}

const TOKEN = 'srt_Q3VyaW9zaXR5LWtpbGxlZC10aGUtY2F0LXNvLWRvbnQ'

async function recordBasics({ keep, keepProblem, authorize }: Recorder): Promise<string> {
  await keep('healthLive', 200, { url: '/healthz' })
  await keep('healthReady', 200, { url: '/readyz' })
  await keepProblem('unauthenticated', { url: '/api/accommodation/bookings' })
  const url = '/api/accounts/get_token'
  await keepProblem('invalid_credentials', {
    method: 'POST',
    url,
    payload: { user: { ...ACCOUNT, password: 'not-this-one' } },
  })
  const { token } = await keep('accountsGetToken', 200, { method: 'POST', url, payload: { user: ACCOUNT } })
  authorize(token)
  return token
}

async function operatorToken({ http, manageAccounts }: App, email = 'operator@example.com'): Promise<string> {
  const operator = { email, password: ACCOUNT.password }
  await manageAccounts.add(operator.email, 'Operator', operator.password, 'operator')
  const call = { method: 'POST', url: '/api/accounts/get_token', payload: { user: operator } } as const
  return (await http.inject(call)).json().token
}

const aSearch = (destinationId: string) => ({
  destination_id: destinationId,
  check_in: '2027-03-12',
  check_out: '2027-03-14',
  occupancies: [{ adults: 2 }, { adults: 1, children_ages: [7] }],
  customer_ip: '203.0.113.7',
  currency: 'EUR',
})

const SEARCH = { method: 'POST', url: '/api/accommodation_searches/search', simulate: 'success' } as const
const BOOK = { method: 'POST', url: '/api/accommodation/book', simulate: 'success' } as const

async function recordStay(recorder: Recorder): Promise<string> {
  const { keep, keepStream } = recorder
  const places = await keep('locationsSearch', 200, { url: '/api/locations/search?starts_with=paris' })
  await keep('locationsSearch', 422, { url: '/api/locations/search' })
  await keep('locationsNeighbourhoods', 200, { url: `/api/locations/${places.data[0].id}/neighbourhoods` })
  await keep('locationsNeighbourhoods', 404, { url: '/api/locations/none/neighbourhoods' })
  const payload = aSearch(places.data[0].id)
  const { data: found } = await keep('searchCreate', 200, { ...SEARCH, payload })
  await keepStream('searchCreate', { ...SEARCH, payload })
  await keep('searchList', 200, { url: '/api/accommodation_searches?limit=1' })
  await keep('searchList', 422, { url: '/api/accommodation_searches?limit=0' })
  const availability = `/api/accommodation_searches/${found.search_id}/availability`
  await keep('searchAvailability', 200, { url: `${availability}?limit=1` })
  await keep('searchAvailability', 422, { url: `${availability}?order_by[]=color` })
  const [{ property_id: propertyId }] = found.availability
  const query = `search_id=${found.search_id}&property_id=${propertyId}`
  const detail = await keep('searchDetail', 200, { url: `/api/accommodation_searches/accommodation?${query}` })
  return recordBooking(recorder, detail.accommodation.available_rooms)
}

type Rooms = readonly { readonly booking_info: object; readonly refundable: boolean }[]

/** Returns the id of a booking. */
async function recordBooking({ keep, keepProblem, put }: Recorder, available: Rooms): Promise<string> {
  const rooms = available.toSorted((a, b) => Number(b.refundable) - Number(a.refundable))
  const order = (index: number) => ({
    ...rooms[index]?.booking_info,
    guests: [GUEST],
    client_reference: `order-${4711 + index}`,
  })
  const { price_check_uri: checked } = Object(rooms[0]?.booking_info)
  await keep('bookingCheckPrice', 200, { url: String(checked), simulate: 'success' })
  const booked = await keep('bookingCreate', 201, { ...BOOK, payload: order(0) })
  const open = await keep('bookingCreate', 202, { ...BOOK, payload: order(1), simulate: 'vendor_error' })
  const resourceUrl = `/api/accommodation/bookings/${booked.data.booking_id}`
  await keep('bookingShow', 200, { url: resourceUrl })
  await keep('bookingVoucher', 200, { url: `${resourceUrl}/voucher` })
  const others = `/api/accommodation/bookings/${open.data.booking_id}/voucher`
  await keepProblem('no_voucher', { url: others })
  await keepProblem('not_acceptable', { url: others, headers: { accept: 'image/png' } })
  await keep('bookingList', 200, { url: '/api/accommodation/bookings?limit=1' })
  await keep('bookingList', 422, { url: '/api/accommodation/bookings?limit=0' })
  await keepProblem('not_cancellable', {
    method: 'POST',
    url: `/api/accommodation/bookings/${open.data.booking_id}/cancel`,
  })
  const amendment = {
    guests: [{ given_name: 'Grace', family_name: 'Hopper' }, GUEST],
    special_requests: 'A quiet room',
  }
  await keep('bookingAmend', 200, { method: 'PATCH', url: resourceUrl, payload: amendment })
  await keepProblem('not_amendable', {
    method: 'PATCH',
    url: `/api/accommodation/bookings/${open.data.booking_id}`,
    payload: amendment,
  })
  await keep('testClock', 200, { method: 'POST', url: '/api/test/clock', payload: { advance_hours: 1 } })
  await keep('testReadClock', 200, { url: '/api/test/clock' })
  await keep('bookingHistory', 200, { url: `${resourceUrl}/history` })
  await keep('testResetClock', 200, { method: 'DELETE', url: '/api/test/clock' })
  // No vendor sends anything while examples are recorded.
  put('vendorNotify', 200, { data: { known: true } }, NOTIFICATION)
  const cancelled = await keep('bookingCancel', 200, { method: 'POST', url: `${resourceUrl}/cancel` })
  // The simulator's vendors always confirm at once, so this answer is derived from the other.
  put('bookingCancel', 202, { data: { ...cancelled.data, status: 'cancelling' } })
  for (const code of ['price_changed', 'terms_changed', 'sold_out', 'offer_expired'])
    await keepProblem(code, { ...BOOK, payload: order(2), simulate: code })
  await keepProblem('offer_invalid', { method: BOOK.method, url: BOOK.url, payload: { ...order(2), bed_id: '0' } })
  await keepProblem('card_data_not_accepted', { ...BOOK, payload: { ...order(2), card: '4111111111111111' } })
  return booked.data.booking_id
}

const NOTIFICATION = {
  event_id: '1d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f',
  event_type: 'itinerary.supplier.cancel',
  event_time: '2027-01-15T12:00:00.000Z',
  itinerary_id: '8340639789613',
  affiliate_reference_id: '9E1B7A2C4D5F60718293',
}

const HOOKS = '/api/webhooks'

/** Runs first, so that the webhook receives the events of the bookings. */
async function recordRegistration({ keep }: Recorder, target: string): Promise<string> {
  const payload = { url: target, events: [...WEBHOOK_EVENTS], description: 'production' }
  return (await keep('webhooksCreate', 201, { method: 'POST', url: HOOKS, payload })).data.id
}

async function recordWebhooks({ keep, keepProblem }: Recorder, webhookId: string, deliver: () => Promise<number>) {
  const resourceUrl = `${HOOKS}/${webhookId}`
  await keep('webhooksList', 200, { url: HOOKS })
  await keep('webhooksList', 422, { url: `${HOOKS}?limit=0` })
  await keep('webhooksShow', 200, { url: resourceUrl })
  await keep('webhooksUpdate', 200, {
    method: 'PATCH',
    url: resourceUrl,
    payload: { description: 'production, region 2' },
  })
  await keep('webhooksRotateSecret', 200, { method: 'POST', url: `${resourceUrl}/rotate_secret` })
  await keep('webhooksTest', 202, { method: 'POST', url: `${resourceUrl}/test` })
  await deliver()
  const { data } = await keep('webhooksDeliveries', 200, { url: `${resourceUrl}/deliveries` })
  await keep('webhooksDeliveries', 422, { url: `${resourceUrl}/deliveries?limit=0` })
  const delivery = `${resourceUrl}/deliveries/${data[0].id}`
  await keep('webhooksDelivery', 200, { url: delivery })
  await keep('webhooksReplay', 202, { method: 'POST', url: `${delivery}/replay` })
  await keep('eventsList', 200, { url: '/api/events' })
  await keep('eventsList', 422, { url: '/api/events?limit=0' })
  const outdated = { 'if-match': '"an earlier version"' }
  await keepProblem('precondition_failed', { method: 'DELETE', url: resourceUrl, headers: outdated })
  await keepProblem('delivery_not_found', { url: `${resourceUrl}/deliveries/evt_0_1` })
  await keepProblem('webhook_not_found', { url: `${HOOKS}/whk_0` })
  await keep('webhooksUpdate', 200, { method: 'PATCH', url: resourceUrl, payload: { enabled: false } })
  await keepProblem('webhook_disabled', { method: 'POST', url: `${resourceUrl}/test` })
}

/** Runs last, because rules change all later prices. */
async function recordSelling({ keep, keepProblem, put }: Recorder, bookingId: string): Promise<void> {
  const url = '/api/operator/selling/rules'
  const rules = [
    { priority: 10, match: { country: ['FR'], nights: { from: 3 } }, percent: 8, cancel_buffer_hours: 24 },
    { priority: 100, percent: 12.5, rounding: { step: 1, mode: 'up', minus: 0.01 } },
  ]
  await keep('operatorSellingSetRules', 200, { method: 'PUT', url, payload: { rules } })
  await keepProblem('rules_changed', { method: 'PUT', url, payload: { rules, based_on: 0 } })
  await keep('operatorSellingRules', 200, { url })
  await keep('operatorSellingVersion', 200, { url: `${url}/1` })
  const net = { amount: 200, currency: 'EUR' }
  const payload = { vendor_id: 'simulator', check_in: '2027-03-12', check_out: '2027-03-14', net }
  await keep('operatorSellingTry', 200, { method: 'POST', url: '/api/operator/selling/try', payload })
  await keep('operatorSellingBooking', 200, { url: `/api/operator/selling/bookings/${bookingId}` })
  // Statements omit simulated bookings, so this line is written by hand.
  put('operatorStatements', 200, { data: [STATEMENT_LINE] })
}

const STATEMENT_LINE = {
  month: '2027-03',
  vendor_id: 'expedia_rapid',
  currency: 'EUR',
  bookings: 41,
  cancelled: 3,
  open: 0,
  partly_cancelled: 0,
  sold: 9225,
  due_at_property: 164,
  net: 8200,
  penalties: 225,
  margin: 1050,
  net_currency: 'EUR',
  vendor_penalties: 200,
  payable: 8236,
  collected: 4100,
  refunded: 150,
  uncollected: 0,
  disputed: 0,
  provider_fees: 61.5,
  on_account: 5336,
}

async function recordProblems({ keepProblem }: Recorder): Promise<void> {
  const search = { ...SEARCH, payload: aSearch(NOT_THERE) }
  const { simulate: _simulate, ...real } = search
  await keepProblem('location_not_found', real)
  await keepProblem('invalid_request', { ...search, payload: { ...aSearch(NOT_THERE), occupancies: [{ adults: 0 }] } })
  await keepProblem('malformed_request', { ...real, payload: '{', headers: { 'content-type': 'application/json' } })
  await keepProblem('unsupported_media_type', { ...real, payload: 'x', headers: { 'content-type': 'text/plain' } })
  await keepProblem('unknown_simulation', { ...search, simulate: 'sucess' })
  await keepProblem('rate_limited', { ...search, simulate: 'rate_limited' })
  await keepProblem('vendors_failed', { ...search, simulate: 'vendor_error' })
  const soon = { ...aSearch(NOT_THERE), timeout_ms: 500 }
  await keepProblem('vendor_timeout', { ...search, payload: soon, simulate: 'vendor_timeout' })
  await keepProblem('search_not_found', { url: `/api/accommodation_searches/${NOT_THERE}/availability` })
  await keepProblem('booking_not_found', { url: '/api/accommodation/bookings/bkg_0' })
}

/** Deterministic ids in our format. */
function createSequentialIds(): Ids {
  let count = 0
  const next = () => {
    count += 1
    return createHash('sha256').update(String(count)).digest('hex')
  }
  return {
    uuid: () => uuidV5In(NOT_THERE)(next()),
    prefixed: (prefix) => `${prefix}_${next().slice(0, 20)}`,
  }
}

/** Collects received events by type. */
async function startReceiver() {
  const events: Record<string, unknown> = {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const event = JSON.parse(String(Buffer.concat(chunks)))
    events[event.type] = event
    response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    events,
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const mapValues = <From, To>(members: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]))
