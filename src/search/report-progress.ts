import type { VendorOutcome } from '../domain/saved-search.ts'
import type { FoundProperty } from './merge-offers.ts'
import { type RankedProperty, scoreFound, type UsualPrice } from './rank.ts'
import type { SellProperty } from './sell-properties.ts'
import type { PropertySource } from './world.ts'

/** Called while vendors answer, for streaming clients. */
export type SearchProgress = {
  onVendor(outcome: VendorOutcome): void
  onProperties(properties: readonly RankedProperty[]): void
}

/** Reports properties as they are found and when they get cheaper, and at the end those that changed otherwise. */
export function createProgressReporter(
  { summaries }: Pick<PropertySource, 'summaries'>,
  { onVendor, onProperties }: SearchProgress,
  usual: UsualPrice,
  sell: SellProperty,
) {
  const reported = new Map<string, RankedProperty>()
  const isCheaper = ({ propertyId, offers }: RankedProperty) => {
    const [before, now] = [reported.get(propertyId)?.offers[0], offers[0]]
    return before === undefined || (now !== undefined && now.total.minor < before.total.minor)
  }
  let radiusKm = 0
  /** Summaries may have to be loaded first. A queue keeps the order. */
  let queue: Promise<void> = Promise.resolve()
  const enqueue = (work: () => Promise<void> | void) => {
    queue = queue.then(work)
    // `finish` rejects with the failure.
    queue.catch(() => undefined)
  }
  const report = (properties: readonly RankedProperty[]) => {
    for (const property of properties) reported.set(property.propertyId, property)
    if (properties.length > 0) onProperties(properties)
  }

  return {
    /** Radius of the search from now on. */
    within(km: number): void {
      radiusKm = km
    },
    vendor: (outcome: VendorOutcome): void => enqueue(() => onVendor(outcome)),
    found(changed: readonly FoundProperty[]): void {
      enqueue(async () => {
        const factsById = await summaries(changed.map(({ propertyId }) => propertyId))
        report(scoreFound(changed, factsById, radiusKm, usual, sell).filter(isCheaper))
      })
    },
    /** Reports properties that differ from what was last reported. */
    async finish(properties: readonly RankedProperty[]): Promise<void> {
      await queue
      report(properties.filter((property) => !isSame(reported.get(property.propertyId), property)))
    },
  }
}

const isSame = (before: RankedProperty | undefined, now: RankedProperty): boolean =>
  before !== undefined &&
  before.score === now.score &&
  before.offers === now.offers &&
  (before.facts === now.facts || JSON.stringify(before.facts) === JSON.stringify(now.facts))
