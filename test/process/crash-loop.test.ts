import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerEntry } from '../../src/sandbox/ledger.ts'
import { runCrashLoop } from '../support/crash-loop.ts'
import type { ListedBooking } from '../support/crash-traveller.ts'
import { type Books, compareBooks } from '../support/ledger-compare.ts'
import { freshDatabase, type Postgres, startPostgres } from '../support/postgres.ts'

const seed = Number(process.env.SERAI_CHAOS_SEED ?? Math.floor(Math.random() * 1e9))
/** A machine busy with other things takes its time to start servers. */
const TIMEOUT_MS = 300_000
const LOOP = { seed, cycles: 15, millis: 36_000 }

async function expectNothingBroken(databaseUrl?: string): Promise<void> {
  const { violations, ...figures } = await runCrashLoop({
    ...LOOP,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  })
  console.log(`crash loop, seed ${seed}: ${JSON.stringify(figures)}`)
  expect(violations).toEqual([])
  // A loop in which hardly anything happened proves nothing.
  expect(figures.cycles).toBeGreaterThanOrEqual(5)
  expect(figures.bookings).toBeGreaterThanOrEqual(20)
  expect(figures.byState.confirmed).toBeGreaterThan(0)
  expect(figures.seen.broken).toBeGreaterThan(0)
}

describe('a server killed again and again while it books', () => {
  test('doubles, loses and invents nothing on SQLite', () => expectNothingBroken(), TIMEOUT_MS)

  describe('with PostgreSQL', () => {
    let postgres: Postgres
    beforeAll(async () => {
      postgres = await startPostgres()
    })
    afterAll(() => postgres?.stop())

    test(
      'doubles, loses and invents nothing',
      async () => expectNothingBroken(await freshDatabase(postgres, 'crash')),
      TIMEOUT_MS,
    )
  })
})

describe('the comparison of the books', () => {
  const entry = {
    vendorReference: 'V1',
    ourReference: 'R1',
    status: 'confirmed',
    holder: 'Crash Qa',
  } as LedgerEntry
  const booking: ListedBooking = {
    booking_id: 'bkg_1',
    status: 'confirmed',
    vendor_id: 'hotelbeds',
    vendor_reference: 'V1',
    reference: 'R1',
    client_reference: 'Qa',
    cancellation: null,
  }
  const answer = { status: 201, text: JSON.stringify({ data: { booking_id: 'bkg_1' } }) }
  const sound: Books = {
    intents: [{ name: 'Qa', answers: [answer, answer] }],
    bookings: [booking],
    ledgers: { hotelbeds: [entry] },
    absenceIsNotFinal: ['hotelbeds'],
  }

  test('has nothing to say about books that agree', () => {
    expect(compareBooks(sound)).toEqual([])
  })

  test.each<[string, string, Partial<Books>]>([
    ['one reference booked twice', 'DOUBLED', { ledgers: { hotelbeds: [entry, { ...entry, vendorReference: 'V2' }] } }],
    [
      'one guest booked under two references',
      'DOUBLED',
      { ledgers: { hotelbeds: [entry, { ...entry, vendorReference: 'V2', ourReference: 'R2' }] } },
    ],
    ['one intent with two bookings of ours', 'DOUBLED', { bookings: [booking, { ...booking, booking_id: 'bkg_2' }] }],
    ['a vendor booking we never heard of', 'ORPHAN', { bookings: [] }],
    ['a vendor booking we call rejected', 'LOST', { bookings: [{ ...booking, status: 'rejected' }] }],
    ['a cancellation we believe in alone', 'LOST', { bookings: [{ ...booking, status: 'cancelled' }] }],
    ['another vendor reference', 'LOST', { bookings: [{ ...booking, vendor_reference: 'V9' }] }],
    ['a confirmation no vendor knows', 'PHANTOM', { ledgers: { hotelbeds: [] } }],
    ['a doubt that never ends', 'STUCK', { bookings: [{ ...booking, status: 'in_doubt' }] }],
    [
      'a person asked needlessly',
      'STUCK',
      { ledgers: {}, absenceIsNotFinal: [], bookings: [{ ...booking, status: 'needs_review' }] },
    ],
    [
      'a replay that differs',
      'REPLAY',
      { intents: [{ name: 'Qa', answers: [answer, { ...answer, text: `${answer.text} ` }] }] },
    ],
    [
      'a refusal of a booking that stands',
      'LIE',
      { intents: [{ name: 'Qa', answers: [{ status: 409, text: '{"booking_id":"bkg_1"}' }] }] },
    ],
  ])('finds %s', (_name, kind, change) => {
    expect(compareBooks({ ...sound, ...change }).map((line) => line.split(':')[0])).toContain(kind)
  })
})
