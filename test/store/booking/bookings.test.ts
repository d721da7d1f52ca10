import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { moveToAccount } from '../../../src/accounts/store/guests.ts'
import { type BookingStore, createBookingStore } from '../../../src/booking/store/bookings.ts'
import { type SettleClaim, sendingTask } from '../../../src/booking/store/leases.ts'
import type { MoveFacts } from '../../../src/booking/store/moves.ts'
import type { Booking, BookingState } from '../../../src/domain/booking/booking.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import type { Database } from '../../../src/store/database.ts'
import { aBooking, aPrice, BY_ACCOUNT, START, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

const FAR = START + 10_000_000
let count = 0

/** A booking with its own reference, offer and key, unless `more` or `key` replace them. */
function fresh(more: Partial<Booking> = {}, key?: string) {
  count += 1
  const booking = aBooking({ bookingId: `bkg_${count}`, reference: `REF${String(count).padStart(17, '0')}`, ...more })
  const keys = { offerId: `off_${count}`, idempotencyKey: key ?? `key_${count}`, fingerprint: `f${count}` }
  return { booking, keys }
}

async function created(store: BookingStore, more: Partial<Booking> = {}, dueAt = FAR, leaseUntil = 0) {
  const { booking, keys } = fresh(more)
  expect(await store.create(booking, keys, dueAt, leaseUntil, BY_ACCOUNT)).toBe(true)
  return { booking, keys }
}

const facts = (at = START) => ({ at, by: BY_ACCOUNT, dueAt: null })
const times = <T>(n: number, make: (index: number) => T) => Array.from({ length: n }, (_, index) => make(index))

/** Moves a pending booking through these states. */
async function moveThrough(store: BookingStore, bookingId: string, ...states: BookingState[]) {
  let from: BookingState = 'pending'
  for (const to of states) {
    expect(await store.move(bookingId, from, to, facts())).toBeDefined()
    from = to
  }
}

onBothDatabases('the booking store', (open) => {
  const openStore = (database: Database = open()) => createBookingStore(database, storeKeys)

  test('a booking is read back unchanged', async () => {
    const store = openStore()
    const { booking } = await created(store, { clientReference: 'PO 7', simulated: true, cancel: undefined })
    expect(await store.get('acc_1', booking.bookingId)).toEqual(booking)
    expect(await store.any(booking.bookingId)).toEqual(booking)
    expect(await store.get('acc_2', booking.bookingId)).toBeUndefined()
  })

  test('a booking created in state submitting has both steps in its history', async () => {
    const store = openStore()
    const { booking } = await created(store, { state: 'submitting', createdAt: START, submittedAt: START + 3 })
    expect(await store.any(booking.bookingId)).toEqual(booking)
    expect(await store.events(booking.bookingId)).toEqual([
      { sequence: 1, from: undefined, to: 'pending', at: START, reason: undefined, by: BY_ACCOUNT },
      { sequence: 2, from: 'pending', to: 'submitting', at: START + 3, reason: undefined, by: BY_ACCOUNT },
    ])
    await store.move(booking.bookingId, 'submitting', 'confirmed', facts())
    expect((await store.events(booking.bookingId)).at(-1)).toMatchObject({ sequence: 3, from: 'submitting' })
  })

  test('of 200 concurrent requests with one idempotency key only one creates a booking', async () => {
    const store = openStore()
    const wins = await Promise.all(
      times(200, async (index) => {
        const { booking, keys } = fresh({}, 'raced')
        return (await store.create(booking, keys, FAR, 0, BY_ACCOUNT)) ? index : undefined
      }),
    )
    expect(wins.filter((win) => win !== undefined)).toHaveLength(1)
    const earlier = await store.earlier('acc_1', 'raced', 'none', START)
    expect(await store.events(earlier?.booking.bookingId ?? '')).toHaveLength(1)
  })

  test('of 200 concurrent requests for one offer under different keys only one creates a booking', async () => {
    const store = openStore()
    const wins = await Promise.all(
      times(200, () => {
        const { booking, keys } = fresh()
        return store.create(booking, { ...keys, offerId: 'off_raced' }, FAR, 0, BY_ACCOUNT)
      }),
    )
    expect(wins.filter(Boolean)).toHaveLength(1)
  })

  test('a booking read while its outcome is stored is either settled or still leased', async () => {
    const store = openStore()
    for (let round = 0; round < 20; round += 1) {
      const { booking, keys } = await created(store, { state: 'submitting' }, FAR, START + 1)
      const read = () => store.earlier('acc_1', keys.idempotencyKey, keys.offerId, START)
      const [early, , late] = await Promise.all([
        Promise.all(times(8, read)),
        store.move(booking.bookingId, 'submitting', 'confirmed', facts()),
        Promise.all(times(8, read)),
      ])
      const unclear = [...early, ...late].filter((seen) => seen?.booking.state === 'submitting' && !seen.leased)
      expect(unclear).toEqual([])
    }
  })

  test('two accounts may use the same idempotency key', async () => {
    const store = openStore()
    const first = fresh({ accountId: 'acc_1' }, 'shared')
    const second = fresh({ accountId: 'acc_2' }, 'shared')
    expect(await store.create(first.booking, first.keys, FAR, 0, BY_ACCOUNT)).toBe(true)
    expect(await store.create(second.booking, second.keys, FAR, 0, BY_ACCOUNT)).toBe(true)
    expect((await store.earlier('acc_2', 'shared', '', START))?.booking.bookingId).toBe(second.booking.bookingId)
  })

  test('a booking made by a guest while signing in belongs to the account, which cannot book the same offer again', async () => {
    const store = openStore()
    const { booking, keys } = fresh({ accountId: 'gst_1', bookingId: 'bkg_of_guest' })
    await open().write((tx) => moveToAccount(tx, 'gst_1', 'acc_signed_in', START))
    expect(await store.create(booking, keys, FAR, 0, BY_ACCOUNT)).toBe(true)
    expect(await store.get('acc_signed_in', booking.bookingId)).toMatchObject({ bookingId: 'bkg_of_guest' })
    const again = fresh({ accountId: 'acc_signed_in' })
    expect(await store.create(again.booking, { ...again.keys, offerId: keys.offerId }, FAR, 0, BY_ACCOUNT)).toBe(false)
  })

  test('an earlier booking is found by its key before its offer, with its fingerprint and lease', async () => {
    const store = openStore()
    const first = await created(store, {}, FAR, START + 10)
    const other = await created(store)
    const { idempotencyKey, fingerprint } = first.keys
    expect(await store.earlier('acc_1', idempotencyKey, other.keys.offerId, START + 9)).toMatchObject({
      booking: { bookingId: first.booking.bookingId },
      fingerprint,
      idempotencyKey,
      answer: undefined,
      leased: true,
    })
    expect((await store.earlier('acc_1', idempotencyKey, '', START + 10))?.leased).toBe(false)
    expect((await store.earlier('acc_1', 'x', other.keys.offerId, START))?.booking).toEqual(other.booking)
    expect(await store.earlier('acc_2', idempotencyKey, other.keys.offerId, START)).toBeUndefined()
  })

  test('of 50 concurrent identical moves one succeeds and writes one event', async () => {
    const store = openStore()
    const { booking } = await created(store)
    const moved = await Promise.all(times(50, () => store.move(booking.bookingId, 'pending', 'submitting', facts())))
    expect(moved.filter((result) => result !== undefined)).toHaveLength(1)
    expect((await store.events(booking.bookingId)).map(({ sequence, to }) => [sequence, to])).toEqual([
      [1, 'pending'],
      [2, 'submitting'],
    ])
  })

  test('of different concurrent moves from one state one succeeds, and the history has no gap', async () => {
    const store = openStore()
    for (let round = 0; round < 20; round += 1) {
      const { booking } = await created(store)
      await moveThrough(store, booking.bookingId, 'submitting')
      const [won] = (
        await Promise.all(
          (['confirmed', 'rejected', 'in_doubt'] as const).map((to) =>
            store.move(booking.bookingId, 'submitting', to, facts()),
          ),
        )
      ).filter((result) => result !== undefined)
      const events = await store.events(booking.bookingId)
      expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
      expect(events.at(-1)?.to).toBe(won?.booking.state)
      expect((await store.any(booking.bookingId))?.state).toBe(won?.booking.state)
    }
  })

  test('a transition that is not in the table throws and changes nothing', async () => {
    const store = openStore()
    const { booking } = await created(store)
    await expect(store.move(booking.bookingId, 'pending', 'confirmed', facts())).rejects.toThrow(/cannot move/)
    expect(await store.any(booking.bookingId)).toEqual(booking)
  })

  test('a move is rolled back if its listener fails', async () => {
    const store = createBookingStore(open(), storeKeys, async (_, __, event) => {
      if (event.to === 'submitting') throw new Error('no webhook')
    })
    const { booking } = await created(store)
    await expect(store.move(booking.bookingId, 'pending', 'submitting', facts())).rejects.toThrow('no webhook')
    expect((await store.any(booking.bookingId))?.state).toBe('pending')
    expect(await store.events(booking.bookingId)).toHaveLength(1)
  })

  test('claims are limited per vendor, including bookings in progress, and the oldest submissions come first', async () => {
    const store = openStore()
    const now = START - 40_000
    const add = async (vendorId: string, sentAt: number, dueAt: number) =>
      (await created(store, { vendorId, submittedAt: sentAt }, dueAt, 0)).booking.bookingId
    for (let i = 0; i < 20; i += 1) await add('v_slow', now - 1_000, now - 900 + i)
    const old = await add('v_slow', now - 60_000, now)
    const other = await add('v_fine', now - 1_000, now)
    const listIds = (claimed: readonly SettleClaim[]) => claimed.map(({ booking }) => booking.bookingId)
    const claim = { now, leaseMs: 60_000, mostPerVendor: 8, firstSentBefore: now - 30_000 }
    const full = await store.claimDue({ ...claim, busy: times(8, () => 'v_slow') })
    expect(listIds(full)).toEqual([other])
    const single = await store.claimDue({ ...claim, busy: times(7, () => 'v_slow') })
    expect(listIds(single)).toEqual([old])
    const rest = await store.claimDue(claim)
    expect(rest.map(({ booking }) => booking.vendorId)).toEqual(times(8, () => 'v_slow'))
    const left = await store.claimDue({ ...claim, mostPerVendor: 100 })
    expect(left).toHaveLength(12)
    await Promise.all([...full, ...single, ...rest, ...left].map(({ task }) => store.postpone(task, FAR)))
  })

  test('the process that creates a booking holds its lease as long as it renews it', async () => {
    const store = openStore()
    const { booking } = await created(store, {}, START, START + 1_000)
    const claimAt = async (now: number) => (await store.claimDue({ now, leaseMs: 500, mostPerVendor: 8 }))[0]
    const own = sendingTask(booking.bookingId, START + 1_000)
    expect(await claimAt(START + 999)).toBeUndefined()
    const renewed = (await store.extendLease(own, START + 2_000)) ?? expect.fail('lost')
    expect(await store.isLeased(booking.bookingId, START + 1_999)).toBe(true)
    const other = (await claimAt(START + 2_000)) ?? expect.fail('not due')
    expect(other.booking.bookingId).toBe(booking.bookingId)
    expect(await store.extendLease(renewed, START + 9_000)).toBeUndefined()
    expect(await store.postpone(renewed, START)).toBe(false)
    await store.postpone(other.task, FAR)
  })

  test('a settled booking is never due, even if it is postponed afterwards', async () => {
    const store = openStore()
    const { booking } = await created(store, {}, START, 0)
    const claim = () => store.claimDue({ now: START, leaseMs: 1, mostPerVendor: 100 })
    const held = (await claim()).find((entry) => entry.booking.bookingId === booking.bookingId)
    await moveThrough(store, booking.bookingId, 'submitting', 'confirmed')
    expect(await store.postpone(held?.task ?? expect.fail('not due'), START)).toBe(false)
    expect((await claim()).map((entry) => entry.booking.bookingId)).not.toContain(booking.bookingId)
  })

  test('only the first answer is stored, and it is replayed byte for byte', async () => {
    const store = openStore()
    const { booking, keys } = await created(store)
    // A 202 would be replaced by the final answer.
    const answers = times(20, (i) => ({ status: 400 + i, body: `{"né":"\u2028 ${i}",  "x":1.10}` }))
    const kept = await Promise.all(answers.map((answer) => store.keepAnswer(booking.bookingId, answer)))
    expect(new Set(kept.map(({ body }) => body)).size).toBe(1)
    const [first] = kept
    await moveThrough(store, booking.bookingId, 'submitting')
    const moved = await store.move(booking.bookingId, 'submitting', 'confirmed', {
      ...facts(),
      presentAnswer: () => ({ status: 500, body: 'later' }),
    })
    expect(moved?.answer).toEqual(first)
    for (let replay = 0; replay < 3; replay += 1) {
      expect((await store.earlier('acc_1', keys.idempotencyKey, '', START))?.answer).toEqual(first)
    }
  })

  test('a move stores the final answer and the new state together or not at all', async () => {
    const store = openStore()
    const { booking, keys } = await created(store)
    await moveThrough(store, booking.bookingId, 'submitting')
    const failing = () => {
      throw new Error('no answer')
    }
    const move = (answerOf: () => { status: number; body: string }) =>
      store.move(booking.bookingId, 'submitting', 'confirmed', {
        ...facts(),
        presentAnswer: answerOf,
        vendorReference: 'V1',
      })
    await expect(move(failing)).rejects.toThrow('no answer')
    expect(await store.any(booking.bookingId)).toMatchObject({ state: 'submitting', vendorReference: undefined })
    const answer = { status: 201, body: '{"data":1}' }
    expect((await move(() => answer))?.answer).toEqual(answer)
    expect(await store.earlier('acc_1', keys.idempotencyKey, '', START)).toMatchObject({
      answer,
      booking: { state: 'confirmed', vendorReference: 'V1' },
    })
  })

  test('a move returns the updated booking, both from the database and from a known booking', async () => {
    const store = openStore()
    for (const isKnown of [false, true]) {
      const { booking } = await created(store, { clientReference: 'PO 7', cancel: undefined, submittedAt: START + 1 })
      let current = booking
      const move = async (to: BookingState, more: Partial<MoveFacts>) => {
        const known = isKnown ? { known: current } : {}
        const moved = await store.move(booking.bookingId, current.state, to, {
          ...facts(START + 5),
          ...more,
          ...known,
        } as MoveFacts)
        expect(moved?.booking).toEqual(await store.any(booking.bookingId))
        current = moved?.booking ?? booking
      }
      await move('submitting', { leaseUntil: START + 9 })
      await move('confirmed', { vendorReference: 'V1', presentAnswer: () => ({ status: 201, body: '{}' }) })
      await move('cancelling', { at: START + 7 })
      await move('cancelled', { cancelFeeMinor: 1_250 })
      expect(current).toMatchObject({ submittedAt: START + 1, vendorReference: 'V1', cancelFee: { minor: 1_250 } })
    }
  })

  test('the fees of a failed cancellation are cleared when the booking is confirmed again', async () => {
    const store = openStore()
    const { price, cancel } = aBooking()
    const terms = { version: 1, priority: 1, percent: 20 } as const
    const sale = { terms, price, cancel, net: price.total } as const
    for (const more of [{}, { sale }]) {
      const { booking } = await created(store, more)
      const { bookingId } = booking
      await moveThrough(store, bookingId, 'submitting', 'confirmed')
      const cancelling = await store.move(bookingId, 'confirmed', 'cancelling', { ...facts(), cancelFeeMinor: 1_250 })
      expect(cancelling?.booking.cancelFee).toEqual({ minor: 1_250, currency: 'EUR' })
      for (const [from, to] of [
        ['cancelling', 'confirmed'],
        ['confirmed', 'cancelled'],
      ] as const) {
        const moved = await store.move(bookingId, from, to, facts())
        expect(moved?.booking).toEqual(await store.any(bookingId))
        expect([moved?.booking.cancelFee, moved?.booking.soldFee]).toEqual([undefined, undefined])
      }
    }
  })

  test('of two concurrent amendments of the same persons only the first is written', async () => {
    const store = openStore()
    const { booking } = await created(store)
    const { bookingId, persons } = booking
    await moveThrough(store, bookingId, 'submitting', 'confirmed')
    const requesting = (specialRequests: string) => ({ before: persons, after: { ...persons, specialRequests } })
    const done = await Promise.all(
      ['one', 'other'].map((request) => store.amend(bookingId, requesting(request), facts())),
    )
    const written = done.filter((result) => result !== undefined)
    expect(written).toHaveLength(1)
    expect((await store.any(bookingId))?.persons).toEqual(written[0]?.persons)
    expect((await store.events(bookingId)).filter(({ kind }) => kind === 'amended')).toHaveLength(1)
  })

  test('a change of the price is stored with the change, and keeps everything else of the booking', async () => {
    const store = openStore()
    const { booking } = await created(store)
    const { bookingId, persons, cancel } = booking
    await moveThrough(store, bookingId, 'submitting', 'confirmed')
    const before = await store.any(bookingId)
    const after = { ...persons, specialRequests: 'quiet' }
    await store.amend(
      bookingId,
      { before: persons, after, priced: { price: aPrice(30_000), cancel } },
      facts(START + 1),
    )
    const expected = { ...before, persons: after, price: aPrice(30_000), updatedAt: START + 1 }
    expect(await store.any(bookingId)).toEqual(expected)
  })

  test('of two concurrent changes that name the same version one is made and the other refused', async () => {
    const store = openStore()
    const { booking } = await created(store)
    const { bookingId } = booking
    await moveThrough(store, bookingId, 'submitting', 'confirmed')
    const seen = await store.any(bookingId)
    const precondition = (stored: Booking) => {
      if (!isDeepStrictEqual(stored, seen)) throw new AppError('precondition_failed', 'changed')
    }
    const { persons } = booking
    const change = { before: persons, after: { ...persons, specialRequests: 'quiet' } }
    const outcomes = await Promise.allSettled([
      store.amend(bookingId, change, { ...facts(START + 1), precondition }),
      store.move(bookingId, 'confirmed', 'cancelling', { ...facts(START + 1), precondition }),
    ])
    const isMade = (outcome: (typeof outcomes)[number]) => outcome.status === 'fulfilled' && outcome.value !== undefined
    expect(outcomes.filter(isMade)).toHaveLength(1)
    // After a move the booking is no longer confirmed, so that nothing is left to amend.
    expect([
      { status: 'rejected', reason: expect.objectContaining({ code: 'precondition_failed' }) },
      { status: 'fulfilled', value: undefined },
    ]).toContainEqual(outcomes.find((outcome) => !isMade(outcome)))
    expect(await store.events(bookingId)).toHaveLength(4)
  })

  test('a move stores discrepancies, each value once and changed values after the old ones, with an event each', async () => {
    const events: string[] = []
    const store = createBookingStore(open(), storeKeys, async (_tx, _booking, { sequence, kind, to }) => {
      events.push(`${sequence} ${kind ?? to}`)
    })
    const { booking } = await created(store, { state: 'submitting' })
    const dearer = (since: number, minor: number) =>
      ({ code: 'price_differs', since, booked: booking.price.total, vendorSays: { minor, currency: 'EUR' } }) as const
    const rooms = { code: 'rooms_differ', since: START, booked: 1, vendorSays: 2 } as const
    const first = [dearer(START, 25_500), rooms]
    const moved = await store.move(booking.bookingId, 'submitting', 'in_doubt', {
      ...facts(),
      compared: { differs: first, agrees: [] },
    })
    expect(moved?.booking.discrepancies).toEqual(first)
    const again = {
      ...facts(START + 9),
      compared: { differs: [dearer(START + 9, 26_000)], agrees: ['rooms_differ'] },
    } as const
    await store.move(booking.bookingId, 'in_doubt', 'needs_review', again)
    const read = await store.any(booking.bookingId)
    const until = START + 9
    const [price, others] = first
    const second = [{ ...price, until }, { ...others, until }, dearer(START + 9, 26_000)]
    expect(read).toMatchObject({ state: 'needs_review', discrepancies: second })
    expect(events).toEqual([
      '1 pending',
      '2 submitting',
      '3 in_doubt',
      '4 discrepancy',
      '5 discrepancy',
      '6 needs_review',
      '7 discrepancy',
    ])
    expect((await store.events(booking.bookingId)).at(3)).toEqual({
      sequence: 4,
      kind: 'discrepancy',
      from: 'in_doubt',
      to: 'in_doubt',
      at: START,
      reason: 'price_differs',
      by: { actor: { kind: 'vendor', id: 'scripted' } },
    })
  })

  test('a move from an outdated copy of a booking changes nothing', async () => {
    const store = openStore()
    const { booking } = await created(store)
    await moveThrough(store, booking.bookingId, 'submitting', 'in_doubt')
    const held = { ...facts(), known: { ...booking, state: 'submitting' as const }, vendorReference: 'V9' }
    expect(await store.move(booking.bookingId, 'submitting', 'confirmed', held)).toBeUndefined()
    expect(await store.any(booking.bookingId)).toMatchObject({ state: 'in_doubt', vendorReference: undefined })
    expect(await store.events(booking.bookingId)).toHaveLength(3)
  })

  test('names, addresses and special requests of guests are encrypted in the database', async () => {
    const store = openStore()
    const persons = {
      guests: [{ givenName: 'Zebulon', familyName: 'Quatermass', email: 'zq@secret.example', phone: '+49 30 7654321' }],
      contact: { email: 'contact@secret.example', phone: '+49 30 1234567' },
      specialRequests: 'allergic to feathers',
    }
    const { booking } = await created(store, { persons })
    await store.keepAnswer(booking.bookingId, { status: 201, body: JSON.stringify(persons) })
    await moveThrough(store, booking.bookingId, 'submitting', 'in_doubt')
    const rows = await open().read.selectFrom('bookings').selectAll().execute()
    const events = await open().read.selectFrom('booking_events').selectAll().execute()
    const all = JSON.stringify([rows, events])
    const packed = rows.flatMap((row) => [row.persons, row.answer_body ?? '']).map((text) => text.split('.').at(-1))
    const raw = packed.map((text) => Buffer.from(text ?? '', 'base64url').toString('latin1')).join()
    for (const word of ['Zebulon', 'Quatermass', 'secret.example', '7654321', '1234567', 'feathers']) {
      expect(all).not.toContain(word)
      expect(raw).not.toContain(word)
    }
    expect((await store.any(booking.bookingId))?.persons).toEqual(persons)
  })

  test('after a key rotation old bookings stay readable; without the old key only their persons are lost', async () => {
    const [older, newer] = [
      { id: 'old', key: Buffer.alloc(32, 3) },
      { id: 'new', key: Buffer.alloc(32, 4) },
    ]
    const before = createBookingStore(open(), deriveKeyring([older], 'bookings'))
    const { booking, keys } = await created(before)
    await before.keepAnswer(booking.bookingId, { status: 201, body: 'then' })

    const after = createBookingStore(open(), deriveKeyring([newer, older], 'bookings'))
    expect(await after.any(booking.bookingId)).toEqual(booking)
    expect((await after.earlier('acc_1', keys.idempotencyKey, '', START))?.answer?.body).toBe('then')
    const newBooking = await created(after)
    expect(await after.any(newBooking.booking.bookingId)).toEqual(newBooking.booking)

    const withoutOldKey = createBookingStore(open(), deriveKeyring([newer], 'bookings'))
    const noPersons = { guests: [], contact: { email: '', phone: '' }, specialRequests: '' }
    expect(await withoutOldKey.any(booking.bookingId)).toEqual({ ...booking, persons: noPersons })
  })

  test('figures count bookings by state and report the start of the oldest doubt', async () => {
    const store = openStore()
    const { booking } = await created(store, { state: 'submitting', submittedAt: START - 123_456 })
    await store.move(booking.bookingId, 'submitting', 'in_doubt', { ...facts(), dueAt: START - 99_999 })
    const figures = await store.figures()
    expect(figures.oldestDoubtSince).toBe(START - 123_456)
    expect(figures.byState.in_doubt).toBeGreaterThanOrEqual(1)
  })

  test('figures count simulated bookings separately and ignore their doubts', async () => {
    const store = openStore()
    const { booking } = await created(store, { state: 'submitting', simulated: true, submittedAt: START - 9_999_999 })
    const before = await store.figures()
    await store.move(booking.bookingId, 'submitting', 'in_doubt', { ...facts(), dueAt: START })
    const after = await store.figures()
    expect(after.byState).toEqual(before.byState)
    expect(after.simulatedByState.in_doubt).toBe((before.simulatedByState.in_doubt ?? 0) + 1)
    expect(after.oldestDoubtSince).toBe(before.oldestDoubtSince)
  })
})
