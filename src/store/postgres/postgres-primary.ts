import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { splitHosts } from '../../lib/net/web-address.ts'
import { monotonicMs } from '../../lib/time/clock.ts'

export type Primary = {
  /** Address of the server to connect to. */
  url(): string
  /** Resolves when the primary is known; rejects if no server accepts writes. */
  find(): Promise<void>
  /** Looks for the primary again before the next connection. */
  forget(): void
}

const ANSWER_TIMEOUT_MS = 1_500
/** Extra time for the other servers: after a failover, the old primary may still accept writes. */
const OTHERS_MS = 200
/** Minimum time between two searches, whatever the load. */
const SEARCH_EVERY_MS = 250

/** Log file of a server that accepts writes; its first eight digits are the timeline, which grows with each promotion. */
const READ_TIMELINE = `
select case current_setting('transaction_read_only') when 'off' then pg_walfile_name(pg_current_wal_lsn()) end as file`

/** Follows the primary between the hosts of an address; `onMove` is called after it has moved. */
export function createPrimary(address: string, onMove: () => void): Primary {
  const urls = splitHosts(address)
  const [only = ''] = urls
  if (urls.length === 1) return { url: () => only, find: async () => undefined, forget: () => undefined }
  let current: Answer | undefined
  let isKnown = false
  let searchedAt = Number.NEGATIVE_INFINITY
  let searching: Promise<void> | undefined

  async function search(): Promise<void> {
    await sleep(Math.max(0, searchedAt + SEARCH_EVERY_MS - monotonicMs()))
    searchedAt = monotonicMs()
    // A server of an older timeline has been replaced, even if it accepts writes.
    const found = await askAll(urls, current?.timeline ?? '')
    const hasMoved = current !== undefined && current.url !== found.url
    current = found
    isKnown = true
    if (hasMoved) onMove()
  }
  return {
    url: () => current?.url ?? only,
    async find() {
      if (isKnown) return
      searching ??= search().finally(() => {
        searching = undefined
      })
      await searching
    },
    forget() {
      isKnown = false
    },
  }
}

type Answer = { readonly url: string; readonly timeline: string }

async function askAll(urls: readonly string[], oldest: string): Promise<Answer> {
  const found: Answer[] = []
  const errors: unknown[] = []
  const first = Promise.withResolvers<void>()
  const answers = urls.map(async (url) => {
    try {
      const timeline = await readTimeline(url)
      if (timeline < oldest) throw new Error(`${new URL(url).host} has been replaced by another primary`)
      found.push({ url, timeline })
      first.resolve()
    } catch (error) {
      errors.push(error)
    }
  })
  await Promise.race([Promise.all(answers), first.promise.then(() => sleep(OTHERS_MS))])
  const [best] = found.sort((a, b) => (a.timeline < b.timeline ? 1 : -1))
  if (best !== undefined) return best
  // SQLSTATE 08001: no connection could be established.
  throw Object.assign(new AggregateError(errors, 'no host accepts writes'), { code: '08001' })
}

async function readTimeline(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ file: string | null }>(READ_TIMELINE)
    const file = rows[0]?.file
    if (typeof file !== 'string') throw new Error(`${new URL(url).host} is read-only`)
    return file.slice(0, 8)
  } finally {
    destroyClient(client)
  }
}

/** Closes the socket without the protocol's handshake, which a hanging server would never complete. */
export function destroyClient(client: pg.ClientBase): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
