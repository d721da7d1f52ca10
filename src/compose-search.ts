import type { Logger } from 'pino'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { Config } from './config.ts'
import type { ExchangeRates } from './domain/exchange.ts'
import type { RoomOffer } from './domain/offer.ts'
import type { SimulatedOutcome } from './domain/simulation.ts'
import type { Clock } from './lib/clock.ts'
import type { Ids } from './lib/ids.ts'
import type { Keyring } from './lib/keyring.ts'
import type { LocationIndex } from './locations/location-index.ts'
import { catalogueSource } from './search/catalogue-source.ts'
import { createSearchDesk, type Realm, type SearchDesk } from './search/search-desk.ts'
import { createSharedAnswers } from './search/shared-answers.ts'
import { inventSearch, simulatedSource } from './search/simulated-source.ts'
import type { SearchStore } from './store/searches.ts'
import type { AvailabilityAnswer, Vendor } from './vendors/contract.ts'
import { SIMULATOR_IDS, type Simulator } from './vendors/simulator/index.ts'

export type SearchParts = {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly ids: Ids
  readonly offerKeys: Keyring
  readonly rates: () => ExchangeRates
  readonly locations: LocationIndex
  readonly catalogue: Catalogue
  readonly vendors: readonly Vendor[]
  readonly simulator: Simulator
  readonly searches: SearchStore
}

export type ComposedSearch = { readonly desk: SearchDesk; readonly real: Realm; simulated(simulation: string): Realm }

/** Search and detail, over the catalogue and the real vendors, or over the simulator. */
export function composeSearch(parts: SearchParts): ComposedSearch {
  const { config, clock, vendors, catalogue, simulator, log } = parts
  const sharing = () => ({
    answers: createSharedAnswers<AvailabilityAnswer>(clock, config.search.reuseMs),
    roomAnswers: createSharedAnswers<readonly RoomOffer[]>(clock, config.search.reuseMs),
  })
  const real: Realm = { vendors, source: catalogueSource(catalogue), simulated: false, ...sharing() }
  const source = simulatedSource(simulator.properties)
  const realms = new Map<string, Realm>()
  const simulated = (simulation: string): Realm => {
    const known = realms.get(simulation) ?? {
      vendors: simulator.vendors(simulation as SimulatedOutcome),
      source,
      simulated: true,
      ...sharing(),
    }
    realms.set(simulation, known)
    return known
  }
  const desk = createSearchDesk({
    ...parts,
    places: parts.locations,
    zoneAt: parts.locations.zoneAt,
    real,
    simulated,
    inventSearch: (accountId, searchId) => inventSearch(accountId, searchId, SIMULATOR_IDS, clock),
    keyring: parts.offerKeys,
    savedTtlMs: config.search.savedTtlMs,
    propertiesMax: config.search.propertiesMax,
    timeoutMs: config.search.detailTimeoutMs,
    detailReuseMs: config.search.reuseMs,
    onBug: (error, where) => log.error({ err: error, where }, 'unexpected error while reading a vendor'),
  })
  return { desk, real, simulated }
}
