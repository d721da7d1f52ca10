/**
 * Measures if saved searches cost the same however many there are: saving one, reading one property, listing one's own,
 * and the clean-up, over 10, 10,000 and 1,000,000 rows. SQL fills in the rows, spread over many accounts.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Offer } from '../src/domain/offer.ts'
import type { SavedResult, SavedSearch } from '../src/domain/saved-search.ts'
import { randomIds } from '../src/lib/crypto/ids.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { HOUR_MS } from '../src/lib/time/durations.ts'
import { parseListQuery } from '../src/lists/parse-list-query.ts'
import { noCharge } from '../src/lists/work.ts'
import { listSavedSearches, SAVED_SEARCH_LIST } from '../src/search/list-searches.ts'
import { packResults, unpackOne } from '../src/search/saved-results.ts'
import { sampleSearch } from '../src/search/simulated-world.ts'
import { createSearchStore } from '../src/search/store/searches.ts'
import { type Database, openDatabase } from '../src/store/database.ts'
import { migrate } from '../src/store/migrations.ts'
import { median, round } from './support/figures.ts'
import { report } from './support/report.ts'

const ROWS = { quick: [10, 10_000], full: [10, 10_000, 1_000_000] } as const
const PROPERTIES = 700
const ACCOUNTS = 500
const OWNER = 'acc_bench'
const NO_CURSORS = { scope: 'bench', cursors: { seal: () => '', open: () => undefined } }

export async function benchSavedSearches({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-bench-'))
  const database = openDatabase({ kind: 'sqlite', path: join(dataDir, 'searches.db') })
  try {
    await migrate(database)
    const packed = await packResults(aResult())
    const figures: Record<string, number> = { saved_search_kb: round(packed.length / 1024, 1) }
    let filled = 0
    for (const rows of quick ? ROWS.quick : ROWS.full) {
      await fill(database, filled, rows)
      filled = rows
      Object.assign(figures, await measure(database, packed, rows))
    }
    return figures
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Small results, so that a million rows fit anywhere. Half of the searches have expired and are empty. */
async function fill(database: Database, from: number, to: number): Promise<void> {
  const now = systemClock.now()
  const head = JSON.stringify(createSearch('filled', now))
  for (let index = from; index < to; index += 50_000) {
    const end = Math.min(to, index + 50_000)
    await database.write((tx) =>
      sql`with recursive n(i) as (select ${index} union all select i + 1 from n where i + 1 < ${end})
        insert into searches (search_id, account_id, created_at, expires_at, simulated, destination, check_in, check_out, found, head, results)
        select lower(hex(randomblob(16))), 'acc_' || (i % ${ACCOUNTS}), ${now} - i, ${now} + (case when i % 2 = 0 then ${HOUR_MS} else -${HOUR_MS} end) + i, 0,
          'Paris, France', '2027-03-01', '2027-03-03', 1, ${head}, case when i % 2 = 0 then randomblob(60) else x'' end from n`.execute(
        tx,
      ),
    )
  }
}

async function measure(database: Database, packed: Buffer, rows: number): Promise<Record<string, number>> {
  const searches = createSearchStore(database)
  const ids = Array.from({ length: 60 }, () => randomIds.uuid())
  const saveMs = await measureMedian(ids, (id) => searches.save(createSearch(id, systemClock.now()), packed))
  const readMs = await measureMedian(ids, async (id) => {
    const found = await searches.withResults(OWNER, id)
    const property = found && (await unpackOne(found.results, 'prp_350'))
    if (property === undefined) throw new Error('the saved property was not found')
  })
  const parsed = parseListQuery(SAVED_SEARCH_LIST, { limit: '20' }, NO_CURSORS)
  if (!parsed.ok) throw new Error('the list query is invalid')
  const listMs = await measureMedian(ids.slice(0, 20), () => listSavedSearches(searches, OWNER, parsed.plan, noCharge))
  // Measures a clean-up without backlog, like nearly all of them; the first one of a process checks everything once.
  const now = systemClock.now()
  while ((await searches.forgetExpired(now, now - 24 * HOUR_MS, 5_000)) > 0);
  const forgetMs = await measureMedian(ids.slice(0, 20), () => searches.forgetExpired(now, now - 24 * HOUR_MS))
  return {
    [`saved_${rows}_save_ms`]: saveMs,
    [`saved_${rows}_read_one_ms`]: readMs,
    [`saved_${rows}_list_ms`]: listMs,
    [`saved_${rows}_forget_ms`]: forgetMs,
  }
}

async function measureMedian<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (const item of items) {
    const started = performance.now()
    await act(item)
    times.push(performance.now() - started)
  }
  return round(median(times), 3)
}

const createSearch = (searchId: string, now: number): SavedSearch => ({
  ...sampleSearch(OWNER, searchId, [{ id: 'alpha' }, { id: 'beta' }], now),
  createdAt: now,
  expiresAt: now + HOUR_MS,
  found: PROPERTIES,
})

/** Size of the results of a search with 500 properties of each of two vendors. */
function aResult(): SavedResult[] {
  const offer = (vendorId: string, index: number): Offer => ({
    vendorId,
    vendorPropertyId: String(1_000_000 + index * 7919),
    total: { minor: 20_000 + index * 37, currency: 'EUR' },
    publicTotal: { minor: 21_000 + index * 37, currency: 'EUR' },
    board: 'breakfast',
    ...(index % 2 === 0 && { freeCancellation: { until: '2027-02-27T18:00:00+01:00' } }),
    roomsLeft: index % 9,
  })
  return Array.from({ length: PROPERTIES }, (_, index) => ({
    propertyId: `prp_${index}`,
    distanceKm: index / 100,
    score: 1 - index / 10_000,
    offers:
      index % 3 === 0 ? [offer('expedia_rapid', index)] : [offer('expedia_rapid', index), offer('hotelbeds', index)],
  }))
}

if (import.meta.main) await report(benchSavedSearches)
