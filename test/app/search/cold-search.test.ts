import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  findLocationId,
  type SearchAnswer,
  type SearchApp,
  searchApp,
  searchUntilComplete,
} from '../../support/app/search-app.ts'
import { withLargeCity } from '../../support/sandbox/large-city.ts'

let app: SearchApp
beforeAll(async () => {
  app = await searchApp({}, { places: withLargeCity(3) })
})
afterAll(() => app.close())
afterEach(() => app.clearFaults())

const listIds = ({ availability }: SearchAnswer) => availability.map(({ property_id }) => property_id).sort()
const destination = (town: string) => ({ destination_id: findLocationId(town) })

describe('the first search of an area', () => {
  test('the first search is complete or marked as partial, so a later one has no unannounced properties', async () => {
    const first = await app.search(destination('Barcelona'))
    // More than any vendor returns on one page.
    expect(first.availability.length).toBeGreaterThan(250)
    const later = await searchUntilComplete(app, destination('Barcelona'))
    expect(later.partial).toBe(false)
    const isSilent = !first.partial && first.warnings.length === 0 && first.vendors.every(({ reason }) => !reason)
    // A busy machine may not fetch a city's content in time; the response must then say so.
    if (isSilent) expect(listIds(later)).toEqual(listIds(first))
    else
      expect([
        first.partial,
        first.vendors.some(({ reason }) => reason === 'content_incomplete'),
        first.warnings,
      ]).toEqual([true, true, [expect.stringContaining('again')]])
  }, 60_000)

  test('a search without all content in time is partial and says what to do', async () => {
    await app.sandbox.control.hotelbeds.addFaults({ kind: 'latency', operation: 'content', ms: 4_000 })
    const first = await app.search({ ...destination('Zürich'), timeout_ms: 1_500 })
    expect(first.partial).toBe(true)
    expect(first.vendors).toContainEqual(
      expect.objectContaining({ vendor_id: 'hotelbeds', reason: 'content_incomplete' }),
    )
    expect(first.warnings).toContainEqual(expect.stringMatching(/hotelbeds.*again/))
    await app.clearFaults()
    const later = await searchUntilComplete(app, destination('Zürich'))
    expect(later.availability.length).toBeGreaterThan(first.availability.length)
    expect(later.warnings).toEqual([])
  })
})
