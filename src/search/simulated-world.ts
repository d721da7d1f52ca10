import { ENGLISH_TEXTS } from '../catalogue/properties/merge-texts.ts'
import { unstoredRoomTypes } from '../catalogue/rooms/room-types.ts'
import type { VendorProperty } from '../domain/property/property.ts'
import { summarizeProperty } from '../domain/property/property-summary.ts'
import type { SavedSearch } from '../domain/saved-search.ts'
import type { SealedOffer } from '../domain/sealed-offer.ts'
import { SIMULATED_OUTCOMES, type SimulatedOutcome } from '../domain/simulation.ts'
import { memoize } from '../lib/async/memoize.ts'
import { type Circle, circleWithin } from '../lib/geo.ts'
import type { Clock } from '../lib/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import { addDays, dateIn } from '../lib/time/plain-date.ts'
import type { Vendor } from '../vendors/contract.ts'
import type { Candidate, PropertyContent, PropertySource, Samples, World } from './world.ts'

/** Every id has a property. */
export type SimulatedProperties = {
  candidates(circle: Circle, limit: number): readonly Candidate[]
  listVendors(propertyId: string): Promise<Candidate['vendors']>
  content(
    propertyId: string,
  ): Promise<
    Omit<PropertyContent, 'roomTypes' | 'languages' | 'inLanguage'> & { readonly contents: readonly VendorProperty[] }
  >
  property(propertyId: string): VendorProperty
}

type Deps = {
  readonly simulator: {
    vendors(outcome: SimulatedOutcome): readonly Vendor[]
    readonly properties: SimulatedProperties
  }
  readonly clock: Clock
  createAnswers(): World['answers']
}

const OUTCOMES_MAX = SIMULATED_OUTCOMES.length
/** About 5 kB each. */
const SUMMARIES_MAX = 1_500

/** One world per simulated outcome. */
export function createSimulatedWorlds({ simulator, clock, createAnswers }: Deps): (outcome: SimulatedOutcome) => World {
  const properties = createSource(simulator.properties)
  return memoize(OUTCOMES_MAX, (outcome) => ({
    vendors: simulator.vendors(outcome),
    properties,
    answers: createAnswers(),
    simulated: true,
    samples: createSamples(simulator.vendors('success'), outcome, clock),
  }))
}

/** Nothing is stored or mixed with the catalogue. */
function createSource(simulated: SimulatedProperties): PropertySource {
  // Summaries take a third of the time of a simulated search and never change.
  const summarize = memoize(SUMMARIES_MAX, (propertyId: string) =>
    summarizeProperty(propertyId, simulated.property(propertyId)),
  )
  return {
    around: async ({ box, ...circle }, limit) => ({
      radiusKm: circle.radiusKm,
      candidates: simulated.candidates(box === undefined ? circle : circleWithin(box), limit),
      gaps: new Map(),
    }),
    summaries: async (propertyIds) => new Map(propertyIds.map((propertyId) => [propertyId, summarize(propertyId)])),
    listVendors: (propertyId) => simulated.listVendors(propertyId),
    // The simulator knows nothing more about a property than its bookings say.
    vendorProperty: async () => undefined,
    async content(propertyId) {
      const { contents, ...content } = await simulated.content(propertyId)
      const described: PropertyContent = {
        ...content,
        languages: ENGLISH_TEXTS,
        roomTypes: async (offers) => unstoredRoomTypes(propertyId, contents, offers),
        // The simulator speaks English only.
        inLanguage: async () => described,
      }
      return described
    },
    remarks: async () => new Map(),
  }
}

const SAMPLE_ID = '00000000-0000-4000-8000-000000000000'
const SAMPLE_LOCATION = {
  id: SAMPLE_ID,
  name: 'Paris, France',
  type: 'city',
  countryCode: 'FR',
  point: { lat: 48.8566, lon: 2.3522 },
  radiusKm: 10,
  timezone: 'Europe/Paris',
} as const
const SAMPLE_MARKET = { currency: 'EUR', language: 'en-US', countryCode: 'US' } as const
const COUPLE = { adults: 2, childrenAges: [] } as const

function createSamples(vendors: readonly Vendor[], outcome: SimulatedOutcome, clock: Clock): Samples {
  const [vendor] = vendors
  if (vendor === undefined) throw new Error('the simulator has no vendor')
  return {
    search: (accountId, searchId) => sampleSearch(accountId, searchId, vendors, clock.now()),
    async offer(accountId, seed, rooms) {
      const offer = await sampleOffer(accountId, seed, rooms, vendor, clock.now())
      // The same body under another simulation value is another offer, so that each can be booked.
      return outcome === 'success' ? offer : { ...offer, offerId: `${offer.offerId}_${outcome}` }
    },
    confirmsCancel: outcome !== 'vendor_error' && outcome !== 'vendor_timeout',
  }
}

/** Two nights, a month from now. */
function sampleStay(rooms: number, now: number) {
  const checkIn = addDays(dateIn('UTC', now), 30)
  return { checkIn, checkOut: addDays(checkIn, 2), occupancies: Array.from({ length: rooms }, () => COUPLE) }
}

export function sampleSearch(
  accountId: string,
  searchId: string,
  vendors: readonly { readonly id: string }[],
  now: number,
): SavedSearch {
  return {
    searchId,
    accountId,
    createdAt: now,
    expiresAt: now + HOUR_MS,
    simulated: true,
    terms: {
      location: SAMPLE_LOCATION,
      radiusKm: SAMPLE_LOCATION.radiusKm,
      stay: sampleStay(1, now),
      market: SAMPLE_MARKET,
      customerIp: undefined,
      vendorIds: vendors.map(({ id }) => id),
    },
    vendors: [],
    ratesDate: undefined,
    found: 1,
  }
}

async function sampleOffer(
  accountId: string,
  seed: string,
  rooms: number,
  vendor: Vendor,
  now: number,
): Promise<SealedOffer> {
  const propertyId = `sim_${seed.slice(0, 8)}`
  const terms = { stay: sampleStay(rooms, now), market: SAMPLE_MARKET, timezone: SAMPLE_LOCATION.timezone }
  const context = { signal: new AbortController().signal, requestId: `simulated-${seed.slice(0, 8)}` }
  const [room] = await vendor.rooms({ vendorPropertyId: propertyId, ...terms }, context)
  if (room === undefined) throw new Error('the simulator must have a room')
  return {
    ...terms,
    offerId: `off_${seed.slice(0, 24)}`,
    accountId,
    searchId: SAMPLE_ID,
    propertyId,
    vendorId: vendor.id,
    vendorPropertyId: propertyId,
    roomId: room.roomId,
    roomName: room.name,
    beds: room.beds,
    board: room.board,
    price: room.price,
    cancel: room.cancel,
    ...(room.notices !== undefined && { notices: room.notices }),
    ref: room.ref,
    visible: room.visible,
    expiresAt: now + 30 * MINUTE_MS,
    simulated: true,
  }
}
