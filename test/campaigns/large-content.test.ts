import { expect, test } from 'vitest'
import { createSteps } from '../contract/contract-steps.ts'
import { vendorBench } from '../support/sandbox/vendor-bench.ts'

// Not a contract test, because writing and reading so many responses of 16 MiB takes twenty seconds.
test('content of Expedia Rapid over the size limit is read in smaller parts, by id and as a feed', async () => {
  const bench = await vendorBench('expedia_rapid')
  const steps = createSteps(() => bench, true)
  const readAll = async (query: Parameters<typeof bench.vendor.content>[0]) => {
    const ids: string[] = []
    const cursors: (string | undefined)[] = []
    for await (const page of bench.vendor.content(query, steps.context(AbortSignal.timeout(120_000)))) {
      ids.push(...page.properties.map(({ vendorPropertyId }) => vendorPropertyId))
      cursors.push(page.cursor)
      if (cursors.length === 2) break
    }
    return { ids, cursors }
  }
  const byIds = { kind: 'ids', ids: bench.propertyIds } as const
  const whole = await readAll(byIds)
  const feed = await readAll({ kind: 'feed' })
  bench.settings.largeContent = 1
  expect((await readAll(byIds)).ids.sort()).toEqual(whole.ids.sort())
  const large = await readAll({ kind: 'feed' })
  expect(large.ids.sort()).toEqual(feed.ids.sort())
  const cursor = large.cursors[0]
  if (cursor !== undefined) {
    const { ids } = await readAll({ kind: 'feed', cursor })
    expect(large.ids).toEqual(expect.arrayContaining(ids.slice(0, 10)))
  }
  await bench.close()
})
