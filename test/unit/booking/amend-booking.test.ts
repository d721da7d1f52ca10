import { isDeepStrictEqual } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { type AmendOrder, createAmendBooking } from '../../../src/booking/amend-booking.ts'
import { createPriceConsent } from '../../../src/booking/price-consent.ts'
import type { Booking, BookingGuest } from '../../../src/domain/booking/booking.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import type { Receipt, Vendor } from '../../../src/vendors/contract.ts'
import { type Effect, VendorError, type VendorFault } from '../../../src/vendors/vendor-error.ts'
import { aBooking, anOffer, aPrice, BY_ACCOUNT, euro, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { ADA, type BookingParts, openBookingParts } from '../../support/booking/booking-parts.ts'
import { oneWorld } from '../../support/booking/one-world.ts'

const GRACE: BookingGuest = { givenName: 'Grace', familyName: 'Hopper', email: '', phone: '' }

let opened: BookingParts | undefined
afterEach(() => opened?.close())

async function booked(
  amend: NonNullable<Vendor['amend']>,
  vendor: Partial<Omit<Vendor, 'capabilities'>> = {},
  offer = anOffer(),
) {
  const parts = await openBookingParts({ vendor: { ...vendor, amend } })
  opened = parts
  const { bookingId } = await parts.bookStay(sealBookingInfo(offer))
  const amendBooking = createAmendBooking({
    bookings: parts.store,
    worlds: oneWorld(parts.vendor),
    clock: parts.clock,
    ids: randomIds,
  })
  const change = (more: Partial<Pick<AmendOrder, 'guests' | 'specialRequests' | 'precondition' | 'acceptPriceUpTo'>>) =>
    amendBooking(
      { accountId: ADA.id, bookingId, actor: BY_ACCOUNT.actor, guests: undefined, specialRequests: undefined, ...more },
      { requestId: 'req' },
    )
  return { parts, bookingId, change }
}

test.each<[VendorFault, Effect, string]>([
  ['refused', 'none', 'not_amendable'],
  ['not_found', 'none', 'not_amendable'],
  ['throttled', 'none', 'overloaded'],
  ['timeout', 'none', 'vendor_timeout'],
  ['unreachable', 'none', 'vendors_failed'],
  ['credentials', 'none', 'vendors_failed'],
  ['timeout', 'unknown', 'change_unconfirmed'],
  ['unreachable', 'unknown', 'change_unconfirmed'],
])('a change that the vendor rejects as %s with effect %s returns %s', async (fault, effect, code) => {
  const { change } = await booked(async () => Promise.reject(new VendorError('scripted', fault, effect)))
  await expect(change({ specialRequests: 'A quiet room' })).rejects.toMatchObject({ code })
})

test('two concurrent changes are both stored, here and at the vendor', async () => {
  const both = Promise.withResolvers<void>()
  const amendments: Parameters<NonNullable<Vendor['amend']>>[1][] = []
  const { parts, bookingId, change } = await booked(async (_lookup, wanted) => {
    amendments.push(wanted)
    if (amendments.length === 2) both.resolve()
    await both.promise
  })
  await Promise.all([change({ guests: [GRACE] }), change({ specialRequests: 'A quiet room' })])
  const persons = { guests: [GRACE], specialRequests: 'A quiet room' }
  expect(await parts.store.get(ADA.id, bookingId)).toMatchObject({ persons })
  expect(amendments.at(-1)).toMatchObject({ ...persons, stay: anOffer().stay })
})

test('of two concurrent changes of the version that both have read one is made, and the vendor keeps it', async () => {
  const both = Promise.withResolvers<void>()
  const atVendor: string[] = []
  const { parts, bookingId, change } = await booked(async (_lookup, { specialRequests }) => {
    atVendor.push(specialRequests)
    if (atVendor.length === 2) both.resolve()
    await both.promise
  })
  const precondition = requireVersion(await parts.store.any(bookingId))
  const requests = ['A quiet room', 'A high floor'].map((specialRequests) => change({ specialRequests, precondition }))
  const outcomes = await Promise.allSettled(requests)
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: { code: 'precondition_failed' } }])
  const stored = await parts.store.any(bookingId)
  expect(outcomes).toContainEqual({ status: 'fulfilled', value: stored })
  expect(atVendor).toHaveLength(3)
  expect(atVendor.at(-1)).toBe(stored?.persons.specialRequests)
})

test('a change that lost against another one is unconfirmed if it cannot be sent to the vendor', async () => {
  let calls = 0
  const { parts, bookingId, change } = await booked(async () => {
    calls += 1
    if (calls === 2) throw new VendorError('scripted', 'timeout', 'unknown')
    const before = (await parts.store.any(bookingId)) ?? expect.fail('no booking')
    const persons = { ...before.persons, specialRequests: 'Another change' }
    const facts = { at: parts.clock.now(), by: BY_ACCOUNT }
    await parts.store.amend(bookingId, { before: before.persons, after: persons }, facts)
  })
  const precondition = requireVersion(await parts.store.any(bookingId))
  await expect(change({ guests: [GRACE], precondition })).rejects.toMatchObject({ code: 'change_unconfirmed' })
})

const requireVersion = (seen: Booking | undefined) => (stored: Booking) => {
  if (!isDeepStrictEqual(stored, seen)) throw new AppError('precondition_failed', 'changed')
}

test('a new lead guest with an e-mail address replaces the lead guest as contact, and vendor lookups still use the old address', async () => {
  const asked: (string | undefined)[] = []
  const { parts, bookingId, change } = await booked(async () => undefined, {
    async find({ email }) {
      asked.push(email)
      return { state: 'confirmed', vendorReference: 'V1' }
    },
  })
  const contact = async () => (await parts.store.get(ADA.id, bookingId))?.persons.contact.email
  await change({ guests: [GRACE] })
  expect(await contact(), 'somebody can be reached').toBe(ADA.email)
  await change({ guests: [{ ...GRACE, email: 'grace@example.com' }] })
  expect(await contact()).toBe('grace@example.com')
  await change({ guests: [{ ...GRACE, email: 'hopper@example.com' }] })
  expect(await contact()).toBe('hopper@example.com')
  parts.clock.advance(13 * 60_000)
  await parts.read()
  expect(asked).toEqual([ADA.email])
})

test('a contact who is not the lead guest stays when the lead guest is replaced', async () => {
  const { parts, bookingId, change } = await booked(async () => undefined)
  const before = (await parts.store.get(ADA.id, bookingId)) ?? expect.fail('no booking')
  const contact = { email: 'agency@example.com', phone: '+33 1 23 45 67 89' }
  const given = { before: before.persons, after: { ...before.persons, contact } }
  await parts.store.amend(bookingId, given, { at: parts.clock.now(), by: BY_ACCOUNT })
  await change({ guests: [{ ...GRACE, email: 'grace@example.com', phone: '+49 30 123456' }] })
  expect((await parts.store.get(ADA.id, bookingId))?.persons.contact).toEqual(contact)
})

test('a change that loses every race is refused with advice to read the booking again', async () => {
  let count = 0
  const { parts, bookingId, change } = await booked(async () => {
    const before = (await parts.store.get(ADA.id, bookingId)) ?? expect.fail('no booking')
    count += 1
    const persons = { ...before.persons, specialRequests: `Change ${count}` }
    await parts.store.amend(
      bookingId,
      { before: before.persons, after: persons },
      { at: parts.clock.now(), by: BY_ACCOUNT },
    )
  })
  await expect(change({ guests: [GRACE] })).rejects.toMatchObject({
    code: 'not_amendable',
    message: expect.stringContaining('ead it'),
  })
})

const receipt = (minor: number): Receipt => ({ state: 'confirmed', vendorReference: 'V1', total: euro(minor) })
const soldAtTwice = anOffer({
  sale: { terms: { version: 1, percent: 100 }, net: euro(24_990), price: aPrice(49_980), cancel: anOffer().cancel },
})

/** A vendor that charges `to` in place of `from` for a change, if it is accepted. */
const charging =
  (from: number, to: number): NonNullable<Vendor['amend']> =>
  async (_lookup, { acceptsPrice }) => {
    if (!acceptsPrice(receipt(from), receipt(to))) throw new VendorError('scripted', 'price_changed', 'none')
  }

test('another total is shown before the change, as the client pays it, and stored once it is accepted', async () => {
  const { parts, bookingId, change } = await booked(charging(24_990, 29_990), {}, soldAtTwice)
  const specialRequests = 'A quiet room'
  for (const acceptPriceUpTo of [undefined, 599.79])
    await expect(change({ specialRequests, acceptPriceUpTo })).rejects.toMatchObject({
      code: 'price_changed',
      shown: euro(49_980),
      now: euro(59_980),
    })
  expect(await parts.store.any(bookingId)).toMatchObject({ price: aPrice(), persons: { specialRequests: '' } })
  const changed = await change({ specialRequests, acceptPriceUpTo: 599.8 })
  expect(await parts.store.any(bookingId)).toEqual(changed)
  expect(changed).toMatchObject({
    persons: { specialRequests },
    price: { total: euro(29_990), base: euro(27_990), taxesFees: euro(2_000) },
    sale: { net: euro(29_990), price: { total: euro(59_980) } },
    cancel: { penalties: [{ amount: euro(14_995) }] },
  })
  expect((await parts.store.events(bookingId)).at(-1)).toMatchObject({ kind: 'amended', reason: 'price_changed' })
  const [row] = await parts.database.read.selectFrom('bookings').select('total_minor').execute()
  expect(row?.total_minor).toBe(59_980)
})

test('a booking that is paid by card keeps its price', () => {
  const payment = { paymentId: 'pay_1', amount: euro(24_990) }
  const consent = createPriceConsent(aBooking({ payment }), { acceptPriceUpTo: 1_000 })
  expect(consent.acceptsPrice(receipt(24_990), receipt(24_990))).toBe(true)
  expect(consent.acceptsPrice(receipt(24_990), receipt(25_990))).toBe(false)
  expect(consent.refused()).toMatchObject({ code: 'not_amendable', message: expect.stringContaining('card') })
})

test('a lower total must be accepted too', async () => {
  const { change } = await booked(charging(24_990, 20_000))
  const specialRequests = 'A quiet room'
  await expect(change({ specialRequests })).rejects.toMatchObject({ code: 'price_changed', now: euro(20_000) })
  expect(await change({ specialRequests, acceptPriceUpTo: 200 })).toMatchObject({ price: { total: euro(20_000) } })
})

test('after a lost response, the repeated change stores the price that the vendor already charges', async () => {
  let isLost = true
  const { change } = await booked(async (_lookup, { acceptsPrice }) => {
    expect(acceptsPrice(receipt(isLost ? 24_990 : 26_000), receipt(26_000))).toBe(true)
    if (isLost) throw new VendorError('scripted', 'timeout', 'unknown')
  })
  const wanted = { specialRequests: 'A quiet room', acceptPriceUpTo: 260 }
  await expect(change(wanted)).rejects.toMatchObject({ code: 'change_unconfirmed' })
  isLost = false
  expect(await change(wanted)).toMatchObject({ price: { total: euro(26_000) } })
})

test('a known difference of the price does not prevent a change, and the price stays as agreed', async () => {
  const { parts, bookingId, change } = await booked(charging(25_500, 25_500), {
    find: async () => receipt(25_500),
  })
  parts.clock.advance(13 * 60_000)
  await parts.read()
  expect((await parts.store.any(bookingId))?.discrepancies).toMatchObject([{ code: 'price_differs' }])
  expect(await change({ specialRequests: 'A quiet room' })).toMatchObject({ price: { total: euro(24_990) } })
})

test('a total in a currency that cannot be compared is refused, and no net amount is shown', async () => {
  const { change } = await booked(async (_lookup, { acceptsPrice }) => {
    const inYen = { ...receipt(0), total: { minor: 40_000, currency: 'JPY' } }
    if (!acceptsPrice(receipt(24_990), inYen)) throw new VendorError('scripted', 'price_changed', 'none')
  })
  await expect(change({ specialRequests: 'A quiet room', acceptPriceUpTo: 9_999_999 })).rejects.toMatchObject({
    code: 'not_amendable',
    message: expect.not.stringMatching(/\d/),
  })
})

test.each(['when the vendor has made it', 'when it is stored'])(
  'a reading that began before a change of guests and returns %s is repeated and reports no difference',
  async (moment) => {
    let atVendor = [{ givenName: 'Ada', familyName: 'Lovelace' }]
    const isAsked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    let reading: Promise<number> | undefined
    const { parts, bookingId, change } = await booked(
      async (_lookup, wanted) => {
        atVendor = [...wanted.guests]
        if (moment !== 'when the vendor has made it') return
        answer.resolve()
        await reading
      },
      {
        async find() {
          isAsked.resolve()
          await answer.promise
          return { state: 'confirmed', vendorReference: 'V1', guests: atVendor }
        },
      },
    )
    parts.clock.advance(13 * 60_000)
    reading = parts.read()
    await isAsked.promise
    await change({ guests: [GRACE] })
    answer.resolve()
    await reading
    expect(await parts.store.readings(bookingId)).toEqual([])
    parts.clock.advance(1)
    expect(await parts.read()).toBe(1)
    expect(await parts.store.readings(bookingId)).toMatchObject([{ outcome: 'same' }])
    expect((await parts.store.events(bookingId)).map(({ kind, to }) => kind ?? to)).toEqual([
      'pending',
      'submitting',
      'confirmed',
      'amended',
    ])
  },
)

test('no reading begins between the change at the vendor and the change here', async () => {
  let atVendor = [{ givenName: 'Ada', familyName: 'Lovelace' }]
  const { parts, bookingId, change } = await booked(
    async (_lookup, wanted) => {
      atVendor = [...wanted.guests]
      await parts.read()
    },
    { find: async () => ({ state: 'confirmed', vendorReference: 'V1', guests: atVendor }) },
  )
  parts.clock.advance(13 * 60_000)
  await change({ guests: [GRACE] })
  expect(await parts.store.readings(bookingId)).toEqual([])
  expect(await parts.read()).toBe(1)
  expect((await parts.store.any(bookingId))?.discrepancies).toBeUndefined()
})

test('a change that never finishes delays readings for less than a minute', async () => {
  const { parts, bookingId, change } = await booked(async () => {
    throw new VendorError('scripted', 'timeout', 'unknown')
  })
  parts.clock.advance(13 * 60_000)
  await expect(change({ guests: [GRACE] })).rejects.toMatchObject({ code: 'change_unconfirmed' })
  expect(await parts.read()).toBe(0)
  parts.clock.advance(60_000)
  expect(await parts.read()).toBe(1)
  expect(await parts.store.readings(bookingId)).toHaveLength(1)
})
