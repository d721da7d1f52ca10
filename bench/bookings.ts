/**
 * Bookings a second beside the store's raw durable commits on the same disk. A booking needs at least three commits: the
 * intent, the submission, the outcome. The vendor is the in-process simulator, so what is measured is ours.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../src/store/sqlite-dialect.ts'
import { type BenchApp, startBenchApp } from './support/app.ts'
import { median, percentile, round } from './support/figures.ts'
import { report } from './support/report.ts'

/** Both are measured in turns, so that a busy neighbour slows down the one as much as the other. */
const ROUNDS = 5
const AT_ONCE = 32

export async function benchBookings({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const count = quick ? 100 : 500
  const bench = await startBenchApp()
  const raw = openRaw()
  try {
    const book = bookWith(bench)
    for (let at = 0; at < 50; at += 1) await book(-at - 1)
    const alone: number[] = []
    for (let at = 0; at < 100; at += 1) alone.push(await book(1_000_000 + at))
    const perSecond: number[] = []
    const commits: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      commits.push(raw.commitsPerSecond(quick ? 300 : 1_000))
      perSecond.push(await bookingsPerSecond(book, round * count, count))
    }
    const ratios = perSecond.map((one, round) => one / (commits[round] ?? Number.NaN))
    return {
      bookings_per_second: Math.round(median(perSecond)),
      commits_per_second: Math.round(median(commits)),
      bookings_vs_commits: round(median(ratios), 3),
      booking_service_p50_ms: round(median(alone)),
      booking_service_p99_ms: round(percentile(alone, 0.99)),
    }
  } finally {
    raw.close()
    await bench.close()
  }
}

/** Books under a key of its own each time; answers how many milliseconds it took. */
function bookWith({ app, token }: BenchApp): (number: number) => Promise<number> {
  return async (number) => {
    const startedAt = performance.now()
    const reply = await app.http.inject({
      method: 'POST',
      url: '/api/accommodation/book',
      headers: {
        authorization: `bearer: ${token}`,
        'x-simulate-return': 'success',
        'idempotency-key': `bench-${number}`,
      },
      payload: { bed_id: String(number), guests: [{ given_name: 'Ana', family_name: 'Costa' }] },
    })
    if (reply.statusCode !== 201) throw new Error(reply.body.slice(0, 300))
    return performance.now() - startedAt
  }
}

async function bookingsPerSecond(
  book: (number: number) => Promise<number>,
  first: number,
  count: number,
): Promise<number> {
  const startedAt = performance.now()
  let next = first
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < first + count) {
        next += 1
        await book(next)
      }
    }),
  )
  return count / ((performance.now() - startedAt) / 1000)
}

/** One small row a transaction, each on disk before the next begins. */
function openRaw() {
  const folder = mkdtempSync(join(tmpdir(), 'serai-bench-'))
  const database = openSqlite(join(folder, 'raw.db'))
  database.exec('create table rows (id integer primary key, text text not null)')
  const insert = database.prepare('insert into rows (text) values (?)')
  return {
    commitsPerSecond(count: number): number {
      const startedAt = performance.now()
      for (let at = 0; at < count; at += 1) insert.run(`row ${at}`)
      return count / ((performance.now() - startedAt) / 1000)
    },
    close() {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

if (import.meta.main) await report(benchBookings)
