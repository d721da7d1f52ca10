import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createErasePersons } from '../../../src/booking/guests/erase-persons.ts'
import { withoutPersons } from '../../../src/booking/present/booking.ts'
import { BookingResponse } from '../../../src/booking/schemas/bookings.ts'
import { createErasureStore } from '../../../src/booking/store/erasure.ts'
import { readConfig } from '../../../src/config.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { sealJson } from '../../../src/lib/crypto/seal.ts'
import type { Database } from '../../../src/store/database.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

const GUEST = { given_name: 'Canaria', family_name: 'Lindqvist', email: 'Canaria@Example.com', phone: '+4670000000' }
const WISH = 'a room without feathers'
const keyring = deriveKeyring(readConfig({ NODE_ENV: 'test' }).secrets, 'persons')
const DAY_MS = 86_400_000

let database: Database
let app: TestApp
let token: string
beforeEach(async () => {
  database = await openMigrated()
  app = await testApp({ tokenTtlMs: 10_000 * DAY_MS }, { database })
  token = await app.signIn()
})
afterEach(() => app.close())

const persons = () =>
  createErasePersons({ store: createErasureStore(database, keyring, withoutPersons), clock: app.clock })

const book = (bed = 'one') =>
  app.as(token, {
    method: 'POST',
    url: '/api/accommodation/book',
    payload: { bed_id: bed, guests: [GUEST], special_requests: WISH, client_reference: 'order-1' },
    headers: { 'x-simulate-return': 'success', 'idempotency-key': bed },
  })
const show = async (id: string) => {
  const answer = await app.as(token, { url: `/api/accommodation/bookings/${id}` })
  expectToMatch(BookingResponse, answer.json())
  return answer.json().data
}
/** Moves the clock past the end of the stay. */
const afterStay = () => app.clock.advance(600 * DAY_MS)

describe('erasing persons', () => {
  test('erasing removes names, contact and requests from a booking and keeps what was booked and its price', async () => {
    const before = (await book()).json().data
    afterStay()
    expect(await persons().erase(before.booking_id)).toBe(true)
    const after = await show(before.booking_id)
    expect(after).toMatchObject({ guests: [], contact: {}, special_requests: '' })
    expect(Date.parse(after.persons_erased_at)).toBe(app.clock.now())
    for (const kept of ['total_price', 'currency', 'check_in', 'property', 'room', 'client_reference', 'reference'])
      expect(after[kept], kept).toEqual(before[kept])
    expect(await persons().erase(before.booking_id), 'a second time').toBe(false)
  })

  test('erasing changes the replayed response once, to one that says that the persons were erased', async () => {
    const first = await book()
    expect((await book()).body).toBe(first.body)
    afterStay()
    await persons().erase(first.json().data.booking_id)
    const again = await book()
    expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([first.statusCode, 'true'])
    const { data } = first.json()
    const erasedAt = new Date(app.clock.now()).toISOString()
    expect(again.json().data).toEqual({
      ...data,
      guests: [],
      contact: {},
      special_requests: '',
      persons_erased_at: erasedAt,
    })
    expect((await book()).body).toBe(again.body)
  })

  test('erasing removes persons from stored readings, mails and webhook attempts', async () => {
    const id = (await book()).json().data.booking_id
    const said = sealJson(keyring, 'red1', {
      state: 'confirmed',
      vendorReference: 'V',
      guests: [{ givenName: 'Canaria' }],
    })
    await database.write(async (tx) => {
      await tx.insertInto('booking_readings').values({ booking_id: id, at: 1, outcome: 'same', said }).execute()
      const mail = { booking_id: id, sequence: 9, kind: 'confirmed', created_at: 1, attempts: 0 }
      await tx
        .insertInto('mails')
        .values({ ...mail, content: 'sealed', outcome: null, error: null })
        .execute()
      const attempt = { webhook_id: 'w', booking_id: id, sequence: 1, attempt: 1, at: 1, took_ms: 1, status: 200 }
      await tx
        .insertInto('webhook_attempts')
        .values({ ...attempt, error: null, answer: 'Canaria' })
        .execute()
    })
    await persons().erase(id)
    const history = await app.as(token, { url: `/api/accommodation/bookings/${id}/history` })
    expect(history.statusCode).toBe(200)
    for (const trace of ['Canaria', 'Lindqvist', '4670000000', 'feathers']) expect(history.body).not.toContain(trace)
    const mails = await database.read
      .selectFrom('mails')
      .select(['content', 'outcome'])
      .where('sequence', '=', 9)
      .execute()
    expect(mails).toEqual([{ content: null, outcome: 'erased' }])
    expect(await database.read.selectFrom('webhook_attempts').select('answer').execute()).toEqual([{ answer: null }])
  })
})

describe('finding persons', () => {
  test('bookings of a person are found by e-mail address in any case or by booking id', async () => {
    const ids = [(await book('one')).json().data.booking_id, (await book('two')).json().data.booking_id]
    const found = async (query: string) => (await persons().find(query)).map(({ bookingId }) => bookingId).sort()
    expect(await found(' canaria@EXAMPLE.com')).toEqual([...ids].sort())
    expect(await found('somebody@example.com')).toEqual([])
    expect(await found(ids[0])).toEqual([ids[0]])
    expect(await found('bkg_0')).toEqual([])
  })

  test('a booking whose stay is not over or which is not settled is reported and not erased', async () => {
    const id = (await book()).json().data.booking_id
    expect((await persons().find(id))[0]?.why).toContain('the stay lasts until')
    await database.write((tx) => tx.updateTable('bookings').set({ state: 'needs_review' }).execute())
    expect((await persons().find(id))[0]?.why).toContain('needs_review')
    await database.write((tx) => tx.updateTable('bookings').set({ state: 'cancelled' }).execute())
    expect((await persons().find(id))[0]?.why).toBeUndefined()
  })
})

describe('retention of persons', () => {
  test('retention erases only stays that ended longer ago than the configured days', async () => {
    const { booking_id: id, check_out } = (await book()).json().data
    const lastDay = Date.parse(`${check_out}T12:00:00Z`)
    app.clock.advance(lastDay + 30 * DAY_MS - app.clock.now())
    expect(await persons().eraseOld(30)).toBe(0)
    app.clock.advance(DAY_MS)
    expect(await persons().eraseOld(30)).toBe(1)
    expect((await show(id)).guests).toEqual([])
    expect(await persons().eraseOld(30)).toBe(0)
  })

  test('retention is disabled unless SERAI_PERSONS_DAYS is a whole number of days', () => {
    const read = (days?: string) =>
      readConfig({ NODE_ENV: 'test', ...(days === undefined ? {} : { SERAI_PERSONS_DAYS: days }) })
        .erasePersonsAfterDays
    expect(read()).toBeUndefined()
    expect(read('30')).toBe(30)
    expect(() => read('0')).toThrow('SERAI_PERSONS_DAYS')
  })
})
