/** Whole operations over HTTP beside constants of the same bytes: what our frame and work cost a request. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/lib/clock.ts'
import { round } from './support/figures.ts'
import { requestsPerSecond } from './support/load.ts'
import { report } from './support/report.ts'
import { startConstant, startSerai } from './support/servers.ts'

type Search = { data: { search_id: string; availability: { property_id: string }[] } }

const DEMO = { email: 'demo@example.com', password: 'demo-demo-demo' }
const ROUNDS = 3
const PREFIXES = [
  'par',
  'lond',
  'new y',
  'tok',
  'barc',
  'rom',
  'ams',
  'ber',
  'madr',
  'lis',
  'vien',
  'prag',
  'dub',
  'syd',
  'bang',
  'sing',
]

export async function benchHttp({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const seconds = quick ? 2 : 4
  const serai = await startSerai()
  const folder = mkdtempSync(join(tmpdir(), 'serai-bench-'))
  try {
    const ask = async <T>(method: string, path: string, body?: unknown, token = ''): Promise<T> => {
      const answer = await fetch(serai.url + path, {
        method,
        headers: {
          authorization: `bearer: ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as T
    }
    const { token } = await ask<{ token: string }>('POST', '/api/accounts/get_token', { user: DEMO })
    const headers = { authorization: `bearer: ${token}` }
    const locationPaths = PREFIXES.map(
      (prefix) => `/api/locations/search?starts_with=${encodeURIComponent(prefix)}&first=10`,
    )
    const locations = await ask<{ data: { id: string }[] }>('GET', locationPaths[0] ?? '', undefined, token)

    const day = new Date(systemClock.now() + 40 * 86_400_000).toISOString().slice(0, 10)
    const checkOut = new Date(Date.parse(day) + 2 * 86_400_000).toISOString().slice(0, 10)
    const search = await ask<Search>(
      'POST',
      '/api/accommodation_searches/search',
      {
        destination_id: locations.data[0]?.id,
        check_in: day,
        check_out: checkOut,
        occupancies: [{ adults: 2 }],
        currency: 'EUR',
        timeout_ms: 15_000,
      },
      token,
    )
    const detailPath = `/api/accommodation_searches/accommodation?search_id=${search.data.search_id}&property_id=${search.data.availability[0]?.property_id}`
    const detail = await ask<unknown>('GET', detailPath, undefined, token)

    const figures: Record<string, number> = { ready_ms: Math.round(serai.readyMs), rss_mb: residentMb(serai.pid) }
    for (const [name, paths, body] of [
      ['locations', locationPaths, locations],
      ['detail', [detailPath], detail],
    ] as const) {
      const file = join(folder, `${name}.json`)
      writeFileSync(file, JSON.stringify(body))
      const constants = { fastify: await startConstant('fastify', file), http: await startConstant('http', file) }
      // In turns, and the best of each: a neighbour on the machine must not decide who is quicker.
      const best = { ours: 0, fastify: 0, http: 0 }
      for (let round = 0; round < ROUNDS; round += 1) {
        best.ours = Math.max(best.ours, await requestsPerSecond(serai.url, paths, { headers, seconds }))
        for (const kind of ['fastify', 'http'] as const) {
          best[kind] = Math.max(best[kind], await requestsPerSecond(constants[kind].url, ['/'], { headers, seconds }))
        }
      }
      await Promise.all([constants.fastify.close(), constants.http.close()])
      figures[`${name}_http_rps`] = Math.round(best.ours)
      figures[`${name}_http_vs_fastify`] = round(best.ours / best.fastify)
      figures[`${name}_http_vs_node`] = round(best.ours / best.http)
    }
    return figures
  } finally {
    await serai.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of the server alone, before any load. */
function residentMb(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((one) => one.startsWith('VmRSS'))
  return Math.round(Number(line?.replace(/\D/g, '') ?? Number.NaN) / 1024)
}

if (import.meta.main) await report(benchHttp)
