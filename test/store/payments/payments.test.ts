import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { beforeEach, expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import { composePaymentStore } from '../../../src/compose/payments/compose-payments.ts'
import type { Payment } from '../../../src/domain/payment/payment.ts'
import { DAY_MS } from '../../../src/lib/time/durations.ts'
import { openFile, openOperation, type PaymentFile, planOperation } from '../../../src/payments/decide/payment-file.ts'
import { markSent, recordAnswer } from '../../../src/payments/decide/record-answer.ts'
import { aBooking, BY_ACCOUNT, storeKeys } from '../../support/booking/an-offer.ts'
import { AMOUNT, anOperation, inState, money, NOW } from '../../support/payments/payment-file.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const BOOKINGS = ['booking_events', 'bookings'] as const
const RACERS = 5
const racers = Array.from({ length: RACERS }, (_, index) => index + 1)

const withCreation = (payment: Payment): PaymentFile =>
  openFile(payment, [anOperation({ kind: 'create', number: 1, state: 'done', key: `${payment.paymentId}:create` })])

onBothDatabases('the store of payments', (open) => {
  const clock = manualClock(NOW)

  beforeEach(() =>
    open().write(async (tx) => {
      for (const table of ['payment_entries', 'payment_operations', 'payments', ...BOOKINGS, 'tasks'] as const)
        await tx.deleteFrom(table).execute()
    }),
  )

  function stores() {
    const { payments, followMoves } = composePaymentStore({ database: open(), clock }, () => bookings)
    const bookings = createBookingStore(open(), storeKeys, followMoves)
    return { payments, bookings }
  }

  /** A payment that the provider knows and that no booking has claimed. */
  async function add(id: string, changed: Partial<Payment> = {}, idempotencyKey?: string): Promise<PaymentFile> {
    const own = { paymentId: `pay_${id}`, offerId: `off_${id}`, lineage: `off_${id}`, reference: `pi_${id}` }
    const payment = inState('authorised', { ...own, captureBefore: NOW + 7 * DAY_MS, ...changed })
    const file = withCreation(payment)
    expect(await stores().payments.add(file, idempotencyKey, NOW)).toBe(true)
    return file
  }

  const read = async (id: string): Promise<PaymentFile> => {
    const file = await stores().payments.read(`pay_${id}`)
    if (file === undefined) throw new Error(`pay_${id} is not stored`)
    return file
  }
  const entries = () => open().read.selectFrom('payment_entries').selectAll().orderBy('sequence').execute()

  const book = (racer: number, paymentId: string) =>
    stores().bookings.create(
      aBooking({
        ...{ bookingId: `bkg_${racer}`, reference: `REF${racer}`, state: 'pending' },
        payment: { paymentId, amount: money(AMOUNT) },
      }),
      { offerId: `off_of_${racer}`, idempotencyKey: `key_${racer}`, fingerprint: String(racer) },
      NOW,
      0,
      BY_ACCOUNT,
    )

  test('of bookings that claim one payment at once, one is stored and the others leave nothing behind', async () => {
    await add('a')
    const outcomes = await Promise.allSettled(racers.map((racer) => book(racer, 'pay_a')))
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect(refusals).toEqual(Array.from({ length: RACERS - 1 }, () => 'payment_invalid'))
    const rows = await open().read.selectFrom('bookings').select('booking_id').execute()
    expect(rows).toHaveLength(1)
    expect((await read('a')).payment).toMatchObject({ state: 'held', bookingId: rows[0]?.booking_id })
  })

  test('a claim and a release at once never both happen', async () => {
    for (const racer of racers) {
      const id = `race${racer}`
      const file = await add(id)
      const { payments } = stores()
      const released = { ...planOperation(file, 'void', AMOUNT) }
      const voiding: PaymentFile = { ...released, payment: { ...released.payment, state: 'voiding', owed: 0 } }
      const [claimed, saved] = await Promise.allSettled([
        book(racer, `pay_${id}`),
        payments.save(file, voiding, { at: NOW, dueAt: NOW }),
      ])
      const isClaimed = claimed.status === 'fulfilled'
      const isReleased = saved.status === 'fulfilled' && saved.value !== undefined
      expect([isClaimed, isReleased].filter(Boolean)).toHaveLength(1)
      expect((await read(id)).payment.state).toBe(isClaimed ? 'held' : 'voiding')
    }
  })

  test('of changes of one payment at once, one is saved, so only one request is open', async () => {
    await add('a', { bookingId: 'bkg_1', state: 'held', owed: AMOUNT })
    const before = await read('a')
    const saved = await Promise.all(
      racers.map(() =>
        stores().payments.save(before, planOperation(before, 'capture', AMOUNT), { at: NOW, dueAt: NOW }),
      ),
    )
    expect(saved.filter((file) => file !== undefined)).toHaveLength(1)
    expect((await read('a')).operations.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'create done',
      'capture planned',
    ])
  })

  test('the database refuses a second open request and a second capture of a payment', async () => {
    await add('a')
    const row = (number: number, state: 'planned' | 'sent' | 'done') => ({
      ...{ payment_id: 'pay_a', number, kind: 'capture' as const, amount_minor: AMOUNT, key: `key:${number}`, state },
      ...{ first_sent_at: null, last_sent_at: null, attempts: 0, error: null },
    })
    const insert = (number: number, state: 'planned' | 'sent' | 'done', kind: 'capture' | 'refund' = 'capture') =>
      open().write((tx) =>
        tx
          .insertInto('payment_operations')
          .values({ ...row(number, state), kind })
          .execute(),
      )
    await insert(2, 'sent')
    await expect(insert(3, 'planned', 'refund')).rejects.toThrow(/payment_operations/)
    await expect(insert(4, 'done')).rejects.toThrow(/payment_operations/)
  })

  test('entries of the ledger are only added, and their sums are the amounts of the payment', async () => {
    await add('a', { bookingId: 'bkg_1', state: 'held', owed: AMOUNT })
    await stores().bookings.create(
      aBooking(),
      { offerId: 'o', idempotencyKey: 'k', fingerprint: 'f' },
      NOW,
      0,
      BY_ACCOUNT,
    )
    let seen: unknown[] = []
    const send = async (kind: 'capture' | 'refund', amount: number) => {
      const file = await read('a')
      const state = kind === 'capture' ? ('capturing' as const) : ('refunding' as const)
      const planned = planOperation({ ...file, payment: { ...file.payment, state } }, kind, amount)
      const operation = openOperation(planned)
      if (operation === undefined) throw new Error('nothing is planned')
      const sent = markSent(planned, operation, NOW)
      const done = recordAnswer(sent, openOperation(sent) ?? operation, 'done', NOW)
      const saved = await Promise.all(
        racers.map(() => stores().payments.save(file, done, { at: NOW, dueAt: undefined })),
      )
      expect(saved.filter((each) => each !== undefined)).toHaveLength(1)
      const now = await entries()
      expect(now.slice(0, seen.length)).toEqual(seen)
      seen = now
    }
    await send('capture', AMOUNT - 1_000)
    await send('refund', 500)
    await send('refund', 700)
    expect((await entries()).map(({ sequence, kind, amount_minor }) => [sequence, kind, amount_minor])).toEqual([
      [1, 'captured', AMOUNT - 1_000],
      [2, 'released', -1_000],
      [3, 'refunded', -500],
      [4, 'refunded', -700],
    ])
    expect((await read('a')).payment).toMatchObject({ captured: AMOUNT - 1_000, refunded: 1_200 })
  })

  test('an object of the provider belongs to one payment', async () => {
    await add('a', { reference: 'pi_same' })
    await add('b')
    const before = await read('b')
    const same = { ...before, payment: { ...before.payment, reference: 'pi_same' } }
    await expect(stores().payments.save(before, same, { at: NOW, dueAt: NOW })).rejects.toThrow()
    expect((await read('b')).payment.reference).toBe('pi_b')
  })

  test('requests for one offer, or under one key, make one payment however many race', async () => {
    const attempt = (racer: number, changed: Partial<Payment>, key?: string) =>
      stores().payments.add(
        withCreation(inState('open', { paymentId: `pay_${racer}`, reference: `pi_${racer}`, ...changed })),
        key,
        NOW,
      )
    const sameOffer = await Promise.all(racers.map((racer) => attempt(racer, { offerId: 'off_same' })))
    expect(sameOffer.filter(Boolean)).toHaveLength(1)
    const sameKey = await Promise.all(
      racers.map((racer) => attempt(racer + RACERS, { offerId: `off_${racer}` }, 'checkout')),
    )
    expect(sameKey.filter(Boolean)).toHaveLength(1)
    const earlier = await stores().payments.earlier('acc_1', 'checkout', 'off_other')
    expect(earlier?.payment.offerId).toBe(`off_${sameKey.indexOf(true) + 1}`)
    expect(earlier?.hasKey).toBe(true)
    const { hasKey } = (await stores().payments.earlier('acc_1', 'other key', 'off_same')) ?? {}
    expect(hasKey).toBe(false)
  })

  test('each due payment is claimed by one job, and by another only after the lease', async () => {
    for (const racer of racers) await add(String(racer))
    const race = async () => (await Promise.all(racers.map(() => stores().payments.claimDue(NOW, 2)))).flat()
    // Jobs that race skip each other's rows, and find the rest in the next round.
    const claims = [...(await race()), ...(await race()), ...(await race())]
    expect(claims.map(({ subject }) => subject).toSorted()).toEqual(racers.map((racer) => `pay_${racer}`))
    expect(await stores().payments.claimDue(NOW + 59_000, RACERS)).toEqual([])
    const [late] = await stores().payments.claimDue(NOW + 61_000, 1)
    const [first] = claims.filter(({ subject }) => subject === late?.subject)
    if (late === undefined || first === undefined) throw new Error('nothing was claimed')
    // The job that held it before the lease ended may not end the claim of the next one.
    expect(await stores().payments.release(first, undefined)).toBe(false)
    expect(await stores().payments.release(late, undefined)).toBe(true)
  })

  test('a notification makes a known payment due at once, also while a job has it', async () => {
    await add('a', {})
    const [claimed] = await stores().payments.claimDue(NOW, 1)
    if (claimed === undefined) throw new Error('nothing was claimed')
    expect(await stores().payments.prompt('stripe', ['pi_a', 'pi_unknown'], NOW + 1)).toBe(1)
    await stores().payments.release(claimed, NOW + DAY_MS)
    expect(await stores().payments.claimDue(NOW + 2, 1)).toHaveLength(1)
  })
})

test('no statement of the service changes or deletes an entry of the ledger', async () => {
  const files: string[] = []
  for await (const path of glob('src/**/*.{ts,sql}')) files.push(path)
  const changing = /(updateTable|deleteFrom)\(\s*'payment_entries'|(update|delete from)\s+payment_entries/i
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((path) => changing.test(readFileSync(path, 'utf8')))).toEqual([])
})
