import { afterEach, expect, test } from 'vitest'
import { createIntent } from '../../../src/booking/offer/describe-offer.ts'
import { presentBooking } from '../../../src/booking/present/booking.ts'
import type { BookingState } from '../../../src/domain/booking/booking.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import type { World } from '../../../src/search/world.ts'
import { decodeContent } from '../../../src/vendors/expedia_rapid/content/decode.ts'
import { aBooking, anOffer, BY_ACCOUNT } from '../../support/booking/an-offer.ts'
import { type BookingParts, openBookingParts } from '../../support/booking/booking-parts.ts'
import { oneWorld } from '../../support/booking/one-world.ts'
import { contentAnswer, hiddenProperty } from '../../support/vendors/expedia_rapid.ts'

let opened: BookingParts | undefined
afterEach(() => opened?.close())

/** The property of a booking in this state, as returned and as stored. */
async function propertyOnce(to: BookingState) {
  const parts = await openBookingParts()
  opened = parts
  const [merged] = decodeContent(contentAnswer(hiddenProperty())).properties
  const source = { content: async () => ({ merged }), vendorProperty: async () => merged }
  const real = oneWorld(parts.vendor).real
  const world = { ...real, properties: { ...real.properties, ...source } } as unknown as World
  const intent = await createIntent({ clock: parts.clock, ids: randomIds }, world, anOffer(), aBooking().persons, {
    reference: 'REF1',
    clientReference: undefined,
  })
  const keys = { offerId: 'off_1', idempotencyKey: 'key_1', fingerprint: 'f' }
  await parts.store.create({ ...intent, state: 'pending' }, keys, parts.clock.now(), 0, BY_ACCOUNT)
  const facts = { at: parts.clock.now(), by: BY_ACCOUNT, dueAt: null }
  await parts.store.move(intent.bookingId, 'pending', 'submitting', facts)
  const moved = await parts.store.move(intent.bookingId, 'submitting', to, facts)
  const stored = await parts.store.any(intent.bookingId)
  if (moved === undefined || stored === undefined) throw new Error('no booking')
  const [answered, read] = [moved.booking, stored].map((booking) => presentBooking(booking, parts.clock.now()).property)
  expect(read).toEqual(answered)
  return read
}

test('an address that may be disclosed only after booking is on the confirmed booking', async () => {
  expect(await propertyOnce('confirmed')).toMatchObject({
    address: '4 Quay Street, 03801 Portsmouth, US',
    location: { lat: 43.077123, lon: -70.757456 },
    phone: '+16035550142',
  })
})

test.each<BookingState>(['rejected', 'in_doubt'])(
  'an address that may be disclosed only after booking is not on a booking that is %s',
  async (state) => {
    expect(await propertyOnce(state)).toMatchObject({
      address: 'Portsmouth, US',
      location: { lat: 43.08, lon: -70.76 },
      phone: '',
    })
  },
)
