import { join } from 'node:path'
import { type Clock, systemClock } from '../lib/clock.ts'
import { createAllotment } from './allotment.ts'
import { createFaultPlan, type FaultPlan } from './fault-plan.ts'
import { createHotelbedsStandIn } from './hotelbeds/stand-in.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createRapidStandIn } from './rapid/stand-in.ts'
import type { Sandbox, VendorControl } from './sandbox.ts'
import type { Place, SandboxVendor } from './world/contract.ts'
import { createLateWorld } from './world/late-world.ts'
import { createWorld } from './world/world.ts'

export type SandboxOptions = {
  readonly places: Iterable<Place>
  /** Where the booking books are kept; without it they last as long as the process. */
  readonly dataDir?: string
  /** Where pictures are served: `http://127.0.0.1:4000/sandbox/pictures`. */
  readonly pictureBase: string
  readonly clock?: Clock
  /** Draws of faults that hit only a share of calls can be repeated with it. */
  readonly seed?: number
}

/** Known to everybody and good for loopback only. Fixed, so that offers outlive a restart of the stand-ins. */
const RAPID = { apiKey: 'sandbox-rapid', sharedSecret: 'sandbox-rapid-secret' } as const
const HOTELBEDS = { apiKey: 'sandbox-hotelbeds', secret: 'sandbox-hotelbeds-secret' } as const
const ACCOUNT_CURRENCY = 'EUR'

/** Opens both stand-ins over one world. A room sold by one is gone at the other, and after a restart it still is. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock = systemClock, seed = 1, dataDir } = options
  const pictureBase = options.pictureBase.replace(/\/+$/, '')
  const allotment = createAllotment()
  const bookOf = (vendor: SandboxVendor): Ledger =>
    createLedger(dataDir === undefined ? {} : { path: join(dataDir, 'sandbox', `${vendor}.jsonl`) })
  const books = { expedia_rapid: bookOf('expedia_rapid'), hotelbeds: bookOf('hotelbeds') }
  const world = createLateWorld(() => {
    const built = createWorld({ places: options.places })
    for (const book of Object.values(books)) book.replayInto(allotment, built)
    return built
  })
  const shared = { world, allotment, clock }
  const rapid = createRapidStandIn({
    ...shared,
    ...RAPID,
    ledger: books.expedia_rapid,
    faults: createFaultPlan(seed),
    pictureBase,
  })
  const hotelbeds = createHotelbedsStandIn({
    ...shared,
    ...HOTELBEDS,
    ledger: books.hotelbeds,
    faults: createFaultPlan(seed),
    accountCurrency: ACCOUNT_CURRENCY,
  })
  const [{ origin: rapidOrigin }, { origin: hotelbedsOrigin }] = await Promise.all([rapid.listen(), hotelbeds.listen()])
  // Whoever hears of the servers needs a moment to come; the world is there by then.
  setImmediate(() => world.sizeOf('expedia_rapid'))
  const origins = { expedia_rapid: rapidOrigin, hotelbeds: hotelbedsOrigin }
  return {
    environment: environmentOf(origins, pictureBase),
    origins,
    control: { expedia_rapid: controlOf(rapid), hotelbeds: controlOf(hotelbeds) },
    async close() {
      await Promise.all([rapid.close(), hotelbeds.close()])
    },
  }
}

function environmentOf(origins: Sandbox['origins'], pictureBase: string): Record<string, string> {
  return {
    SERAI_EXPEDIA_RAPID_API_KEY: RAPID.apiKey,
    SERAI_EXPEDIA_RAPID_SHARED_SECRET: RAPID.sharedSecret,
    SERAI_EXPEDIA_RAPID_BASE_URL: origins.expedia_rapid,
    SERAI_EXPEDIA_RAPID_BILLING_CONTACT_GIVEN_NAME: 'Sandbox',
    SERAI_EXPEDIA_RAPID_BILLING_CONTACT_FAMILY_NAME: 'Agency',
    SERAI_EXPEDIA_RAPID_BILLING_CONTACT_COUNTRY_CODE: 'NL',
    SERAI_EXPEDIA_RAPID_BUSINESS_PHONE: '+31201234567',
    SERAI_HOTELBEDS_API_KEY: HOTELBEDS.apiKey,
    SERAI_HOTELBEDS_SECRET: HOTELBEDS.secret,
    SERAI_HOTELBEDS_BOOKING_ORIGIN: origins.hotelbeds,
    SERAI_HOTELBEDS_CONTENT_ORIGIN: origins.hotelbeds,
    SERAI_HOTELBEDS_PHOTO_BASE: `${pictureBase}/`,
    SERAI_HOTELBEDS_CURRENCIES: ACCOUNT_CURRENCY,
  }
}

const controlOf = ({ faults, ledger }: { readonly faults: FaultPlan; readonly ledger: Ledger }): VendorControl => ({
  async addFaults(...added) {
    for (const fault of added) faults.add(fault)
  },
  async clearFaults() {
    faults.clear()
  },
  faults: async () => faults.list(),
  ledger: async () => ledger.current(),
})
