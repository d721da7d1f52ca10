import { expect, test } from 'vitest'
import { createAllotment } from '../../src/sandbox/allotment.ts'
import { createFaultPlan } from '../../src/sandbox/fault-plan.ts'
import { answerAvailability } from '../../src/sandbox/hotelbeds/answer-availability.ts'
import { createRateKeys } from '../../src/sandbox/hotelbeds/rate-key.ts'
import { createHotelbedsStandIn } from '../../src/sandbox/hotelbeds/stand-in.ts'
import { createLedger } from '../../src/sandbox/ledger.ts'
import { createWorld } from '../../src/sandbox/world/world.ts'
import { createHotelbeds, type HotelbedsConfig, originsOf } from '../../src/vendors/hotelbeds/index.ts'
import { createHttpClient } from '../../src/vendors/http-client.ts'
import { turnableClock } from '../support/clock.ts'
import { aPlace, TEST_PLACES } from '../support/places.ts'
import { type VendorBench, vendorContract } from './vendor-contract.ts'

const KEY = 'contract-test-key'
const SECRET = 'contract-test-secret'
const world = createWorld({ places: TEST_PLACES })
const place = aPlace('Paris')

async function setup(): Promise<VendorBench> {
  // The probe compares clocks through the answer's date header, which the server takes from the machine.
  const clock = turnableClock(Date.now())
  const faults = createFaultPlan(1)
  const ledger = createLedger()
  const standIn = createHotelbedsStandIn({
    world,
    allotment: createAllotment(),
    ledger,
    clock,
    apiKey: KEY,
    secret: SECRET,
    accountCurrency: 'EUR',
    faults,
  })
  const { origin } = await standIn.listen()
  const config: HotelbedsConfig = {
    apiKey: KEY,
    secret: SECRET,
    bookingOrigin: origin,
    contentOrigin: origin,
    photoBase: 'https://pictures.invalid/',
    pricing: 'net',
    contentPageSize: 10,
  }
  const client = createHttpClient({ vendor: 'hotelbeds', origins: originsOf(config), clock })
  const day = (days: number) => new Date(clock.now() + days * 86_400_000).toISOString().slice(0, 10)
  const views = world
    .near({ center: place.point, radiusKm: 10 }, 60)
    .flatMap((property) => world.view('hotelbeds', property) ?? [])
  return {
    vendor: createHotelbeds(config, { send: client.send, clock }),
    stranger: createHotelbeds({ ...config, secret: 'some-other-secret' }, { send: client.send, clock }),
    faults,
    ledger,
    calls: standIn.calls,
    clock,
    stay: { checkIn: day(40), checkOut: day(43), occupancies: [{ adults: 2, childrenAges: [] }] },
    market: { currency: 'EUR', language: 'en-GB', countryCode: 'FR' },
    timezone: place.timezone,
    propertyIds: views.map((view) => String(view.vendorPropertyId)),
    unknownId: '999999999',
    secrets: [KEY, SECRET, 'some-other-secret'],
    async close() {
      await client.close()
      await standIn.close()
    },
  }
}

vendorContract('hotelbeds', setup)

test('a hotel whose two cheapest rates are paid at its desk is found all the same', async () => {
  const bench = await setup()
  const shop = { world, allotment: createAllotment(), keys: createRateKeys(SECRET), currency: 'EUR' }
  const hotel = world
    .near({ center: place.point, radiusKm: 30 }, 500)
    .flatMap((property) => world.view('hotelbeds', property)?.vendorPropertyId ?? [])
  const asked = {
    stay: bench.stay,
    occupancies: [{ rooms: 1, adults: 2, children: 0 }],
    hotels: { hotel },
    filter: { maxRooms: 1, maxRatesPerRoom: 2 },
  }
  const { body } = answerAvailability(shop, asked, bench.clock.now(), false)
  const { hotels } = body.hotels as { hotels: { code: number; rooms: { rates: { paymentType: string }[] }[] }[] }
  const hidden = hotels.filter(({ rooms }) =>
    rooms.every(({ rates }) => rates.length === 2 && rates.every(({ paymentType }) => paymentType === 'AT_HOTEL')),
  )
  expect(hidden.length).toBeGreaterThan(0)
  const vendorPropertyIds = hidden.map(({ code }) => String(code))
  const context = { signal: AbortSignal.timeout(10_000), requestId: 'pay-at-desk' }
  const { stay, market, timezone } = bench
  const { offers } = await bench.vendor.availability({ vendorPropertyIds, stay, market, timezone }, context)
  expect(offers.map(({ vendorPropertyId }) => vendorPropertyId)).toEqual(vendorPropertyIds)
  await bench.close()
})
