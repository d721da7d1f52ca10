/**
 * Bookings a second beside the store's raw durable commits on the same disk. Both are measured in turns, so that a busy
 * neighbour slows down the one as much as the other. The vendor is the in-process simulator, so what is measured is ours;
 * the clients are in a process of their own, because theirs are not our costs.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../src/store/sqlite-dialect.ts'
import { signIn } from './support/client-calls.ts'
import { median, round } from './support/figures.ts'
import { type Generator, type Loaded, type Post, startGenerator } from './support/generator.ts'
import { pin, processCpuMs } from './support/processor.ts'
import { report } from './support/report.ts'
import { type Server, startSerai } from './support/servers.ts'

const ROUNDS = 7
const AT_ONCE = 32

export async function benchBookings({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const count = quick ? 300 : 1_500
  const serai = await startSerai()
  const generator = startGenerator()
  const raw = openRaw()
  try {
    pin(serai.pid, 0)
    pin(generator.pid, 1)
    const book = await bookAt(serai, generator)
    await book(count, AT_ONCE)
    const alone = await book(quick ? 100 : 300, 1)
    const perSecond: number[] = []
    const commits: number[] = []
    const before = processCpuMs(serai.pid)
    for (let at = 0; at < ROUNDS; at += 1) {
      commits.push(raw.commitsPerSecond(quick ? 300 : 1_000))
      const { requests, seconds } = await book(count, AT_ONCE)
      perSecond.push(requests / seconds)
    }
    const cpuMs = processCpuMs(serai.pid) - before
    const ratios = perSecond.map((one, at) => one / (commits[at] ?? Number.NaN))
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

/** Books so many rooms, each under a key of its own, some at once. */
async function bookAt(
  { url }: Server,
  generator: Generator,
): Promise<(count: number, connections: number) => Promise<Loaded>> {
  const { headers } = await signIn(url)
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
