import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startReceiver } from '../../support/http/webhook-receiver.ts'
import { context, inEur, openStripeBench, type StripeBench } from '../../support/payments/stripe-bench.ts'

let bench: StripeBench
let shop: Awaited<ReturnType<typeof startReceiver>>
beforeEach(async () => {
  shop = await startReceiver()
  bench = await openStripeBench({ settings: { webhookRetryMs: 10 } })
  await bench.control.setWebhook({ url: shop.url, secrets: ['whsec_serai_sandbox'] })
})
afterEach(async () => {
  await bench.close()
  await shop.stop()
})

const types = () => shop.received.map(({ body }) => body.type)
const read = (nth: number) => {
  const received = shop.received[nth]
  return received && bench.provider.readNotification(received.headers, Buffer.from(received.text))
}

test('the adapter accepts every event that is delivered, and reads the payment', async () => {
  const reference = await bench.authorise()
  await bench.provider.capture(reference, inEur(22_990), 'k', context())
  await bench.control.settled()
  expect(types().sort()).toEqual([
    'payment_intent.amount_capturable_updated',
    'payment_intent.created',
    'payment_intent.succeeded',
  ])
  for (const nth of [0, 1, 2]) expect(read(nth)).toMatchObject({ references: [reference] })
})

test('with two secrets each event has two signatures, so that either can be removed', async () => {
  await bench.control.setWebhook({ url: shop.url, secrets: ['whsec_new', 'whsec_serai_sandbox'] })
  await bench.create()
  await bench.control.settled()
  expect(String(shop.received[0]?.headers['stripe-signature']).match(/v1=/g)).toHaveLength(2)
  expect(read(0)).toMatchObject({ type: 'payment_intent.created' })
})

describe('deliveries', () => {
  test('are repeated until they are accepted, with the same event id', async () => {
    const busy = await startReceiver((response, nth) => response.writeHead(nth <= 2 ? 503 : 200).end())
    await bench.control.setWebhook({ url: busy.url, secrets: ['whsec_serai_sandbox'] })
    await bench.create()
    await expect.poll(() => busy.received.length).toBe(3)
    expect(new Set(busy.received.map(({ text }) => JSON.parse(text).id)).size).toBe(1)
    await busy.stop()
  })

  test('may be doubled', async () => {
    await bench.control.change({ webhookDuplicates: 1 })
    await bench.create()
    await bench.control.settled()
    expect(types()).toEqual(['payment_intent.created', 'payment_intent.created'])
  })

  test('may be lost', async () => {
    await bench.control.change({ webhookDrops: 1 })
    await bench.create()
    await bench.control.settled()
    expect(types()).toEqual([])
    expect((await bench.control.events()).all).toHaveLength(1)
  })

  test('may overtake each other', async () => {
    await bench.control.change({ webhookReorders: 1 })
    await bench.authorise()
    await bench.control.settled()
    expect(types()).toEqual(['payment_intent.amount_capturable_updated', 'payment_intent.created'])
  })

  test('may come before the answer of the call that caused them', async () => {
    await bench.control.change({ webhookBeforeAnswer: 1 })
    await bench.create()
    expect(types()).toEqual(['payment_intent.created'])
  })

  test('can be held, released in any order, and sent again', async () => {
    await bench.control.change({ webhookHold: 1 })
    await bench.authorise()
    const { held } = await bench.control.events()
    expect(types()).toEqual([])
    const [first = '', second = ''] = held.map(({ id }) => id)
    await bench.control.release([second, first, second])
    expect(types().map((type) => type.split('.')[1])).toEqual([
      'amount_capturable_updated',
      'created',
      'amount_capturable_updated',
    ])
  })
})

test('a forged event reaches the service, and the adapter refuses it', async () => {
  const event = { id: 'evt_forged', type: 'payment_intent.succeeded', livemode: false, data: { object: {} } }
  expect(await bench.control.forge(event)).toBe(true)
  expect(read(0)).toBe('unsigned')
})
