/**
 * Bookings per second compared with the store's raw durable commits on the same disk. Both are measured alternately, so
 * that other load on the machine affects both. The vendor is the in-process simulator, and the clients are in a
 * separate process, so that only our own cost is measured.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../src/store/sqlite-dialect.ts'
import { openSession } from './support/client-calls.ts'
import { median, round } from './support/figures.ts'
import { type Generator, type Loaded, type Post, startGenerator } from './support/generator.ts'
import { pin, processCpuMs } from './support/processor.ts'
import { report } from './support/report.ts'
import { type Server, startSerai } from './support/servers.ts'

const ROUNDS = 7
const CONCURRENCY = 32

export async function benchBookings({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const count = quick ? 300 : 1_500
  const serai = await startSerai()
  const generator = startGenerator()
  const raw = openRawDatabase()
  try {
    pin(serai.pid, 0)
    pin(generator.pid, 1)
    const book = await createBooker(serai, generator)
    await book(count, CONCURRENCY)
    const alone = await book(quick ? 100 : 300, 1)
    const perSecond: number[] = []
    const commits: number[] = []
    const before = processCpuMs(serai.pid)
    for (let index = 0; index < ROUNDS; index += 1) {
      commits.push(raw.commitsPerSecond(quick ? 300 : 1_000))
      const { requests, seconds } = await book(count, CONCURRENCY)
      perSecond.push(requests / seconds)
    }
    const cpuMs = processCpuMs(serai.pid) - before
    const ratios = perSecond.map((rate, index) => rate / (commits[index] ?? Number.NaN))
    return {
      bookings_per_second: Math.round(median(perSecond)),
      commits_per_second: Math.round(median(commits)),
      bookings_vs_commits: round(median(ratios), 3),
      booking_cpu_ms: round(cpuMs / (ROUNDS * count), 3),
      booking_service_p50_ms: round(alone.p50Ms),
      booking_service_p99_ms: round(alone.p99Ms),
    }
  } finally {
    raw.close()
    generator.close()
    await serai.close()
  }
}

/** Books a number of rooms with some concurrency, each with its own key. */
async function createBooker(
  { url }: Server,
  generator: Generator,
): Promise<(count: number, connections: number) => Promise<Loaded>> {
  const { headers } = await openSession(url)
  let booked = 0
  const next = (): Post => {
    booked += 1
    return {
      path: '/api/accommodation/book',
      headers: { 'x-simulate-return': 'success', 'idempotency-key': `bench-${booked}` },
      body: { bed_id: String(booked), guests: [{ given_name: 'Ana', family_name: 'Costa' }] },
    }
  }
  return (count, connections) =>
    generator.run({ url, headers, connections, work: { posts: Array.from({ length: count }, next) } })
}

/** One small row per transaction, each on disk before the next starts. */
function openRawDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'serai-bench-'))
  const database = openSqlite(join(folder, 'raw.db'))
  database.exec('create table rows (id integer primary key, text text not null)')
  const insert = database.prepare('insert into rows (text) values (?)')
  return {
    commitsPerSecond(count: number): number {
      const startedAt = performance.now()
      for (let index = 0; index < count; index += 1) insert.run(`row ${index}`)
      return count / ((performance.now() - startedAt) / 1000)
    },
    close() {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

if (import.meta.main) await report(benchBookings)
