import { expect, test } from 'vitest'
import { moveToAccount } from '../../../src/accounts/store/guests.ts'
import { type BookingStore, createBookingStore } from '../../../src/booking/store/bookings.ts'
import { type SettleClaim, sendingTask } from '../../../src/booking/store/leases.ts'
import type { MoveFacts } from '../../../src/booking/store/moves.ts'
import type { Booking, BookingState } from '../../../src/domain/booking/booking.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import type { Database } from '../../../src/store/database.ts'
import { aBooking, BY, START, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

const FAR = START + 10_000_000
let count = 0

/** Each with a reference, an offer and a key of its own, unless told otherwise. */
function fresh(more: Partial<Booking> = {}, key?: string) {
  count += 1
  const booking = aBooking({ bookingId: `bkg_${count}`, reference: `REF${String(count).padStart(17, '0')}`, ...more })
  const keys = { offerId: `off_${count}`, idempotencyKey: key ?? `key_${count}`, fingerprint: `f${count}` }
  return { booking, keys }
}

async function created(store: BookingStore, more: Partial<Booking> = {}, dueAt = FAR, leaseUntil = 0) {
  const { booking, keys } = fresh(more)
  expect(await store.create(booking, keys, dueAt, leaseUntil, BY)).toBe(true)
  return { booking, keys }
}

const facts = (at = START) => ({ at, by: BY, dueAt: null })
const times = <T>(n: number, make: (at: number) => T) => Array.from({ length: n }, (_, at) => make(at))

/** Moves a pending booking along a way. */
async function lead(store: BookingStore, bookingId: string, ...way: BookingState[]) {
  let from: BookingState = 'pending'
  for (const to of way) {
    expect(await store.move(bookingId, from, to, facts())).toBeDefined()
    from = to
  }
}

onBothDatabases('the booking store', (open) => {
  const storeOf = (database: Database = open()) => createBookingStore(database, storeKeys)

  test('a booking comes back as it was written', async () => {
    const store = storeOf()
    const { booking } = await created(store, { clientReference: 'PO 7', simulated: true, cancel: undefined })
    expect(await store.get('acc_1', booking.bookingId)).toEqual(booking)
    expect(await store.any(booking.bookingId)).toEqual(booking)
    expect(await store.get('acc_2', booking.bookingId)).toBeUndefined()
  })

  test('a booking that is written as being submitted has both steps in its history', async () => {
    const store = storeOf()
    const { booking } = await created(store, { state: 'submitting', createdAt: START, submittedAt: START + 3 })
    expect(await store.any(booking.bookingId)).toEqual(booking)
    expect(await store.events(booking.bookingId)).toEqual([
      { sequence: 1, from: undefined, to: 'pending', at: START, reason: undefined, by: BY },
      { sequence: 2, from: 'pending', to: 'submitting', at: START + 3, reason: undefined, by: BY },
    ])
    await store.move(booking.bookingId, 'submitting', 'confirmed', facts())
    expect((await store.events(booking.bookingId)).at(-1)).toMatchObject({ sequence: 3, from: 'submitting' })
  })

  test('of 200 racing requests with one key, one writes its intent', async () => {
    const store = storeOf()
    const wins = await Promise.all(
      times(200, async (at) => {
        const { booking, keys } = fresh({}, 'raced')
        return (await store.create(booking, keys, FAR, 0, BY)) ? at : undefined
      }),
    )
    expect(wins.filter((win) => win !== undefined)).toHaveLength(1)
    const earlier = await store.earlier('acc_1', 'raced', 'none', START)
    expect(await store.events(earlier?.booking.bookingId ?? '')).toHaveLength(1)
  })

  test('of 200 racing requests for one offer under different keys, one writes its intent', async () => {
    const store = storeOf()
    const wins = await Promise.all(
      times(200, () => {
        const { booking, keys } = fresh()
        return store.create(booking, { ...keys, offerId: 'off_raced' }, FAR, 0, BY)
      }),
    )
    expect(wins.filter(Boolean)).toHaveLength(1)
  })

  test('two accounts may use the same key', async () => {
    const store = storeOf()
    const ones = fresh({ accountId: 'acc_1' }, 'shared')
    const twos = fresh({ accountId: 'acc_2' }, 'shared')
    expect(await store.create(ones.booking, ones.keys, FAR, 0, BY)).toBe(true)
    expect(await store.create(twos.booking, twos.keys, FAR, 0, BY)).toBe(true)
    expect((await store.earlier('acc_2', 'shared', '', START))?.booking.bookingId).toBe(twos.booking.bookingId)
  })

  test('what a guest books while signing in belongs to the account, which cannot book the same offer again', async () => {
    const store = storeOf()
    const { booking, keys } = fresh({ accountId: 'gst_1', bookingId: 'bkg_of_guest' })
    await open().write((tx) => moveToAccount(tx, 'gst_1', 'acc_signed_in', START))
    expect(await store.create(booking, keys, FAR, 0, BY)).toBe(true)
    expect(await store.get('acc_signed_in', booking.bookingId)).toMatchObject({ bookingId: 'bkg_of_guest' })
    const again = fresh({ accountId: 'acc_signed_in' })
    expect(await store.create(again.booking, { ...again.keys, offerId: keys.offerId }, FAR, 0, BY)).toBe(false)
  })

  test('an earlier booking is found by its key before its offer, with what it was asked and whether it is held', async () => {
    const store = storeOf()
    const one = await created(store, {}, FAR, START + 10)
    const other = await created(store)
    const { idempotencyKey, fingerprint } = one.keys
    expect(await store.earlier('acc_1', idempotencyKey, other.keys.offerId, START + 9)).toMatchObject({
      booking: { bookingId: one.booking.bookingId },
      fingerprint,
      idempotencyKey,
      answer: undefined,
      leased: true,
    })
    expect((await store.earlier('acc_1', idempotencyKey, '', START + 10))?.leased).toBe(false)
    expect((await store.earlier('acc_1', 'x', other.keys.offerId, START))?.booking).toEqual(other.booking)
    expect(await store.earlier('acc_2', idempotencyKey, other.keys.offerId, START)).toBeUndefined()
  })

  test('of many racing moves one wins, with one event', async () => {
    const store = storeOf()
    const { booking } = await created(store)
    const moved = await Promise.all(times(50, () => store.move(booking.bookingId, 'pending', 'submitting', facts())))
    expect(moved.filter((one) => one !== undefined)).toHaveLength(1)
    expect((await store.events(booking.bookingId)).map(({ sequence, to }) => [sequence, to])).toEqual([
      [1, 'pending'],
      [2, 'submitting'],
    ])
  })

  test('of two different moves racing from one state one wins, and the history has no gap', async () => {
    const store = storeOf()
    for (let round = 0; round < 20; round += 1) {
      const { booking } = await created(store)
      await lead(store, booking.bookingId, 'submitting')
      const [won] = (
        await Promise.all(
          (['confirmed', 'rejected', 'in_doubt'] as const).map((to) =>
            store.move(booking.bookingId, 'submitting', to, facts()),
          ),
        )
      ).filter((one) => one !== undefined)
      const events = await store.events(booking.bookingId)
      expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
      expect(events.at(-1)?.to).toBe(won?.booking.state)
      expect((await store.any(booking.bookingId))?.state).toBe(won?.booking.state)
    }
  })

  test('a move that the table does not know is a bug, and changes nothing', async () => {
    const store = storeOf()
    const { booking } = await created(store)
    await expect(store.move(booking.bookingId, 'pending', 'confirmed', facts())).rejects.toThrow(/cannot move/)
    expect(await store.any(booking.bookingId)).toEqual(booking)
  })

  test('when what listens to a move fails, the move has not happened', async () => {
    const store = createBookingStore(open(), storeKeys, async (_, __, event) => {
      if (event.to === 'submitting') throw new Error('no webhook')
    })
    const { booking } = await created(store)
    await expect(store.move(booking.bookingId, 'pending', 'submitting', facts())).rejects.toThrow('no webhook')
    expect((await store.any(booking.bookingId))?.state).toBe('pending')
    expect(await store.events(booking.bookingId)).toHaveLength(1)
  })

  test('each vendor has its own places, less those in use, and what a person must look at comes first', async () => {
    const store = storeOf()
    const now = START - 40_000
    const add = async (vendorId: string, sentAt: number, dueAt: number) =>
      (await created(store, { vendorId, submittedAt: sentAt }, dueAt, 0)).booking.bookingId
    for (let at = 0; at < 20; at += 1) await add('v_slow', now - 1_000, now - 900 + at)
    const old = await add('v_slow', now - 60_000, now)
    const other = await add('v_fine', now - 1_000, now)
    const idsOf = (claimed: readonly SettleClaim[]) => claimed.map(({ booking }) => booking.bookingId)
    const claim = { now, leaseMs: 60_000, mostPerVendor: 8, firstSentBefore: now - 30_000 }
    const full = await store.claimDue({ ...claim, busy: times(8, () => 'v_slow') })
    expect(idsOf(full)).toEqual([other])
    const one = await store.claimDue({ ...claim, busy: times(7, () => 'v_slow') })
    expect(idsOf(one)).toEqual([old])
    const rest = await store.claimDue(claim)
    expect(rest.map(({ booking }) => booking.vendorId)).toEqual(times(8, () => 'v_slow'))
    const left = await store.claimDue({ ...claim, mostPerVendor: 100 })
    expect(left).toHaveLength(12)
    await Promise.all([...full, ...one, ...rest, ...left].map(({ task }) => store.postpone(task, FAR)))
  })

  test('the process that has written a booking down has its lease, and keeps it as long as it renews it', async () => {
    const store = storeOf()
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

  test('a settled booking is never due, even if somebody postpones it late', async () => {
    const store = storeOf()
    const { booking } = await created(store, {}, START, 0)
    const claim = () => store.claimDue({ now: START, leaseMs: 1, mostPerVendor: 100 })
    const held = (await claim()).find((one) => one.booking.bookingId === booking.bookingId)
    await lead(store, booking.bookingId, 'submitting', 'confirmed')
    expect(await store.postpone(held?.task ?? expect.fail('not due'), START)).toBe(false)
    expect((await claim()).map((one) => one.booking.bookingId)).not.toContain(booking.bookingId)
  })

  test('the first answer is kept, whoever writes the second, and comes back to the byte', async () => {
    const store = storeOf()
    const { booking, keys } = await created(store)
    // Not 202: that answer is meant to be replaced.
    const answers = times(20, (at) => ({ status: 400 + at, body: `{"né":"\u2028 ${at}",  "x":1.10}` }))
    const kept = await Promise.all(answers.map((answer) => store.keepAnswer(booking.bookingId, answer)))
    expect(new Set(kept.map(({ body }) => body)).size).toBe(1)
    const [first] = kept
    await lead(store, booking.bookingId, 'submitting')
    const answerOf = () => ({ status: 500, body: 'later' })
    const moved = await store.move(booking.bookingId, 'submitting', 'confirmed', { ...facts(), answerOf })
    expect(moved?.answer).toEqual(first)
    for (let replay = 0; replay < 3; replay += 1) {
      expect((await store.earlier('acc_1', keys.idempotencyKey, '', START))?.answer).toEqual(first)
    }
  })

  test('a move that decides the answer keeps it with the state, or neither', async () => {
    const store = storeOf()
    const { booking, keys } = await created(store)
    await lead(store, booking.bookingId, 'submitting')
    const failing = () => {
      throw new Error('cannot be told')
    }
    const move = (answerOf: () => { status: number; body: string }) =>
      store.move(booking.bookingId, 'submitting', 'confirmed', { ...facts(), answerOf, vendorReference: 'V1' })
    await expect(move(failing)).rejects.toThrow('cannot be told')
    expect(await store.any(booking.bookingId)).toMatchObject({ state: 'submitting', vendorReference: undefined })
    const told = { status: 201, body: '{"data":1}' }
    expect((await move(() => told))?.answer).toEqual(told)
    expect(await store.earlier('acc_1', keys.idempotencyKey, '', START)).toMatchObject({
      answer: told,
      booking: { state: 'confirmed', vendorReference: 'V1' },
    })
  })

  test('a move answers the booking as it then stands, whether it was read for it or handed in', async () => {
    const store = storeOf()
    for (const handIn of [false, true]) {
      const { booking } = await created(store, { clientReference: 'PO 7', cancel: undefined, submittedAt: START + 1 })
      let stands = booking
      const move = async (to: BookingState, more: Partial<MoveFacts>) => {
        const known = handIn ? { known: stands } : {}
        const moved = await store.move(booking.bookingId, stands.state, to, {
          ...facts(START + 5),
          ...more,
          ...known,
        } as MoveFacts)
        expect(moved?.booking).toEqual(await store.any(booking.bookingId))
        stands = moved?.booking ?? booking
      }
      await move('submitting', { leaseUntil: START + 9 })
      await move('confirmed', { vendorReference: 'V1', answerOf: () => ({ status: 201, body: '{}' }) })
      await move('cancelling', { at: START + 7 })
      await move('cancelled', { cancelFeeMinor: 1_250 })
      expect(stands).toMatchObject({ submittedAt: START + 1, vendorReference: 'V1', cancelFee: { minor: 1_250 } })
    }
  })

  test('the fees of a cancellation that failed are gone once the booking is confirmed again', async () => {
    const store = storeOf()
    const { price, cancel } = aBooking()
    const terms = { version: 1, priority: 1, percent: 20 } as const
    const sale = { terms, price, cancel, net: price.total } as const
    for (const more of [{}, { sale }]) {
      const { booking } = await created(store, more)
      const { bookingId } = booking
      await lead(store, bookingId, 'submitting', 'confirmed')
      const asked = await store.move(bookingId, 'confirmed', 'cancelling', { ...facts(), cancelFeeMinor: 1_250 })
      expect(asked?.booking.cancelFee).toEqual({ minor: 1_250, currency: 'EUR' })
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

  test('of two changes of the persons from one reading the second is not written', async () => {
    const store = storeOf()
    const { booking } = await created(store)
    const { bookingId, persons } = booking
    await lead(store, bookingId, 'submitting', 'confirmed')
    const wishing = (specialRequests: string) => ({ before: persons, after: { ...persons, specialRequests } })
    const done = await Promise.all(['one', 'other'].map((wish) => store.amend(bookingId, wishing(wish), facts())))
    const written = done.filter((one) => one !== undefined)
    expect(written).toHaveLength(1)
    expect((await store.any(bookingId))?.persons).toEqual(written[0]?.persons)
    expect((await store.events(bookingId)).filter(({ kind }) => kind === 'amended')).toHaveLength(1)
  })

  test('discrepancies come with the move, the same words once, other words after them, and each is an event in its transaction', async () => {
    const told: string[] = []
    const store = createBookingStore(open(), storeKeys, async (_tx, _booking, { sequence, kind, to }) => {
      told.push(`${sequence} ${kind ?? to}`)
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
    expect(told).toEqual([
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

  test('a booking that somebody else has moved is not moved by whoever still holds it as it was', async () => {
    const store = storeOf()
    const { booking } = await created(store)
    await lead(store, booking.bookingId, 'submitting', 'in_doubt')
    const held = { ...facts(), known: { ...booking, state: 'submitting' as const }, vendorReference: 'V9' }
    expect(await store.move(booking.bookingId, 'submitting', 'confirmed', held)).toBeUndefined()
    expect(await store.any(booking.bookingId)).toMatchObject({ state: 'in_doubt', vendorReference: undefined })
    expect(await store.events(booking.bookingId)).toHaveLength(3)
  })

  test('no name, address or wish of a guest can be read in the database', async () => {
    const store = storeOf()
    const persons = {
      guests: [{ givenName: 'Zebulon', familyName: 'Quatermass', email: 'zq@secret.example', phone: '+49 30 7654321' }],
      contact: { email: 'contact@secret.example', phone: '+49 30 1234567' },
      specialRequests: 'allergic to feathers',
    }
    const { booking } = await created(store, { persons })
    await store.keepAnswer(booking.bookingId, { status: 201, body: JSON.stringify(persons) })
    await lead(store, booking.bookingId, 'submitting', 'in_doubt')
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

  test('after the key is changed old bookings open as before; with the old key gone, all but the persons does', async () => {
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

    const forgetful = createBookingStore(open(), deriveKeyring([newer], 'bookings'))
    const nobody = { guests: [], contact: { email: '', phone: '' }, specialRequests: '' }
    expect(await forgetful.any(booking.bookingId)).toEqual({ ...booking, persons: nobody })
  })

  test('figures count every state and tell since when the oldest doubt lasts', async () => {
    const store = storeOf()
    const { booking } = await created(store, { state: 'submitting', submittedAt: START - 123_456 })
    await store.move(booking.bookingId, 'submitting', 'in_doubt', { ...facts(), dueAt: START - 99_999 })
    const figures = await store.figures()
    expect(figures.oldestDoubtSince).toBe(START - 123_456)
    expect(figures.byState.in_doubt).toBeGreaterThanOrEqual(1)
  })

  test('figures count simulated bookings apart, and no doubt of theirs', async () => {
    const store = storeOf()
    const { booking } = await created(store, { state: 'submitting', simulated: true, submittedAt: START - 9_999_999 })
    const before = await store.figures()
    await store.move(booking.bookingId, 'submitting', 'in_doubt', { ...facts(), dueAt: START })
    const after = await store.figures()
    expect(after.byState).toEqual(before.byState)
    expect(after.simulatedByState.in_doubt).toBe((before.simulatedByState.in_doubt ?? 0) + 1)
    expect(after.oldestDoubtSince).toBe(before.oldestDoubtSince)
  })
})
