import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'
import { type PaymentApp, paymentApp } from '../../support/payments/payment-app.ts'

let without: LedgerApp
let beside: PaymentApp
beforeAll(async () => {
  without = await ledgerApp()
  beside = await paymentApp()
})
afterAll(() => Promise.all([without.close(), beside.close()]))

type App = Pick<LedgerApp, 'room' | 'as' | 'book'>

/** The calls of a booking, by an account that pays on account. Only the names of all members are compared. */
async function callsOf(app: App, token: string) {
  const ask = async (url: string, method: 'GET' | 'POST' = 'GET') => (await app.as(token, { method, url })).json()
  const places = await ask('/api/locations/search?starts_with=Zermatt')
  const payload = {
    ...{ destination_id: places.data[0].id, check_in: '2027-02-24', check_out: '2027-02-26' },
    ...{ occupancies: [{ adults: 2 }], currency: 'EUR', timeout_ms: 15_000 },
  }
  const url = '/api/accommodation_searches/search'
  const search = (await app.as(token, { method: 'POST', url, payload })).json()
  const { search_id, availability } = search.data
  const query = `search_id=${search_id}&property_id=${availability[0].property_id}`
  const detail = await ask(`/api/accommodation_searches/accommodation?${query}&raw=true`)
  const [room] = detail.available_rooms
  const check = await ask(room.booking_info.price_check_uri)
  const booked = (await app.book(room.booking_info, {}, token)).json()
  const bookingUrl = `/api/accommodation/bookings/${booked.data.booking_id}`
  const shown = await ask(bookingUrl)
  const cancelled = await ask(`${bookingUrl}/cancel`, 'POST')
  return { places, search, detail, check, booked, shown, cancelled }
}

const isPaymentMember = (name: string) => /payment|card|captured/.test(name)
function memberNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(memberNames)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...memberNames(member)])
}

test('without a provider, no answer of a booking has a member about payments', async () => {
  const answers = await callsOf(without, without.token)
  expect(memberNames(answers).filter(isPaymentMember)).toEqual([])
  expect(answers.cancelled.data.status).toBe('cancelled')
})

test('with a provider, a booking on account gets the same members, and the provider is not called', async () => {
  const names = (answers: Awaited<ReturnType<typeof callsOf>>) =>
    [answers.check.data, answers.booked.data, answers.shown.data, answers.cancelled.data].map((data) =>
      Object.keys(data),
    )
  const expected = names(await callsOf(without, without.otherToken))
  expect(names(await callsOf(beside, beside.otherToken))).toEqual(expected)
  expect(beside.provider.calls).toEqual([])
})
