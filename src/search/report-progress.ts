import type { SearchResult, VendorOutcome } from '../domain/saved-search.ts'
import type { PropertySource } from './world.ts'

/** Called while vendors answer, for streaming clients. */
export type SearchProgress = {
  onVendor(outcome: VendorOutcome): void
  /** With the last report of each property. */
  onResults(results: readonly ReportedResult[]): void
}

export type ReportedResult = { readonly now: SearchResult; readonly before: SearchResult | undefined }

/** Properties in the first event. */
const FIRST_MAX = 30

/** Reports properties as they are found and when they get cheaper, and at the end those that changed otherwise. */
export function createProgressReporter(
  { summaries }: Pick<PropertySource, 'summaries'>,
  { onVendor, onResults }: SearchProgress,
  readResults: (ids: readonly string[], facts: Awaited<ReturnType<PropertySource['summaries']>>) => SearchResult[],
) {
  const reported = new Map<string, SearchResult>()
  const isCheaper = ({ propertyId, offers: [now] }: SearchResult) => {
    const before = reported.get(propertyId)?.offers[0]
    return before === undefined || (now !== undefined && now.total.minor < before.total.minor)
  }
  /** Summaries may have to be loaded first. A queue keeps the order. */
  let queue: Promise<void> = Promise.resolve()
  const enqueue = (work: () => Promise<void> | void) => {
    queue = queue.then(work)
    // `finish` rejects with the failure.
    queue.catch(() => undefined)
  }
  const reportAll = (results: readonly SearchResult[]) => {
    if (results.length === 0) return
    onResults(results.map((now) => ({ now, before: reported.get(now.propertyId) })))
    for (const result of results) reported.set(result.propertyId, result)
  }
  /** The best come first in an event of their own, so that a slow connection shows them early. */
  const report = (results: readonly SearchResult[]) => {
    if (reported.size > 0 || results.length <= FIRST_MAX) return reportAll(results)
    const best = results.toSorted((a, b) => b.score - a.score)
    reportAll(best.slice(0, FIRST_MAX))
    reportAll(best.slice(FIRST_MAX))
  }

  return {
    vendor: (outcome: VendorOutcome): void => enqueue(() => onVendor(outcome)),
    found: (changed: readonly string[]): void =>
      enqueue(async () => report(readResults(changed, await summaries(changed)).filter(isCheaper))),
    /** Reports properties that have changed since their last report. */
    async finish(results: readonly SearchResult[]): Promise<void> {
      await queue
      report(results.filter((result) => !isSame(reported.get(result.propertyId), result)))
    },
  }
}

const isSame = (before: SearchResult | undefined, now: SearchResult): boolean =>
  before !== undefined &&
  before.score === now.score &&
  before.offers === now.offers &&
  (before.facts === now.facts || JSON.stringify(before.facts) === JSON.stringify(now.facts))
