import { expect, test } from 'vitest'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import type { Booking } from '../../../src/domain/booking/booking.ts'
import { createReadStatement } from '../../../src/operator/statements/read-statement.ts'
import { sumStatement } from '../../../src/operator/statements/statement.ts'
import { statementBookings } from '../../../src/operator/store/statement-bookings.ts'
import { makeSale } from '../../../src/selling/make-sale.ts'
import { createSellingStore } from '../../../src/selling/store.ts'
import { aBooking, aPrice, BY_ACCOUNT, START, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

const RATES = { date: '2027-01-01', rates: { EUR: 1 } }

function createSoldBooking(number: number, more: Partial<Booking>): Booking {
  const price = aPrice(10_000 + number)
  const booking = aBooking({
    bookingId: `bkg_${number}`,
    reference: `REF${number}`,
    state: 'submitting',
    price,
    ...more,
  })
  const frame = { stay: booking.stay, currency: 'EUR', rates: RATES }
  const sale = makeSale(booking, { version: 1, priority: 1, percent: 10 }, frame)
  return sale === undefined || sale === 'unpriced' || number % 4 === 0 ? booking : { ...booking, sale }
}

onBothDatabases('selling', (open) => {
  test('selling rules are stored in versions with their author, and old versions are kept', async () => {
    const store = createSellingStore(open())
    expect(await store.latest()).toBeUndefined()
    await store.add('[]', { kind: 'operator', id: 'ana' }, 1_000)
    await store.add('[{"priority":1}]', { kind: 'operator', id: 'ben' }, 2_000)
    expect(await store.latest()).toEqual({
      version: 2,
      rules: '[{"priority":1}]',
      changedAt: 2_000,
      by: { kind: 'operator', id: 'ben' },
    })
    expect(await store.version(1)).toMatchObject({ rules: '[]', by: { id: 'ana' } })
    expect((await store.versions(10)).map(({ version }) => version)).toEqual([2, 1])
  })

  test('concurrent changes of selling rules get a version each', async () => {
    const store = createSellingStore(open())
    const before = (await store.latest())?.version ?? 0
    const by = { kind: 'operator', id: 'ana' } as const
    const made = await Promise.all(Array.from({ length: 10 }, (_, i) => store.add(`[${i}]`, by, i)))
    const versions = made.map((rules) => rules?.version ?? 0).sort((a, b) => a - b)
    expect(versions).toEqual(Array.from({ length: 10 }, (_, i) => before + 1 + i))
  })

  test('an account sees net prices only if it is allowed to', async () => {
    const store = createSellingStore(open())
    const account = { name: 'Ana', passwordHash: 'h', createdAt: 1, disabledAt: undefined, role: 'client' as const }
    const accounts = createAccountStore(open())
    await accounts.add({ id: 'acc_net', email: 'net@example.com', ...account })
    expect(await store.seesNet('acc_net')).toBe(false)
    expect(await accounts.setSeesNet('NET@example.com', true)).toBe(true)
    expect(await store.seesNet('acc_net')).toBe(true)
    await accounts.setSeesNet('net@example.com', false)
    expect([await store.seesNet('acc_net'), await store.seesNet('nobody')]).toEqual([false, false])
    expect(await accounts.setSeesNet('nobody@example.com', true)).toBe(false)
  })

  test('a statement equals the sum of the real bookings of its months, to the cent', async () => {
    const bookings = createBookingStore(open(), storeKeys)
    const made: Booking[] = []
    for (let number = 1; number <= 40; number += 1) {
      const createdAt = START + (number % 3) * 31 * 86_400_000
      const booking = createSoldBooking(number, {
        createdAt,
        simulated: number % 10 === 0,
        accountId: `acc_${number % 2}`,
      })
      const keys = { offerId: `off_${number}`, idempotencyKey: `key_${number}`, fingerprint: 'f' }
      await bookings.create(booking, keys, createdAt, createdAt, BY_ACCOUNT)
      const facts = { at: createdAt, by: BY_ACCOUNT, dueAt: null }
      const to = number % 5 === 0 ? 'rejected' : 'confirmed'
      let moved = await bookings.move(booking.bookingId, 'submitting', to, facts)
      if (number % 7 === 0 && to === 'confirmed') {
        moved = await bookings.move(booking.bookingId, 'confirmed', 'cancelling', { ...facts, cancelFeeMinor: 1_234 })
        moved = await bookings.move(booking.bookingId, 'cancelling', 'cancelled', facts)
      }
      made.push(moved?.booking ?? expect.fail('it did not move'))
      expect(await bookings.any(booking.bookingId)).toEqual(made.at(-1))
    }
    const real = made.filter(({ simulated }) => !simulated)
    const confirmed = real.filter(({ state }) => state === 'confirmed')
    const cancelled = real.filter(({ state }) => state === 'cancelled')
    const lines = await sumStatement(statementBookings(open(), { by: 'booking', from: '2027-01', to: '2027-03' }))
    for (const by of ['booking', 'check_out'] as const) {
      const query = { by, from: '2027-01', to: '2027-03' }
      const [whole, inPages] = [statementBookings(open(), query), statementBookings(open(), query, 3)]
      expect(await sumStatement(inPages)).toEqual(await sumStatement(whole))
    }
    const sum = (name: 'sold' | 'net' | 'penalties' | 'payable') => lines.reduce((all, line) => all + line[name], 0)
    const total = (all: Booking[], amount: (booking: Booking) => number) =>
      all.reduce((minor, booking) => minor + amount(booking), 0)
    expect(lines.map(({ period }) => period)).toEqual(['2027-01', '2027-02', '2027-03'])
    expect(cancelled.length).toBeGreaterThan(2)
    expect(sum('sold')).toBe(total(confirmed, ({ sale, price }) => (sale?.price ?? price).total.minor))
    expect(sum('net')).toBe(total(confirmed, ({ price }) => price.total.minor))
    expect(sum('penalties')).toBe(total(cancelled, ({ soldFee, cancelFee }) => (soldFee ?? cancelFee)?.minor ?? 0))
    expect(sum('payable')).toBe(sum('net') + total(cancelled, ({ cancelFee }) => cancelFee?.minor ?? 0))

    const march = await sumStatement(statementBookings(open(), { by: 'check_out', from: '2027-03', to: '2027-03' }))
    expect(march.map(({ bookings: count }) => count)).toEqual([confirmed.length])
    const query = { by: 'booking', from: '2027-01', to: '2027-03', accountId: 'acc_1' } as const
    const own = await sumStatement(statementBookings(open(), query))
    const count = confirmed.filter(({ accountId }) => accountId === 'acc_1').length
    expect(own.reduce((all, line) => all + line.bookings, 0)).toBe(count)
    expect(await createReadStatement(open())({ ...query, accountId: 'acc_\0' })).toEqual([])

    const { bookingId } = createSoldBooking(41, {})
    const keys = { offerId: 'off_41', idempotencyKey: 'key_41', fingerprint: 'f' }
    await bookings.create(createSoldBooking(41, { createdAt: START }), keys, START, START, BY_ACCOUNT)
    const rooms = ['confirmed', 'cancelled'] as const
    await bookings.move(bookingId, 'submitting', 'confirmed', { at: START, by: BY_ACCOUNT, dueAt: null, rooms })
    const [before] = lines
    const [after] = await sumStatement(statementBookings(open(), { by: 'booking', from: '2027-01', to: '2027-01' }))
    expect(after, 'cancelled rooms are not paid for').toEqual({ ...before, partlyCancelled: 1 })
  })
})
