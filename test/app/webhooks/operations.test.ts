import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  DeliveryList,
  DeliveryResponse,
  WebhookResponse,
  WebhookSecretResponse,
} from '../../../src/webhooks/schemas.ts'
import { OTHER_ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'
import { UNLIMITED } from '../../support/app/ledger-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { startReceiver } from '../../support/http/webhook-receiver.ts'

let app: TestApp
let token: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
let id: string
beforeAll(async () => {
  app = await testApp({ allowPrivateWebhookTargets: true, allowances: UNLIMITED })
  token = await app.signIn()
  receiver = await startReceiver()
  id = (await call({ method: 'POST', url: '/api/webhooks', payload: { url: receiver.url } })).json().data.id
})
afterAll(async () => {
  await receiver.stop()
  await app.close()
})

const call = (options: InjectOptions) => app.as(token, options)
const webhookUrl = (path = '') => `/api/webhooks/${id}${path}`
const patch = (payload: object) => call({ method: 'PATCH', url: webhookUrl(), payload })
const post = (path: string) => call({ method: 'POST', url: webhookUrl(path) })

/** Makes a simulated booking, which is sent to webhooks like any other. */
const book = (bed: string) =>
  call({
    method: 'POST',
    url: '/api/accommodation/book',
    payload: { bed_id: bed, price_check_uri: '/api/accommodation/price_check?token=none' },
    headers: { 'x-simulate-return': 'success' },
  })

describe('changing a webhook', () => {
  test('a change affects only the fields that are sent', async () => {
    const before = (await call({ url: webhookUrl() })).json().data
    const answer = await patch({ events: ['booking.confirmed', 'booking.confirmed'], description: 'mine', url: null })
    expect(answer.statusCode, answer.body).toBe(200)
    expectToMatch(WebhookResponse, answer.json())
    expect(answer.json().data).toEqual({ ...before, events: ['booking.confirmed'], description: 'mine' })
    expect((await call({ url: webhookUrl() })).json().data).toEqual(answer.json().data)
  })

  test.each([
    [{}, 'body'],
    [{ url: null, events: null }, 'body'],
    [{ url: 'not an address' }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['booking.pending'] }, 'events[0]'],
    [{ enabled: 'yes' }, 'enabled'],
  ])('the change %j is refused (422) with the field %s and changes nothing', async (payload, field) => {
    const before = (await call({ url: webhookUrl() })).body
    const answer = await patch(payload)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toMatchObject([{ field }])
    expect((await call({ url: webhookUrl() })).body).toBe(before)
  })
})

test('a rotated secret is shown once, with the time until which the earlier one is valid', async () => {
  const answer = await post('/rotate_secret')
  expect(answer.statusCode).toBe(200)
  expectToMatch(WebhookSecretResponse, answer.json())
  const { secret, earlier_secret_until: until } = answer.json().data
  expect(until).toBe(new Date(app.clock.now() + 24 * 3_600_000).toISOString())
  const shown = await call({ url: webhookUrl() })
  expect(shown.json().data.earlier_secret_until).toBe(until)
  expect(shown.body).not.toContain(secret)
})

test('earlier secrets end at once on request, and deliveries have one signature again', async () => {
  const countSignatures = async () => {
    await post('/test')
    await app.deliverWebhooks()
    return String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ').length
  }
  await post('/rotate_secret')
  expect((await patch({ end_earlier_secrets: false })).json().data.earlier_secret_until).not.toBeNull()
  expect(await countSignatures()).toBeGreaterThan(1)
  expect((await patch({ end_earlier_secrets: true })).json().data.earlier_secret_until).toBeNull()
  expect(await countSignatures()).toBe(1)
})

describe('deliveries', () => {
  test('a test event is queued at once, and the response of the receiver can be read', async () => {
    const sent = await post('/test')
    expect(sent.statusCode, sent.body).toBe(202)
    expectToMatch(DeliveryResponse, sent.json())
    expect(sent.json().data).toMatchObject({ status: 'pending', booking_id: null, attempts: [] })
    await app.deliverWebhooks()
    const read = await call({ url: webhookUrl(`/deliveries/${sent.json().data.id}`) })
    expectToMatch(DeliveryResponse, read.json())
    expect(read.json().data).toMatchObject({
      status: 'delivered',
      attempts: [{ attempt: 1, status: 204, error: null }],
    })
    expect(receiver.received.at(-1)?.body).toEqual(read.json().data.body)
  })

  test('every event is listed with its attempts and can be sent again', async () => {
    const { booking_id: bookingId } = (await book('1')).json().data
    await app.deliverWebhooks()
    const filter = `filters[0][field]=booking_id&filters[0][value]=${bookingId}`
    const listed = await call({ url: webhookUrl(`/deliveries?${filter}`) })
    expect(listed.statusCode, listed.body).toBe(200)
    expectToMatch(DeliveryList, listed.json())
    const [delivery] = listed.json().data
    expect(delivery).toMatchObject({ booking_id: bookingId, status: 'delivered', body: { type: 'booking.confirmed' } })

    const before = receiver.received.length
    const again = await post(`/deliveries/${delivery.id}/replay`)
    expect([again.statusCode, again.json().data.status]).toEqual([202, 'pending'])
    await app.deliverWebhooks()
    expect(receiver.received.slice(before).map(({ headers }) => headers['webhook-id'])).toEqual([delivery.id])
    const { data } = (await call({ url: webhookUrl(`/deliveries/${delivery.id}`) })).json()
    expect(data).toMatchObject({ status: 'delivered', attempts: [{ attempt: 1 }, { attempt: 2 }] })
  })

  test('an invalid list parameter is reported in the list envelope (422)', async () => {
    const answer = await call({ url: webhookUrl('/deliveries?order_by[]=color') })
    expect([answer.statusCode, answer.json().data]).toEqual([422, []])
  })

  test('an unknown delivery and one of another webhook return 404', async () => {
    const other = (await call({ method: 'POST', url: '/api/webhooks', payload: { url: receiver.url } })).json().data.id
    const [{ id: deliveryId }] = (await call({ url: webhookUrl('/deliveries?limit=1') })).json().data
    for (const url of [
      webhookUrl('/deliveries/evt_0_1'),
      `/api/webhooks/${other}/deliveries/${deliveryId}`,
      webhookUrl('/deliveries/%00'),
    ])
      expect([url, (await call({ url })).json().code]).toEqual([url, 'delivery_not_found'])
  })
})

test('nothing is sent to a disabled webhook (409) until it is enabled again', async () => {
  expect((await patch({ enabled: false })).json().data.status).toBe('disabled')
  const [{ id: deliveryId }] = (await call({ url: webhookUrl('/deliveries?limit=1') })).json().data
  for (const path of ['/test', `/deliveries/${deliveryId}/replay`]) {
    const refused = await post(path)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'webhook_disabled'])
    expect(refused.json().detail).toContain('"enabled": true')
  }
  expect((await patch({ enabled: true })).json().data.status).toBe('active')
  expect((await post('/test')).statusCode).toBe(202)
})

test('a webhook returns 404 for another account, whatever the operation', async () => {
  const other = await app.signIn(OTHER_ACCOUNT)
  const [{ id: deliveryId }] = (await call({ url: webhookUrl('/deliveries?limit=1') })).json().data
  const calls: InjectOptions[] = [
    { url: webhookUrl() },
    { method: 'PATCH', url: webhookUrl(), payload: { enabled: false } },
    { method: 'POST', url: webhookUrl('/rotate_secret') },
    { method: 'POST', url: webhookUrl('/test') },
    { url: webhookUrl('/deliveries') },
    { url: webhookUrl(`/deliveries/${deliveryId}`) },
    { method: 'POST', url: webhookUrl(`/deliveries/${deliveryId}/replay`) },
  ]
  for (const options of calls) {
    const answer = await app.as(other, options)
    expect([options.url, answer.statusCode, answer.json().code]).toEqual([options.url, 404, 'webhook_not_found'])
  }
})

test('a process that is shutting down starts no delivery and leaves it to another one', async () => {
  const { id: deliveryId } = (await post('/test')).json().data
  app.drain()
  expect(await app.deliverWebhooks()).toBe(0)
  const { status, attempts } = (await call({ url: webhookUrl(`/deliveries/${deliveryId}`) })).json().data
  expect({ status, attempts }).toEqual({ status: 'pending', attempts: [] })
})
