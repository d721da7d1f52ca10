import { expect, test } from 'vitest'
import { createDeliverWebhooks } from '../../../src/webhooks/deliver-webhooks.ts'
import type { Claim, Delivery, WebhookDeliveryStore } from '../../../src/webhooks/store/deliveries.ts'
import type { SendOutcome } from '../../../src/webhooks/webhook-sender.ts'
import { manualClock } from '../../support/time/clock.ts'

const aDelivery = (webhookId: string, n: number, accountId = `acc_${webhookId}`): Delivery => ({
  webhookId,
  accountId,
  bookingId: `bkg_${n}`,
  sequence: 3,
  payload: '{}',
  since: 0,
  tries: 1,
  attempts: 1,
  target: { url: webhookId, secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`] },
})

/** A queue in memory that hands out as the real one does, and says how things stood when it was asked. */
function queueOf(waiting: Delivery[], whenAsked: (claim: Claim) => Promise<void> = async () => undefined) {
  const done: Delivery[] = []
  const deliveries = {
    async claimDue(claim: Claim) {
      await whenAsked(claim)
      const taken = new Map(claim.busy)
      const takenByAccount = new Map(claim.busyAccounts)
      const chosen: Delivery[] = []
      for (const delivery of waiting) {
        const before = taken.get(delivery.webhookId) ?? 0
        const ofAccount = takenByAccount.get(delivery.accountId) ?? 0
        if (before >= claim.mostPerWebhook || ofAccount >= claim.mostPerAccount || chosen.length >= claim.most) continue
        taken.set(delivery.webhookId, before + 1)
        takenByAccount.set(delivery.accountId, ofAccount + 1)
        chosen.push(delivery)
      }
      for (const delivery of chosen) waiting.splice(waiting.indexOf(delivery), 1)
      return chosen
    },
    delivered: async (delivery: Delivery) => void done.push(delivery),
    deleteOld: async () => 0,
  } as unknown as WebhookDeliveryStore
  return { deliveries, done }
}

const clock = manualClock()
const log = { note: async () => undefined }
const onBug = (error: unknown) => {
  throw error
}
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

test('one run empties the queue, even when all receivers fall idle while it looks for more', async () => {
  const many = Array.from({ length: 23 }, (_, n) => aDelivery('a', n))
  const { deliveries, done } = queueOf(many, () => pause(5))
  const sender = { send: async (): Promise<SendOutcome> => ({ status: 200 }) }
  expect(await createDeliverWebhooks({ deliveries, log, sender, clock, onBug })()).toBe(23)
  expect(done).toHaveLength(23)
})

test('old deliveries are all deleted, however many there are', async () => {
  const left = [500, 500, 3, 0]
  const deliveries = { ...queueOf([]).deliveries, deleteOld: async () => left.shift() ?? 0 }
  const sender = { send: async (): Promise<SendOutcome> => ({ status: 200 }) }
  await createDeliverWebhooks({ deliveries, log, sender, clock, onBug })()
  expect(left).toEqual([])
})

test('a receiver that answers slowly keeps its own places and holds up nobody else', async () => {
  const slow = Array.from({ length: 10 }, (_, n) => aDelivery('slow', n))
  const fast = Array.from({ length: 40 }, (_, n) => aDelivery('fast', 100 + n))
  const { deliveries, done } = queueOf([...slow, ...fast])
  const atOnce = { slow: 0, most: 0 }
  const { promise: answer, resolve: answerNow } = Promise.withResolvers<void>()
  const sender = {
    async send(url: string): Promise<SendOutcome> {
      if (url === 'fast') return { status: 200 }
      atOnce.slow += 1
      atOnce.most = Math.max(atOnce.most, atOnce.slow)
      await answer
      atOnce.slow -= 1
      return { status: 200 }
    },
  }
  const run = createDeliverWebhooks({ deliveries, log, sender, clock, onBug })()
  await pause(50)
  expect(done.filter(({ webhookId }) => webhookId === 'fast')).toHaveLength(40)
  expect(done).toHaveLength(40)
  answerNow()
  expect(await run).toBe(50)
  expect(atOnce.most).toBeLessThanOrEqual(4)
})

test('an account with many slow receivers has six deliveries under way at most, and others are sent meanwhile', async () => {
  const slow = Array.from({ length: 40 }, (_, n) => aDelivery(`slow_${n % 10}`, n, 'acc_slow'))
  const fast = Array.from({ length: 40 }, (_, n) => aDelivery('fast', 100 + n))
  const { deliveries, done } = queueOf([...slow, ...fast])
  let slowNow = 0
  let slowMost = 0
  const { promise: answer, resolve: answerNow } = Promise.withResolvers<void>()
  const sender = {
    async send(url: string): Promise<SendOutcome> {
      if (url === 'fast') return { status: 200 }
      slowNow += 1
      slowMost = Math.max(slowMost, slowNow)
      await answer
      slowNow -= 1
      return { status: 200 }
    },
  }
  const run = createDeliverWebhooks({ deliveries, log, sender, clock, onBug })()
  await pause(50)
  const doneMeanwhile = done.map(({ webhookId }) => webhookId)
  answerNow()
  expect(await run).toBe(80)
  expect(doneMeanwhile).toEqual(fast.map(({ webhookId }) => webhookId))
  expect(slowMost).toBe(6)
})

test('a process that wants to end finishes what is under way and begins nothing', async () => {
  const { deliveries, done } = queueOf(Array.from({ length: 30 }, (_, n) => aDelivery('a', n)))
  let draining = false
  const sender = {
    async send(): Promise<SendOutcome> {
      draining = true
      await pause(5)
      return { status: 200 }
    },
  }
  const run = createDeliverWebhooks({ deliveries, log, sender, clock, onBug, isDraining: () => draining })
  expect(await run()).toBe(4)
  expect(done).toHaveLength(4)
  expect(await run()).toBe(0)
})

test('a bug with one delivery is reported and the others go out', async () => {
  const { deliveries, done } = queueOf([aDelivery('bad', 1), aDelivery('good', 2)])
  const bugs: unknown[] = []
  const sender = {
    async send(url: string): Promise<SendOutcome> {
      if (url === 'bad') throw new TypeError('ours')
      return { status: 200 }
    },
  }
  await createDeliverWebhooks({ deliveries, log, sender, clock, onBug: (error) => bugs.push(error) })()
  expect(done.map(({ webhookId }) => webhookId)).toEqual(['good'])
  expect(bugs).toHaveLength(1)
})
