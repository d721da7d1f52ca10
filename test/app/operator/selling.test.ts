import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BookingSaleResponse, OneVersionResponse } from '../../../src/selling/schemas.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { OPERATOR, operatorToken } from '../../support/app/operator.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

const RULES = '/api/operator/selling/rules'
const wrong = { priority: 10, percent: 120 }
const right = { priority: 10, percent: 12 }

let app: TestApp
let token: string
beforeAll(async () => {
  app = await testApp()
  token = await operatorToken(app)
  await setSeesNet(true)
})
afterAll(() => app.close())

/** Permissions are cached for a second. */
async function setSeesNet(isAllowed: boolean): Promise<void> {
  await app.manageAccounts.setSeesNet(OPERATOR.email, isAllowed)
  app.clock.advance(1_001)
}

async function operate(options: InjectOptions, status = 200) {
  const answer = await app.as(token, options)
  expect(answer.statusCode, answer.body).toBe(status)
  return answer.json()
}
const put = (payload: object, status?: number) => operate({ method: 'PUT', url: RULES, payload }, status)

async function book(): Promise<string> {
  const client = await app.signIn()
  const headers = { 'x-simulate-return': 'success' }
  const as = async (options: InjectOptions) => {
    const answer = await app.as(client, { headers, ...options })
    expect(answer.statusCode, answer.body.slice(0, 400)).toBeLessThan(300)
    return answer.json()
  }
  const { data: places } = await as({ url: '/api/locations/search?starts_with=Paris' })
  const { data: found } = await as({
    method: 'POST',
    url: '/api/accommodation_searches/search',
    payload: {
      destination_id: places[0].id,
      check_in: '2027-03-10',
      check_out: '2027-03-13',
      occupancies: [{ adults: 2 }],
      currency: 'EUR',
    },
  })
  const query = `search_id=${found.search_id}&property_id=${found.availability[0].property_id}`
  const { accommodation } = await as({ url: `/api/accommodation_searches/accommodation?${query}` })
  const payload = {
    ...accommodation.available_rooms[0].booking_info,
    guests: [{ given_name: 'Ana', family_name: 'Costa', email: 'ana@example.com', phone: '+351910000000' }],
  }
  return (await as({ method: 'POST', url: '/api/accommodation/book', payload })).data.booking_id
}

test('a wrong rule is found from a booking, corrected, and its offer tried with the corrected rules', async () => {
  const { version } = (await put({ rules: [wrong] })).data
  const bookingId = await book()
  const shown = await operate({ url: `/api/operator/selling/bookings/${bookingId}` })
  expectToMatch(BookingSaleResponse, shown)
  const { sold, trial } = shown.data
  expect(sold).toMatchObject({ version, rule: { priority: 10, percent: 120 }, currency: 'EUR' })
  const parts = ['net', 'exchange', 'percent', 'per_night', 'per_stay', 'rounding', 'bounds'] as const
  expect(parts.reduce((sum, part) => sum + sold[part], 0)).toBeCloseTo(sold.selling, 6)
  expect(sold.selling).toBeCloseTo(sold.net * 2.2, 1)

  const tried = await operate({
    method: 'POST',
    url: '/api/operator/selling/try',
    payload: { ...trial, rules: [right] },
  })
  expect(tried.data.selling).toBeCloseTo(sold.net * 1.12, 1)
  await put({ rules: [right], based_on: version, reason: '120 % was a slip' })
  const now = await operate({ method: 'POST', url: '/api/operator/selling/try', payload: trial })
  expect(now.data).toMatchObject({ version: version + 1, rule: right, selling: tried.data.selling })
  const again = await operate({ url: `/api/operator/selling/bookings/${bookingId}` })
  expect(again.data.sold, 'what was booked keeps its price').toEqual(sold)
})

test('an earlier version of the rules can be read and stored again', async () => {
  const first = (await put({ rules: [{ priority: 1, percent: 3 }] })).data.version
  const second = (await put({ rules: [] })).data.version
  const shown = await operate({ url: `${RULES}/${first}` })
  expectToMatch(OneVersionResponse, shown)
  expect(shown.data).toMatchObject({
    version: first,
    rules: [{ priority: 1, percent: 3 }],
    changed_by: { kind: 'operator' },
  })
  expect((await put({ rules: shown.data.rules, based_on: second })).data.rules).toMatchObject([{ percent: 3 }])
  expect((await operate({ url: `${RULES}/999999` }, 404)).code).toBe('rules_not_found')
})

test('two operators cannot overwrite each other’s rules unnoticed', async () => {
  const { version } = (await operate({ url: RULES })).data
  const answers = await Promise.all(
    [4, 5].map((percent) =>
      app.as(token, { method: 'PUT', url: RULES, payload: { rules: [{ priority: 1, percent }], based_on: version } }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const late = answers.find(({ statusCode }) => statusCode === 409)
  expect(late?.json().code).toBe('rules_changed')
  expect((await operate({ url: RULES })).data.version).toBe(version + 1)
})

test('a trial on another day applies the rules for days before arrival to that day', async () => {
  const rules = [{ priority: 1, match: { lead_days: { to: 10 } }, percent: 10 }]
  const offer = {
    vendor_id: 'any',
    net: { amount: 100, currency: 'EUR' },
    check_in: '2027-03-10',
    check_out: '2027-03-11',
    rules,
  }
  const on = async (day: string) =>
    (await operate({ method: 'POST', url: '/api/operator/selling/try', payload: { ...offer, asked_on: day } })).data
      .selling
  expect(await on('2027-03-01')).toBe(110)
  expect(await on('2027-01-01')).toBe(100)
})

test.each(['9999-12', '0000-01', '2027-13'])('a statement of the impossible month %s is refused', async (month) => {
  const refusal = await operate({ url: `/api/operator/statements?from=${month}` }, 422)
  expect(refusal.errors).toMatchObject([{ field: 'from', code: 'wrong_format' }])
})

test.each(['/api/operator/statements?from=2027-03', '/api/operator/selling/bookings/unknown'])(
  '%s requires access to net prices, and the error says how to permit it',
  async (url) => {
    await setSeesNet(false)
    const refusal = await operate({ url }, 403)
    expect(refusal).toMatchObject({ code: 'insufficient_scope', detail: expect.stringContaining('see_net') })
    await setSeesNet(true)
    expect((await app.as(token, { url })).statusCode).not.toBe(403)
  },
)

test('the sale of an unknown booking returns 404', async () => {
  expect((await operate({ url: '/api/operator/selling/bookings/bkg_0' }, 404)).code).toBe('booking_not_found')
})
