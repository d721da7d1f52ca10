import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ACCOUNT_PROBLEM_MEMBERS } from '../../../src/accounts/schemas/api-keys.ts'
import type { Budget } from '../../../src/domain/money/budget.ts'
import { problemSchema } from '../../../src/http/schemas/problem.ts'
import type { Database } from '../../../src/store/database.ts'
import { ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

let database: Database
let app: TestApp
let accountId: string
beforeEach(async () => {
  database = await openMigrated()
  app = await testApp({}, { database })
  accountId = (await app.manageAccounts.byEmail(ACCOUNT.email))?.id ?? ''
})
afterEach(() => app.close())

async function createKey(budget: Budget | undefined, mode: 'live' | 'test' = 'test') {
  const order = { name: 'n', mode, scopes: ['book', 'cancel', 'read', 'admin'], perMinute: undefined, budget } as const
  const scopes = order.scopes.filter((scope) => mode === 'live' || scope !== 'admin')
  const { key, secret } = await app.manageKeys.create({ accountId, role: 'client' }, { ...order, scopes })
  return {
    id: key.id,
    secret,
    left: async () => (await app.manageKeys.all(accountId)).find(({ id }) => id === key.id)?.left,
  }
}

/** A new bed makes each call a new offer. Only the header permits test keys an offer that was never issued. */
const book = (as: string, headers: Record<string, string> = {}, bed: string = randomUUID()) =>
  app.as(as, {
    method: 'POST',
    url: '/api/accommodation/book',
    payload: { bed_id: bed },
    headers: { 'x-simulate-return': 'success', ...headers },
  })
const cancel = (as: string, id: string) =>
  app.as(as, { method: 'POST', url: `/api/accommodation/bookings/${id}/cancel` })

const inEuros = (minor: number, per: Budget['per'] = 'day'): Budget => ({ limit: { minor, currency: 'EUR' }, per })

test('the cost of a booking is taken from the budget of its key', async () => {
  const key = await createKey({ limit: { minor: 1_000_000, currency: 'EUR' }, per: 'month' })
  const { total_price, currency } = (await book(key.secret)).json().data
  expect(currency).toBe('EUR')
  expect(await key.left()).toEqual({ minor: 1_000_000 - Math.round(total_price * 100), currency: 'EUR' })
})

test('a booking that exceeds the budget fails with 402 and the remaining amount, and nothing is booked', async () => {
  const key = await createKey(inEuros(100))
  const refused = await book(key.secret)
  expect(refused.statusCode, refused.body).toBe(402)
  expectToMatch(problemSchema(ACCOUNT_PROBLEM_MEMBERS), refused.json())
  expect(refused.json()).toMatchObject({
    code: 'budget_exceeded',
    detail: expect.stringContaining('Choose a cheaper room, or wait until the budget renews.'),
    budget: { amount: 1, currency: 'EUR', per: 'day', left: 1, renews_at: expect.stringMatching(/T00:00:00\.000Z$/) },
  })
  expect((await app.as(key.secret, { url: '/api/accommodation/bookings' })).json().data).toEqual([])
  expect(await key.left()).toEqual({ minor: 100, currency: 'EUR' })
})

test('a hundred concurrent bookings never exceed the budget', async () => {
  const limit = 200_000
  const key = await createKey(inEuros(limit))
  const answers = await Promise.all(Array.from({ length: 100 }, () => book(key.secret)))
  const booked = answers.filter(({ statusCode }) => statusCode === 201)
  const spent = booked.reduce((sum, answer) => sum + Math.round(answer.json().data.total_price * 100), 0)
  expect(booked.length).toBeGreaterThan(1)
  expect(spent).toBeLessThanOrEqual(limit)
  const others = answers.filter((answer) => !booked.includes(answer))
  // 503: at most 64 bookings of one account may wait for a vendor.
  expect(others.filter(({ statusCode }) => statusCode !== 402 && statusCode !== 503)).toEqual([])
  expect(others.filter(({ statusCode }) => statusCode === 402).length).toBeGreaterThan(10)
  expect(await key.left()).toEqual({ minor: limit - spent, currency: 'EUR' })
})

test('a cancellation returns everything but the fee to the budget, once', async () => {
  const key = await createKey({ limit: { minor: 1_000_000, currency: 'EUR' }, per: 'day' })
  const id = (await book(key.secret)).json().data.booking_id
  const { penalty } = (await cancel(key.secret, id)).json().data
  await cancel(key.secret, id)
  expect(await key.left()).toEqual({ minor: 1_000_000 - Math.round(penalty * 100), currency: 'EUR' })
})

test('a repeated request takes nothing from the budget', async () => {
  const key = await createKey({ limit: { minor: 1_000_000, currency: 'EUR' }, per: 'day' })
  const again = { 'idempotency-key': 'one' }
  await book(key.secret, again, 'same')
  const left = await key.left()
  expect((await book(key.secret, again, 'same')).headers['idempotent-replayed']).toBe('true')
  expect(await key.left()).toEqual(left)
})

test('the budget is restored on the next day or in the next month', async () => {
  const [minor, currency] = [10_000, 'EUR']
  const [daily, monthly] = [await createKey(inEuros(minor, 'day')), await createKey(inEuros(minor, 'month'))]
  const spend = async (keyId: string) =>
    database.write((tx) =>
      tx
        .insertInto('key_spending')
        .values({
          booking_id: `b ${keyId}`,
          key_id: keyId,
          day: new Date(app.clock.now()).toISOString().slice(0, 10),
          currency,
          spent_minor: minor,
          kept_minor: minor,
        })
        .execute(),
    )
  await spend(daily.id)
  await spend(monthly.id)
  expect([(await daily.left())?.minor, (await monthly.left())?.minor]).toEqual([0, 0])
  app.clock.advance(24 * 3_600_000)
  expect([(await daily.left())?.minor, (await monthly.left())?.minor]).toEqual([minor, 0])
  app.clock.advance(31 * 24 * 3_600_000)
  expect((await monthly.left())?.minor).toBe(minor)
})

test('a simulated booking takes nothing from the budget of a live key', async () => {
  const key = await createKey(inEuros(100), 'live')
  expect((await book(key.secret)).statusCode).toBe(201)
  expect(await key.left()).toEqual({ minor: 100, currency: 'EUR' })
})

test('a budget that is set or changed later includes earlier spending', async () => {
  const key = await createKey(undefined)
  const { total_price } = (await book(key.secret)).json().data
  await app.manageKeys.setBudget(accountId, key.id, { limit: { minor: 1_000_000, currency: 'EUR' }, per: 'month' })
  expect(await key.left()).toEqual({ minor: 1_000_000 - Math.round(total_price * 100), currency: 'EUR' })
})
