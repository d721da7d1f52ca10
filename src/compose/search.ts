import type { Catalogue } from '../catalogue/catalogue.ts'
import { createDecideMatches } from '../catalogue/matching/decide-matches.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { RoomOffer } from '../domain/offer.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'
import type { Clock } from '../lib/time/clock.ts'
import { traced } from '../lib/trace.ts'
import type { LocationIndex } from '../locations/location-index.ts'
import { createReadStatement } from '../operator/statements/read-statement.ts'
import { createDestinations } from '../search/destinations.ts'
import { createDetailCache } from '../search/detail-cache.ts'
import { createListAvailability } from '../search/list-availability.ts'
import { createFetchDetail } from '../search/property-detail.ts'
import { createRefusedConditions } from '../search/refused-conditions.ts'
import { createSearchStays } from '../search/search-stays.ts'
import { createSharedAnswers } from '../search/shared-answers.ts'
import { createSimulatedWorlds } from '../search/simulated-world.ts'
import { createNoticeTexts } from '../search/store/notice-texts.ts'
import { createSearchStore } from '../search/store/searches.ts'
import { catalogueSource, createWorlds, type World } from '../search/world.ts'
import { createSeesNet } from '../selling/can-see-net-price.ts'
import { createManageRules } from '../selling/manage-rules.ts'
import { createSellingStore } from '../selling/store.ts'
import type { AvailabilityAnswer, Vendor } from '../vendors/contract.ts'
import { VENDOR_KINDS } from '../vendors/registry.ts'
import { createSimulator } from '../vendors/simulator/index.ts'
import { SIMULATOR_IDS } from '../vendors/simulator/sites.ts'
import type { Core } from './core.ts'
import type { ComposedMonitoring } from './monitoring.ts'

type Parts = {
  readonly offerKeys: Keyring
  readonly locations: LocationIndex
  readonly catalogue: Catalogue
  readonly vendors: readonly Vendor[]
  readonly monitoring: Pick<ComposedMonitoring, 'onSearch'>
  rates(): ExchangeRates
}

/** Older rooms would expire while the user decides. */
const ROOMS_REUSE_MAX_MS = 60_000

export type ComposedSearch = ReturnType<typeof composeSearch>

export function composeSearch({ config, clock, ids, log, shared, database }: Core, parts: Parts) {
  const { rates } = parts
  const store = createSellingStore(database)
  const { exchangeMarginPercent: exchangePercent } = config.selling
  const { currentIds } = parts.catalogue
  const vendorIds = [...new Set([...[...VENDOR_KINDS, ...parts.vendors].map(({ id }) => id), ...SIMULATOR_IDS])]
  const manageRules = createManageRules({ store, clock, rates, exchangePercent, currentIds, vendorIds })
  const { reuseMs } = shared.search
  const roomsReuseMs = Math.min(reuseMs, ROOMS_REUSE_MAX_MS)
  const createAnswers = () => createAnswerCaches(clock, reuseMs, roomsReuseMs)
  const worlds = createWorlds(
    {
      vendors: shared.wrapVendors(parts.vendors),
      properties: catalogueSource(parts.catalogue),
      answers: createAnswers(),
      simulated: false,
    },
    createSimulatedWorlds({ simulator: createSimulator({ clock }), clock, createAnswers }),
  )
  const searches = shared.wrapSearchStore(createSearchStore(database))
  const notices = createNoticeTexts(database, clock)
  const refusedConditions = createRefusedConditions(clock, log)
  const deps = {
    ...shared.search,
    worlds,
    searches,
    clock,
    ids,
    rates,
    pricing: manageRules.pricing,
    zoneAt: parts.locations.zoneAt,
    keyring: parts.offerKeys,
    notices,
    onSearch: parts.monitoring.onSearch,
    onRefusedCondition: refusedConditions.record,
    onBug: (err: unknown, where: string) => log.error({ err, where }, 'unexpected error while reading a vendor'),
  }
  return {
    worlds,
    searches,
    notices,
    rates,
    manageRules,
    refusedConditions,
    readStatement: createReadStatement(database),
    seesNet: createSeesNet(store, clock),
    destinations: createDestinations(parts.locations, parts.catalogue),
    defaultCountryCode: config.defaultCountryCode,
    searchStays: traced('search stays', createSearchStays(deps)),
    listAvailability: traced('list availability', createListAvailability(deps)),
    fetchDetail: traced('read property', createFetchDetail(deps)),
    details: createDetailCache(clock, roomsReuseMs),
    inspectMatches: parts.catalogue.inspect,
    decideMatches: createDecideMatches(parts.catalogue),
  }
}

const createAnswerCaches = (clock: Clock, reuseMs: number, roomsReuseMs: number): World['answers'] => ({
  availability: createSharedAnswers<AvailabilityAnswer>(clock, {
    reuseMs,
    listItems: ({ offers }) => offers,
    isReusable: ({ isIncomplete }) => isIncomplete !== true,
  }),
  rooms: createSharedAnswers<readonly RoomOffer[]>(clock, { reuseMs: roomsReuseMs, listItems: (offers) => offers }),
})
