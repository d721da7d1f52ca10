import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OTHER_ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'
import { UNLIMITED } from '../../support/app/ledger-app.ts'

let app: TestApp
let token: string
let bookingUrl: string
const simulated = { 'x-simulate-return': 'success' }
beforeAll(async () => {
  app = await testApp({ allowPrivateWebhookTargets: true, allowances: UNLIMITED })
  token = await app.signIn()
  bookingUrl = `/api/accommodation/bookings/${await book('first')}`
})
afterAll(() => app.close())

const call = (options: InjectOptions) => app.as(token, options)
const ifNoneMatch = (url: string, tag: string) => call({ url, headers: { 'if-none-match': tag } })
async function book(bed: string): Promise<string> {
  const booked = await call({
    method: 'POST',
    url: '/api/accommodation/book',
    payload: { bed_id: bed, price_check_uri: '/api/accommodation/price_check?token=none' },
    headers: simulated,
  })
  return booked.json().data.booking_id
}
const amend = (text: string, headers = {}) =>
  call({ method: 'PATCH', url: bookingUrl, payload: { special_requests: text }, headers: { ...simulated, ...headers } })
const tagOf = async (url: string) => String((await call({ url })).headers.etag)

describe('a booking', () => {
  test('an unchanged booking is 304 without a body, and a changed one is sent with another tag', async () => {
    const tag = await tagOf(bookingUrl)
    expect(tag).toMatch(/^"[\w-]{6}"$/)
    const unchanged = await ifNoneMatch(bookingUrl, tag)
    expect([unchanged.statusCode, unchanged.body, unchanged.headers.etag]).toEqual([304, '', tag])
    expect(unchanged.headers['content-type']).toBeUndefined()
    expect((await amend('an early check-in')).statusCode).toBe(200)
    const changed = await ifNoneMatch(bookingUrl, tag)
    expect([changed.statusCode, changed.json().data.special_requests]).toEqual([200, 'an early check-in'])
    expect(changed.headers.etag).not.toBe(tag)
  })

  test('weak tags, lists of tags and * match', async () => {
    const tag = await tagOf(bookingUrl)
    for (const sent of [`W/${tag}`, `"a", ${tag}`, '*'])
      expect([sent, (await ifNoneMatch(bookingUrl, sent)).statusCode]).toEqual([sent, 304])
    expect((await ifNoneMatch(bookingUrl, '"other"')).statusCode).toBe(200)
  })

  test('a booking whose cancellation terms change with time gets another tag', async () => {
    const urls = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map(async (bed) => `/api/accommodation/bookings/${await book(bed)}`),
    )
    const shown = await Promise.all(urls.map((url) => call({ url })))
    const free = shown.find((answer) => answer.json().data.cancel_policy.cancelation === 'free')
    if (free === undefined) throw new Error('no simulated booking has free cancellation')
    const { booking_id: id, cancel_policy: policy } = free.json().data
    app.clock.advance(Date.parse(policy.expires) - app.clock.now() + 1_000)
    token = await app.signIn()
    const later = await ifNoneMatch(`/api/accommodation/bookings/${id}`, String(free.headers.etag))
    expect(later.statusCode).toBe(200)
    expect(later.json().data.cancel_policy.cancelation).not.toBe('free')
  })

  test('an unknown booking is 404, whatever tag is sent', async () => {
    expect((await ifNoneMatch('/api/accommodation/bookings/bkg_none', '*')).statusCode).toBe(404)
  })

  test('another account does not learn that it is unchanged', async () => {
    const other = await app.signIn(OTHER_ACCOUNT)
    const answer = await app.as(other, { url: bookingUrl, headers: { 'if-none-match': await tagOf(bookingUrl) } })
    expect(answer.statusCode).toBe(404)
  })
})

describe('changes', () => {
  test('a change with an outdated tag is refused (412) and does nothing; with the current one it is made', async () => {
    const outdated = await tagOf(bookingUrl)
    expect((await amend('earlier')).statusCode).toBe(200)
    const before = (await call({ url: bookingUrl })).body
    for (const refused of [
      await amend('lost', { 'if-match': outdated }),
      await call({ method: 'POST', url: `${bookingUrl}/cancel`, headers: { ...simulated, 'if-match': outdated } }),
    ])
      expect([refused.statusCode, refused.json()]).toMatchObject([412, { code: 'precondition_failed', effect: 'none' }])
    expect((await call({ url: bookingUrl })).body).toBe(before)
    expect((await amend('kept', { 'if-match': await tagOf(bookingUrl) })).statusCode).toBe(200)
  })

  test('of two concurrent changes with the current tag one is made and the other is refused (412)', async () => {
    const tag = await tagOf(bookingUrl)
    const both = await Promise.all(['one', 'other'].map((text) => amend(text, { 'if-match': tag })))
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412])
    const made = both.find(({ statusCode }) => statusCode === 200)?.json().data.special_requests
    expect((await call({ url: bookingUrl })).json().data.special_requests).toBe(made)
    const url = `/api/accommodation/bookings/${await book('third')}`
    const headers = { ...simulated, 'if-match': await tagOf(url) }
    const cancel = () => call({ method: 'POST', url: `${url}/cancel`, headers })
    const cancelled = await Promise.all([cancel(), cancel()])
    expect(cancelled.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412])
  })

  test('a webhook is changed, rotated and deleted only with its current tag, if one is sent', async () => {
    const payload = { url: 'http://localhost:9/a' }
    const { id } = (await call({ method: 'POST', url: '/api/webhooks', payload })).json().data
    const url = `/api/webhooks/${id}`
    const outdated = await tagOf(url)
    const update = (tag: string) =>
      call({ method: 'PATCH', url, payload: { description: tag }, headers: { 'if-match': tag } })
    expect((await update(outdated)).statusCode).toBe(200)
    expect((await update(outdated)).statusCode).toBe(412)
    const remove = (tag: string) => call({ method: 'DELETE', url, headers: { 'if-match': tag } })
    const rotate = (tag: string) => call({ method: 'POST', url: `${url}/rotate_secret`, headers: { 'if-match': tag } })
    expect([(await remove(outdated)).statusCode, (await rotate(outdated)).statusCode]).toEqual([412, 412])
    expect((await rotate(await tagOf(url))).statusCode).toBe(200)
    expect((await remove(await tagOf(url))).statusCode).toBe(204)
  })
})

describe('lists', () => {
  test.each(['/api/accommodation/bookings', '/api/accommodation_searches', '/api/locations/search?starts_with=par'])(
    'an unchanged list is 304: %s',
    async (url) => {
      const tag = await tagOf(url)
      const unchanged = await ifNoneMatch(url, tag)
      expect([unchanged.statusCode, unchanged.body]).toEqual([304, ''])
    },
  )

  test('a list with another booking has another tag', async () => {
    const url = '/api/accommodation/bookings'
    const tag = await tagOf(url)
    await book('second')
    expect((await ifNoneMatch(url, tag)).statusCode).toBe(200)
  })

  test('a refused list (422) has no tag', async () => {
    const refused = await call({ url: '/api/accommodation/bookings?limit=0' })
    expect([refused.statusCode, refused.headers.etag]).toEqual([422, undefined])
  })
})
