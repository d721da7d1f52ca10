import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import { readBookings } from '../../../src/cli/commands/bookings.ts'
import type { Booking, BookingState } from '../../../src/domain/booking/booking.ts'
import type { Comparison } from '../../../src/domain/booking/discrepancy.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { createAttention } from '../../../src/operator/attention/attention.ts'
import { bookingSources } from '../../../src/operator/attention/booking-attention.ts'
import { createAttentionMarkStore } from '../../../src/operator/store/attention-marks.ts'
import { createAttentionBookingStore } from '../../../src/operator/store/bookings.ts'
import { type Database, openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrations.ts'
import { aBooking, BY } from '../../support/booking/an-offer.ts'
import { printed } from '../../support/cli/printed.ts'
import { manualClock } from '../../support/time/clock.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'bookings')
let clock: ReturnType<typeof manualClock>
let database: Database
let serial: number
beforeEach(async () => {
  serial = 0
  clock = manualClock()
  database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  await migrate(database)
})
afterEach(() => database.close())

const bookings = () => createBookingStore(database, keyring)
const attention = () =>
  createAttention({
    sources: bookingSources(createAttentionBookingStore(database, keyring)),
    marks: createAttentionMarkStore(database),
    clock,
  })

async function book(states: readonly BookingState[], more: Partial<Booking> = {}): Promise<string> {
  serial += 1
  const booking = aBooking({ bookingId: `bkg_${serial}`, reference: `REF${serial}`, createdAt: clock.now(), ...more })
  const keys = { offerId: `off_${serial}`, idempotencyKey: `key_${serial}`, fingerprint: 'f' }
  await bookings().create(booking, keys, clock.now(), 0, BY)
  let from: BookingState = 'pending'
  for (const to of states) {
    await bookings().move(booking.bookingId, from, to, {
      at: clock.now(),
      by: BY,
      dueAt: clock.now(),
      reason: 'timeout',
    })
    from = to
  }
  return booking.bookingId
}

const IN_DOUBT = ['submitting', 'in_doubt'] as const
const NEEDS_REVIEW = ['submitting', 'in_doubt', 'needs_review'] as const

type Settle = { due(): Promise<number>; one(booking: Booking): Promise<void> }

const run = (args: string[], settle: Partial<Settle> = {}, read = async () => 0) =>
  printed(() =>
    readBookings(args).work({
      bookings: bookings(),
      settle: { due: async () => 0, one: async () => undefined, ...settle },
      present: (booking) => ({ status: 201, body: JSON.stringify({ status: booking.state }) }),
      attention: attention(),
      clock,
      read,
      operator: 'ops',
    }),
  )

const confirm = async ({ bookingId }: Pick<Booking, 'bookingId'>) =>
  void (await bookings().move(bookingId, 'in_doubt', 'confirmed', {
    at: clock.now(),
    by: BY,
    dueAt: null,
    reason: 'found',
  }))

describe('list', () => {
  test('is an aligned table, newest first, without a word about the guests', async () => {
    const older = await book(IN_DOUBT)
    clock.turn(3_600_000)
    const newer = await book(['submitting', 'confirmed'], { vendorId: 'a_longer_vendor', simulated: true })
    clock.turn(60_000)
    const { code, out } = await run(['list'])
    const lines = out.split('\n')
    expect(code).toBe(0)
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatch(
      new RegExp(`^${newer} +confirmed \\(simulated\\) +a_longer_vendor .*249\\.90 EUR +1 min +Hotel`),
    )
    expect(lines[2]).toMatch(new RegExp(`^${older} +in_doubt .* 1 h +Hotel`))
    const column = lines[0]?.indexOf('CHECK-IN') ?? -1
    expect(lines.slice(1).map((line) => line.slice(column, column + 10))).toEqual(['2027-03-01', '2027-03-01'])
    expect(out).not.toMatch(/Ada|Lovelace|example\.com|1234567/)
  })

  test('--status narrows it and says so when there is none', async () => {
    const doubtful = await book(IN_DOUBT)
    await book(['submitting', 'confirmed'])
    expect((await run(['list', '--status', 'in_doubt'])).out.split('\n')[1]).toMatch(new RegExp(`^${doubtful}`))
    expect(await run(['list', '--status', 'cancelled'])).toMatchObject({ code: 0, out: 'No booking is cancelled.' })
    expect((await run(['list', '--limit', '1'])).out).toContain('The newest 1;')
  })

  test('what a vendor wrote cannot steer the terminal', async () => {
    const property = { ...aBooking().property, name: 'Bad\u001b[2J\u202eHotel\nrow' }
    await book(['submitting'], { property })
    const { out } = await run(['list'])
    expect(out.split('\n')).toHaveLength(2)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    expect(out).not.toMatch(/[\u001b\u202e]/)
  })
})

describe('show', () => {
  test('tells the whole story, with e-mail and phone hidden unless they are asked for', async () => {
    const id = await book(IN_DOUBT)
    const { code, out } = await run(['show', id])
    expect(code).toBe(0)
    expect(out).toContain('our reference     REF1')
    expect(out).toContain('2 nights, 1 room')
    expect(out).toMatch(/3 {2}\S+Z {2}submitting → in_doubt {2}timeout/)
    expect(out).toContain('Ada Lovelace (a…@example.com, …67)')
    expect(out).not.toContain('ada@')
    expect(out).not.toContain('1234567')
    expect((await run(['show', id, '--persons'])).out).toContain('ada@example.com, +39 06 1234567')
  })

  test('names what the vendor says otherwise', async () => {
    const id = await book(IN_DOUBT)
    const at = clock.now()
    const vendorSays = { vendorPropertyId: '78', name: 'Hotel Altra' }
    await bookings().move(id, 'in_doubt', 'needs_review', {
      at,
      by: BY,
      dueAt: null,
      compared: {
        agrees: [],
        differs: [
          { code: 'property_differs', since: at, booked: { vendorPropertyId: '77', name: 'Hotel Testa' }, vendorSays },
          {
            code: 'price_differs',
            since: at,
            booked: { minor: 24_990, currency: 'EUR' },
            vendorSays: { minor: 25_500, currency: 'EUR' },
          },
        ],
      },
    })
    const { out } = await run(['show', id])
    expect(out).toContain('property_differs: booked 77 Hotel Testa, the vendor says 78 Hotel Altra')
    expect(out).toContain('price_differs: booked 249.90 EUR, the vendor says 255.00 EUR')
    expect(out).toMatch(/5 {2}\S+Z {2}discrepancy {2}property_differs/)
  })

  test('an unknown booking is refused on standard error, with 1', async () => {
    expect(await run(['show', 'bkg_x'])).toEqual({ code: 1, out: '', err: 'There is no booking bkg_x.' })
  })
})

describe('read', () => {
  const reading = (outcome: 'same' | 'absent') => async () => {
    const claims = await bookings().claimReadings(clock.now(), 60_000, { perMinute: 60_000, most: 8 })
    for (const claim of claims) await bookings().finishReading(claim, { at: clock.now(), outcome })
    return claims.length
  }

  test('says what was agreed only where the vendor has said so', async () => {
    const id = await book(['submitting', 'confirmed'])
    expect(await run(['read', id], {}, reading('same'))).toMatchObject({
      code: 0,
      out: `${id} is confirmed; its vendor says what was agreed.`,
    })
    clock.turn(1_000)
    expect(await run(['read', id], {}, reading('absent'))).toMatchObject({
      code: 0,
      out: expect.stringContaining('its vendor does not know it'),
    })
    const unanswered = await run(['read', id])
    expect(unanswered).toMatchObject({ code: 1, err: expect.stringContaining('its vendor could not be asked') })
    expect(unanswered.out).toBe('')
  })

  test('is for bookings that stand or need a review', async () => {
    const id = await book(IN_DOUBT)
    expect(await run(['read', id])).toMatchObject({ code: 1, err: expect.stringContaining('it is in_doubt') })
  })
})

describe('settle', () => {
  test('runs until nothing is due and names what changed', async () => {
    const found = await book(IN_DOUBT)
    const open = await book(IN_DOUBT)
    const rounds = [2, 1, 0]
    const { code, out } = await run(['settle'], {
      async due() {
        if (rounds.length === 3) await confirm({ bookingId: found })
        return rounds.shift() ?? 0
      },
    })
    expect(code).toBe(0)
    expect(out).toContain(`${found}  in_doubt → confirmed`)
    expect(out).not.toContain(open)
    expect(out).toContain('Asked 3 times. 1 booking is still unsettled')
    expect(rounds).toEqual([])
  })

  test('ends even if something is due forever', async () => {
    let rounds = 0
    await run(['settle'], {
      async due() {
        rounds += 1
        return 1
      },
    })
    expect(rounds).toBeLessThan(100)
  })

  test('says so when there is nothing to do', async () => {
    expect(await run(['settle'])).toMatchObject({ code: 0, out: 'No booking is unsettled.' })
    const id = await book(['submitting', 'confirmed'])
    expect(await run(['settle', id])).toMatchObject({ code: 0, out: `${id} is confirmed; nothing to settle.` })
  })

  test('one booking in doubt is asked about at once', async () => {
    const id = await book(IN_DOUBT)
    expect(await run(['settle', id])).toMatchObject({ code: 1 })
    expect(await run(['settle', id], { one: confirm })).toMatchObject({
      code: 0,
      out: `${id}  in_doubt → confirmed (found)`,
    })
    expect((await run(['settle', 'bkg_x'])).code).toBe(1)
  })

  test('one that a process may be working on is left to the rounds, which respect its lease', async () => {
    const id = await book(['submitting'])
    const asked: string[] = []
    const { code, err } = await run(['settle', id], {
      one: async () => void asked.push('one'),
      due: async () => {
        asked.push('due')
        return 0
      },
    })
    expect(asked).toEqual(['due'])
    expect(code).toBe(1)
    expect(err).toContain('a process is working on it')
  })
})

describe('resolve', () => {
  test('ends a review as an operator says, with their reason in the history', async () => {
    const id = await book(NEEDS_REVIEW)
    const args = ['resolve', id, 'confirmed', '--vendor-reference', 'HB-9', '--reason', 'asked\u001b by phone']
    expect(await run(args)).toMatchObject({ code: 0 })
    expect(await bookings().any(id)).toMatchObject({ state: 'confirmed', vendorReference: 'HB-9' })
    expect((await bookings().events(id)).at(-1)).toMatchObject({ to: 'confirmed', reason: 'operator: asked by phone' })
    expect(await run(args)).toMatchObject({ code: 1 })
  })

  test('what the vendor says otherwise is settled with it, as in the console', async () => {
    const id = await book(IN_DOUBT)
    const at = clock.now()
    const compared = {
      agrees: [],
      differs: [{ code: 'rooms_differ', since: at, booked: 2, vendorSays: 1 }],
    } satisfies Comparison
    await bookings().move(id, 'in_doubt', 'needs_review', { at, by: BY, dueAt: null, compared })
    clock.turn(60_000)
    await run(['resolve', id, 'confirmed', '--vendor-reference', 'HB-9', '--reason', 'one room is enough'])
    expect((await bookings().any(id))?.discrepancies).toHaveLength(1)
    const again = attention().markDone(`discrepancy.${id}.rooms_differ`, BY.actor, 'again')
    await expect(again, 'it is on no list any more').rejects.toThrow('There is no such entry any more')
  })

  test('the first answer, if none was given yet, is the resolved one', async () => {
    const id = await book(NEEDS_REVIEW)
    await run(['resolve', id, 'rejected'])
    const earlier = await bookings().earlier('acc_1', 'key_1', 'off_1', clock.now())
    expect(earlier?.answer?.body).toBe('{"status":"rejected"}')
    expect((await bookings().events(id)).at(-1)?.reason).toBe('operator: resolved manually')
  })

  test.each(['submitting', 'in_doubt', 'confirmed'] as const)('a %s booking cannot be resolved', async (state) => {
    const id = await book(state === 'submitting' ? ['submitting'] : ['submitting', state])
    const { code, out, err } = await run(['resolve', id, 'rejected'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`${id} is ${state}; only a booking that needs_review`)
    expect(await bookings().any(id)).toMatchObject({ state })
  })

  test('a confirmed booking without the vendor’s reference is refused: nobody could find it there', async () => {
    const id = await book(NEEDS_REVIEW)
    expect((await run(['resolve', id, 'confirmed'])).code).toBe(2)
    expect((await run(['resolve', id, 'confirmed', '--vendor-reference', ' '])).code).toBe(2)
    expect(await bookings().any(id)).toMatchObject({ state: 'needs_review' })
  })

  test('only endings that the table of transitions knows are taken', async () => {
    const id = await book(NEEDS_REVIEW)
    for (const word of ['pending', 'in_doubt', 'gone']) expect(() => readBookings(['resolve', id, word])).toThrow(word)
    expect((await run(['resolve', 'bkg_x', 'rejected'])).code).toBe(1)
  })
})
