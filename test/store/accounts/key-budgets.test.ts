import { expect, test } from 'vitest'
import { type ApiKey, createApiKeyStore } from '../../../src/accounts/store/api-keys.ts'
import { createBudgetSpending, readRemaining } from '../../../src/accounts/store/key-budgets.ts'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import type { By } from '../../../src/domain/actor.ts'
import type { Booking } from '../../../src/domain/booking/booking.ts'
import { type Budget, BudgetExceeded } from '../../../src/domain/money/budget.ts'
import type { Database } from '../../../src/store/database.ts'
import { aBooking, aPrice, euro, START, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

const rates = () => ({ date: '2027-01-01', rates: { EUR: 1, USD: 2 } })
const PRICE = 24_990
let serial = 0

onBothDatabases('budgets of keys', (open) => {
  const openStore = (database: Database) => createBookingStore(database, storeKeys, createBudgetSpending(rates))

  async function aKey(budget: Budget | undefined, more: Partial<ApiKey> = {}) {
    serial += 1
    const id = `key_${serial}`
    const key: ApiKey = {
      id,
      accountId: 'acc_1',
      hint: '',
      name: 'n',
      mode: 'live',
      scopes: ['book'],
      perMinute: undefined,
      budget,
      createdAt: START,
      lastUsedAt: undefined,
      revokedAt: undefined,
      ...more,
    }
    await createApiKeyStore(open()).add(key, `hash ${id}`, 1_000)
    return {
      id,
      by: { actor: { kind: 'key', id } } satisfies By,
      left: async () => budget && (await readRemaining(open().read, id, budget, START, rates()))?.minor,
    }
  }

  async function book(by: By, more: Partial<Booking> = {}): Promise<string> {
    serial += 1
    const bookingId = `bkg_${serial}`
    const booking = aBooking({ bookingId, reference: `REF${serial}`, state: 'submitting', createdAt: START, ...more })
    const keys = { offerId: `off_${serial}`, idempotencyKey: `k ${serial}`, fingerprint: 'f' }
    await openStore(open()).create(booking, keys, START, START, by)
    return bookingId
  }

  const move = (by: By, id: string, from: Booking['state'], to: Booking['state'], feeMinor?: number) =>
    openStore(open()).move(id, from, to, {
      at: START,
      by,
      dueAt: null,
      ...(feeMinor === undefined ? {} : { cancelFeeMinor: feeMinor }),
    })

  const daily = (minor: number): Budget => ({ limit: euro(minor), per: 'day' })

  test('of 100 concurrent bookings exactly as many are made as the budget of the key allows', async () => {
    const key = await aKey(daily(7 * PRICE + 100))
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => book(key.by)))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused.filter((error) => !(error instanceof BudgetExceeded))).toEqual([])
    expect(results.length - refused.length).toBe(7)
    expect(await key.left()).toBe(100)
  })

  test('a booking refused by the budget leaves no row behind', async () => {
    const key = await aKey(daily(PRICE - 1))
    await expect(book(key.by)).rejects.toBeInstanceOf(BudgetExceeded)
    expect(await openStore(open()).any(`bkg_${serial}`)).toBeUndefined()
    expect(await openStore(open()).events(`bkg_${serial}`)).toEqual([])
  })

  test('the budget gets the price of a rejected booking back, but not of one in doubt', async () => {
    const key = await aKey(daily(10 * PRICE))
    const id = await book(key.by)
    await move(key.by, id, 'submitting', 'in_doubt')
    expect(await key.left()).toBe(9 * PRICE)
    await move(key.by, id, 'in_doubt', 'needs_review')
    expect(await key.left()).toBe(9 * PRICE)
    await move(key.by, id, 'needs_review', 'rejected')
    expect(await key.left()).toBe(10 * PRICE)
  })

  test('a cancellation by any actor returns the price less the fee to the budget', async () => {
    const key = await aKey(daily(10 * PRICE))
    const id = await book(key.by)
    await move(key.by, id, 'submitting', 'confirmed')
    await move({ actor: { kind: 'account', id: 'acc_1' } }, id, 'confirmed', 'cancelling', 5_000)
    expect(await key.left()).toBe(9 * PRICE)
    await move({ actor: { kind: 'vendor', id: 'v' } }, id, 'cancelling', 'cancelled')
    expect(await key.left()).toBe(10 * PRICE - 5_000)
    expect(await move(key.by, id, 'cancelling', 'cancelled', 0), 'a second time').toBeUndefined()
    expect(await key.left()).toBe(10 * PRICE - 5_000)
  })

  test('a change of the guests for which the vendor charges more takes the difference from the budget', async () => {
    const key = await aKey(daily(10 * PRICE))
    const id = await book(key.by)
    await move(key.by, id, 'submitting', 'confirmed')
    const before = aBooking().persons
    const change = { before, after: { ...before, specialRequests: 'a cot' } }
    const facts = { at: START, by: key.by }
    const priced = { price: aPrice(PRICE + 3_000), cancel: undefined }
    await openStore(open()).amend(id, { ...change, priced }, facts)
    expect(await key.left()).toBe(9 * PRICE - 3_000)
    await move(key.by, id, 'confirmed', 'cancelling', 0)
    await move(key.by, id, 'cancelling', 'cancelled')
    expect(await key.left()).toBe(10 * PRICE)
  })

  test('the cancellation fee of a booking in another currency is converted proportionally', async () => {
    const budget: Budget = { limit: { minor: 1_000_000, currency: 'USD' }, per: 'month' }
    const key = await aKey(budget)
    const id = await book(key.by, { price: aPrice(10_001) })
    expect(await key.left()).toBe(1_000_000 - 20_002)
    await move(key.by, id, 'submitting', 'confirmed')
    await move(key.by, id, 'confirmed', 'cancelling', 3_333)
    await move(key.by, id, 'cancelling', 'cancelled')
    expect(await key.left()).toBe(1_000_000 - 6_666)
  })

  test('the budget is charged the selling price and the selling fee, not the net amounts', async () => {
    const key = await aKey({ limit: euro(50_000), per: 'day' })
    const sale = { terms: { version: 1 }, net: euro(PRICE), price: aPrice(30_000), cancel: undefined }
    const id = await book(key.by, { sale })
    expect(await key.left()).toBe(20_000)
    await move(key.by, id, 'submitting', 'confirmed')
    await move(key.by, id, 'confirmed', 'cancelling', 2_499)
    await move(key.by, id, 'cancelling', 'cancelled')
    expect(await key.left()).toBe(47_000)
    const tooMuch = await book(key.by, { sale: { ...sale, price: aPrice(48_000) } }).catch((error: unknown) => error)
    expect(tooMuch).toBeInstanceOf(BudgetExceeded)
    expect(`${tooMuch} ${JSON.stringify(tooMuch)}`).not.toMatch(/249\.9|24990/)
  })

  test('a booking is refused with the reason without an exchange rate to the currency of the budget', async () => {
    const key = await aKey({ limit: { minor: 1_000_000, currency: 'JPY' }, per: 'day' })
    await expect(book(key.by)).rejects.toMatchObject({
      code: 'budget_exceeded',
      message: expect.stringContaining('no exchange rate'),
    })
  })

  test('bookings of the account itself and of other keys do not reduce the budget of a key', async () => {
    const key = await aKey(daily(PRICE))
    await book({ actor: { kind: 'account', id: 'acc_1' } })
    await book((await aKey(undefined)).by)
    expect(await key.left()).toBe(PRICE)
  })

  test('real bookings reduce the budget of live keys, simulated ones that of test keys', async () => {
    const [live, trial] = [await aKey(daily(PRICE)), await aKey(daily(PRICE), { mode: 'test' })]
    await book(live.by, { simulated: true })
    await book(trial.by, { simulated: false })
    expect([await live.left(), await trial.left()]).toEqual([PRICE, PRICE])
    await book(live.by, { simulated: false })
    await book(trial.by, { simulated: true })
    expect([await live.left(), await trial.left()]).toEqual([0, 0])
  })
})
