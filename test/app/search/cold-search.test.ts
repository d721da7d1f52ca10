import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { locationId, type SearchAnswer, type SearchApp, searchApp, warm } from '../../support/app/search-app.ts'
import { withLargeCity } from '../../support/sandbox/large-city.ts'

let app: SearchApp
beforeAll(async () => {
  app = await searchApp({}, { places: withLargeCity(3) })
})
afterAll(() => app.close())
afterEach(() => app.clearFaults())

const idsOf = ({ availability }: SearchAnswer) => availability.map(({ property_id }) => property_id).sort()
const at = (town: string) => ({ destination_id: locationId(town) })

describe('the first search of an area', () => {
  test('is whole or says so: a search a moment later never finds silently more', async () => {
    const first = await app.search(at('Barcelona'))
    // More than any vendor tells on one page.
    expect(first.availability.length).toBeGreaterThan(250)
    const later = await warm(app, at('Barcelona'))
    expect(later.partial).toBe(false)
    const isSilent = !first.partial && first.warnings.length === 0 && first.vendors.every(({ reason }) => !reason)
    // A busy machine may not be able to read a city in time; then the answer has to say so.
    if (isSilent) expect(idsOf(later)).toEqual(idsOf(first))
    else
      expect([
        first.partial,
        first.vendors.some(({ reason }) => reason === 'content_incomplete'),
        first.warnings,
      ]).toEqual([true, true, [expect.stringContaining('again')]])
  }, 60_000)

  test('says so where content does not come in time, and what to do', async () => {
    await app.sandbox.control.hotelbeds.addFaults({ kind: 'latency', operation: 'content', ms: 4_000 })
    const first = await app.search({ ...at('Zürich'), timeout_ms: 1_500 })
    expect(first.partial).toBe(true)
    expect(first.vendors).toContainEqual(
      expect.objectContaining({ vendor_id: 'hotelbeds', reason: 'content_incomplete' }),
    )
    expect(first.warnings).toContainEqual(expect.stringMatching(/hotelbeds.*again/))
    await app.clearFaults()
    const later = await warm(app, at('Zürich'))
    expect(later.availability.length).toBeGreaterThan(first.availability.length)
    expect(later.warnings).toEqual([])
  })
})
