import { expect, test } from 'vitest'
import { moveToAccount } from '../../../src/accounts/store/guests.ts'
import type { SavedSearch } from '../../../src/domain/saved-search.ts'
import { createSearchStore } from '../../../src/search/store/searches.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

function aSearch(searchId: string, expiresAt: number): SavedSearch {
  return {
    searchId,
    accountId: 'acc_1',
    createdAt: expiresAt - 100,
    expiresAt,
    simulated: false,
    terms: {
      location: {
        id: 'place',
        name: 'Lisbon, Portugal',
        type: 'city',
        countryCode: 'PT',
        point: { lat: 38.7, lon: -9.1 },
        radiusKm: 10,
        timezone: 'Europe/Lisbon',
      },
      radiusKm: 10,
      stay: { checkIn: '2027-03-01', checkOut: '2027-03-03', occupancies: [{ adults: 2, childrenAges: [] }] },
      market: { currency: 'EUR', language: 'en-US', countryCode: 'US' },
      customerIp: undefined,
      vendorIds: ['one'],
    },
    vendors: [],
    ratesDate: undefined,
    found: 1,
  }
}

onBothDatabases('searches', (open) => {
  test('only the owner can read a search, and its results are unchanged', async () => {
    const searches = createSearchStore(open())
    await searches.save(aSearch('s-1', 1_000), Buffer.from([1, 2, 0, 255]))
    const found = await searches.withResults('acc_1', 's-1')
    expect(found?.search).toMatchObject({ searchId: 's-1', found: 1 })
    expect([...(found?.results ?? [])]).toEqual([1, 2, 0, 255])
    expect(await searches.withResults('acc_2', 's-1')).toBeUndefined()
  })

  test('an account can read a search that it started as a guest', async () => {
    const searches = createSearchStore(open())
    await open().write((tx) => moveToAccount(tx, 'gst_1', 'acc_signed_in', 500))
    await searches.save({ ...aSearch('s-guest', 1_000), accountId: 'gst_1' }, Buffer.from('x'))
    expect((await searches.withResults('acc_signed_in', 's-guest'))?.search.searchId).toBe('s-guest')
  })

  test('the list of simulated searches contains no real ones', async () => {
    const searches = createSearchStore(open())
    const accountId = 'acc_listed'
    await searches.save({ ...aSearch('s-real', 1_000), accountId }, Buffer.from('x'))
    await searches.save({ ...aSearch('s-simulated', 1_000), accountId, simulated: true }, Buffer.from('x'))
    const listed = async (onlySimulated: boolean) =>
      (await searches.listing(accountId, onlySimulated, ({ query }) => query.execute()))
        .map(({ search_id }) => search_id)
        .sort()
    expect(await listed(true)).toEqual(['s-simulated'])
    expect(await listed(false)).toEqual(['s-real', 's-simulated'])
  })

  test('an expired search loses its results first and is deleted later', async () => {
    const searches = createSearchStore(open())
    await searches.save(aSearch('s-old', 2_000), Buffer.from('old'))
    await searches.save(aSearch('s-young', 9_000), Buffer.from('young'))
    await searches.forgetExpired(5_000, 500)
    expect((await searches.withResults('acc_1', 's-old'))?.results).toHaveLength(0)
    expect((await searches.withResults('acc_1', 's-young'))?.results).toHaveLength(5)
    await searches.forgetExpired(5_000, 3_000)
    expect(await searches.withResults('acc_1', 's-old')).toBeUndefined()
    expect(await searches.withResults('acc_1', 's-young')).toBeDefined()
    expect(await searches.forgetExpired(5_000, 3_000)).toBe(0)
  })

  test('a long clean-up continues from its last position without missing or repeating a search', async () => {
    const searches = createSearchStore(open())
    // Three searches have the same time, so that a round ends between them.
    const expiries = [1_000, 2_000, 2_000, 2_000, 3_000]
    for (const [index, expiresAt] of expiries.entries())
      await searches.save(aSearch(`s-${index}`, expiresAt), Buffer.from('x'))
    expect(await searches.forgetExpired(5_000, 0, 2)).toBe(2)
    expect(await searches.forgetExpired(5_000, 0, 2)).toBe(2)
    expect(await searches.forgetExpired(5_000, 0, 2)).toBe(1)
    expect(await searches.forgetExpired(5_000, 0, 2)).toBe(0)
    for (const index of expiries.keys()) {
      expect((await searches.withResults('acc_1', `s-${index}`))?.results).toHaveLength(0)
    }
    await searches.save(aSearch('s-later', 6_000), Buffer.from('x'))
    expect(await searches.forgetExpired(7_000, 0, 2)).toBe(1)
    expect((await searches.withResults('acc_1', 's-later'))?.results).toHaveLength(0)
  })

  test('another process also clears expired searches, without the position of the first one', async () => {
    const database = open()
    await createSearchStore(database).save(aSearch('s-old', 2_000), Buffer.from('old'))
    await createSearchStore(database).forgetExpired(5_000, 0)
    const other = createSearchStore(database)
    await other.save(aSearch('s-next', 4_000), Buffer.from('next'))
    await other.forgetExpired(5_000, 0)
    expect((await other.withResults('acc_1', 's-next'))?.results).toHaveLength(0)
  })
})
