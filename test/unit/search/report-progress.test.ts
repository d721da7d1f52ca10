import { expect, test } from 'vitest'
import type { SearchResult } from '../../../src/domain/saved-search.ts'
import { createProgressReporter } from '../../../src/search/report-progress.ts'

test('the first event has the 30 best properties, and the others follow at once', async () => {
  const events: string[][] = []
  const results = Array.from(
    { length: 40 },
    (_, index) =>
      ({ propertyId: `p${index}`, score: index, offers: [{ total: { minor: 1 } }] }) as unknown as SearchResult,
  )
  const reporter = createProgressReporter(
    { summaries: async () => new Map() },
    { onVendor: () => undefined, onResults: (reported) => events.push(reported.map(({ now }) => now.propertyId)) },
    () => results,
  )
  reporter.found(results.map(({ propertyId }) => propertyId))
  await reporter.finish(results)
  expect(events.map((ids) => ids.length)).toEqual([30, 10])
  expect([events[0]?.[0], events[0]?.at(-1), events[1]?.[0]]).toEqual(['p39', 'p10', 'p9'])
})
