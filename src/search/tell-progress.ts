import type { VendorOutcome } from '../domain/saved-search.ts'
import type { FoundProperty } from './merge-offers.ts'
import { type RankedProperty, scored, type UsualPrice } from './rank.ts'
import type { SellProperty } from './sell-properties.ts'
import type { PropertySource } from './world.ts'

/** Called as vendors answer, for clients that stream. */
export type SearchProgress = {
  onVendor(outcome: VendorOutcome): void
  onProperties(properties: readonly RankedProperty[]): void
}

/**
 * Tells what is found, in the order in which it is found, each property as it stands then. A property is told again when it
 * gets cheaper, and in the end where it has changed otherwise: by more expensive offers, or by how it is described.
 */
export function createTeller(
  { summaries }: Pick<PropertySource, 'summaries'>,
  { onVendor, onProperties }: SearchProgress,
  usual: UsualPrice,
  sell: SellProperty,
) {
  const told = new Map<string, RankedProperty>()
  const isNews = ({ propertyId, offers }: RankedProperty) => {
    const [before, now] = [told.get(propertyId)?.offers[0], offers[0]]
    return before === undefined || (now !== undefined && now.total.minor < before.total.minor)
  }
  let radiusKm = 0
  /** Descriptions may have to be read first; what was found earlier is told earlier all the same. */
  let turn: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void> | void) => {
    turn = turn.then(work)
    // Those who wait for the end are told of the failure.
    turn.catch(() => undefined)
  }
  const tell = (properties: readonly RankedProperty[]) => {
    for (const property of properties) told.set(property.propertyId, property)
    if (properties.length > 0) onProperties(properties)
  }

  return {
    /** How far is looked, from now on. */
    within(km: number): void {
      radiusKm = km
    },
    vendor: (outcome: VendorOutcome): void => inTurn(() => onVendor(outcome)),
    found(changed: readonly FoundProperty[]): void {
      inTurn(async () => {
        const factsOf = await summaries(changed.map(({ propertyId }) => propertyId))
        tell(scored(changed, factsOf, radiusKm, usual, sell).filter(isNews))
      })
    },
    /** Tells what is not yet told as it is in the answer. */
    async finish(properties: readonly RankedProperty[]): Promise<void> {
      await turn
      tell(properties.filter((property) => !isSame(told.get(property.propertyId), property)))
    },
  }
}

const isSame = (before: RankedProperty | undefined, now: RankedProperty): boolean =>
  before !== undefined &&
  before.score === now.score &&
  before.offers === now.offers &&
  (before.facts === now.facts || JSON.stringify(before.facts) === JSON.stringify(now.facts))
