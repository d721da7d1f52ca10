/**
 * Bookings a second beside the store's raw durable commits on the same disk. A booking needs at least three commits: the
 * intent, the submission, the outcome. The vendor is the in-process simulator, so what is measured is ours.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../src/store/sqlite-dialect.ts'
import { startBenchApp } from './support/app.ts'
import { median, percentile, round } from './support/figures.ts'
import { report } from './support/report.ts'

export async function benchBookings({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const count = quick ? 400 : 2_000
  const commits = rawCommits(quick ? 1_500 : 5_000)
  const bench = await startBenchApp()
  try {
    const book = async (number: number) => {
      const startedAt = performance.now()
      const reply = await bench.app.http.inject({
        method: 'POST',
        url: '/api/accommodation/book',
        headers: {
          authorization: `bearer: ${bench.token}`,
          'x-simulate-return': 'success',
          'idempotency-key': `bench-${number}`,
        },
        payload: { bed_id: String(number), guests: [{ given_name: 'Ana', family_name: 'Costa' }] },
      })
      if (reply.statusCode !== 201) throw new Error(reply.body.slice(0, 300))
      return performance.now() - startedAt
    }
    for (let at = 0; at < 50; at += 1) await book(-at - 1)
    const alone: number[] = []
    for (let at = 0; at < 100; at += 1) alone.push(await book(1_000_000 + at))
    const startedAt = performance.now()
    let next = 0
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        while (next < count) {
          next += 1
          await book(next)
        }
      }),
    )
    const perSecond = count / ((performance.now() - startedAt) / 1000)
    return {
      bookings_per_second: Math.round(perSecond),
      commits_per_second: Math.round(commits),
      bookings_vs_commits: round(perSecond / commits, 3),
      booking_service_p50_ms: round(median(alone)),
      booking_service_p99_ms: round(percentile(alone, 0.99)),
    }
  } finally {
    await bench.close()
  }
}

/** One small row a transaction, each on disk before the next begins. */
function rawCommits(count: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'serai-bench-'))
  const database = openSqlite(join(folder, 'raw.db'))
  database.exec('create table rows (id integer primary key, text text not null)')
  const insert = database.prepare('insert into rows (text) values (?)')
  const startedAt = performance.now()
  for (let at = 0; at < count; at += 1) insert.run(`row ${at}`)
  const perSecond = count / ((performance.now() - startedAt) / 1000)
  database.close()
  rmSync(folder, { recursive: true, force: true })
  return perSecond
}

if (import.meta.main) await report(benchBookings)
