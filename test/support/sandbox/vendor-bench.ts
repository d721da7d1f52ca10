import { createAllotment } from '../../../sandbox/server/allotment.ts'
import { serveStandIn } from '../../../sandbox/server/serve-stand-in.ts'
import { formatPropertyId, STAND_INS, type StandInId } from '../../../sandbox/stand-ins.ts'
import { createVendorWorld } from '../../../sandbox/world/vendor-view/vendor-view.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import { addDays, dateIn } from '../../../src/lib/time/plain-date.ts'
import { VENDOR_KINDS } from '../../../src/vendors/registry.ts'
import type { VendorBench } from '../../contract/vendor-contract.ts'
import { manualClock } from '../time/clock.ts'
import { sharedThreads } from '../vendors/shared-threads.ts'
import { aPlace, TEST_PLACES } from './places.ts'

export const testWorld = createWorld({ places: TEST_PLACES })

const WRONG_SECRET = 'some-other-secret'

/** Connects a registered vendor to its stand-in over real HTTP. */
export async function vendorBench(
  id: StandInId,
  settings: Record<string, string> = {},
): Promise<VendorBench & { readonly origin: string }> {
  const standIn = STAND_INS.find((each) => each.id === id)
  const kind = VENDOR_KINDS.find((each) => each.id === id)
  if (standIn === undefined || kind === undefined) throw new Error(`${id} has no stand-in or no adapter`)
  const clock = manualClock()
  const pictureBase = 'http://127.0.0.1:9/pictures'
  const server = serveStandIn(standIn, { world: testWorld, allotment: createAllotment(), clock, pictureBase })
  const { origin } = await server.listen()
  const environment: Record<string, string> = { ...standIn.environment(origin, pictureBase), ...settings }
  const secretNames = kind.variables.filter(({ name, secret }) => secret && name in environment).map(({ name }) => name)
  const wrong = { ...environment, [secretNames.at(-1) ?? '']: WRONG_SECRET }
  const connect = (env: Record<string, string>) => kind.connect(env, { clock, threads: sharedThreads })
  const [right, rejected] = await Promise.all([connect(environment), connect(wrong)])
  const place = aPlace('Paris')
  const world = createVendorWorld(standIn, testWorld)
  const today = dateIn('UTC', clock.now())
  return {
    vendor: right.vendor,
    origin,
    wrongSecret: rejected.vendor,
    faults: server.faults,
    ledger: server.ledger,
    settings: server.settings,
    changeBooking: server.changeBooking,
    calls: server.calls,
    clock,
    stay: { checkIn: addDays(today, 40), checkOut: addDays(today, 43), occupancies: [{ adults: 2, childrenAges: [] }] },
    market: { currency: 'EUR', language: 'en-GB', countryCode: 'FR' },
    timezone: place.timezone,
    propertyIds: world
      .near({ center: place.point, radiusKm: 10 }, 60)
      .flatMap((property) => world.view(property) ?? [])
      .map((view) => formatPropertyId(standIn, view.vendorPropertyId)),
    unknownId: formatPropertyId(standIn, 999_999_999),
    secrets: [WRONG_SECRET, ...secretNames.map((name) => environment[name] ?? '')],
    async close() {
      await Promise.all([right.client.close(), rejected.client.close()])
      await server.close()
    },
  }
}
