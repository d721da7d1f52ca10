import { LRUCache } from 'lru-cache'
import type { Notice } from '../../domain/offer.ts'
import { hashNotice } from '../../domain/property/notices.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { deleteOld } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'
import { upsert } from '../../store/upsert.ts'

export type NoticeTexts = ReturnType<typeof createNoticeTexts>

/** Longer than any offer is valid. A text that is still shown after half of it is stored again. */
const KEEP_MS = 2 * DAY_MS
const CACHE_BYTES = 8 * 2 ** 20

type CachedNotice = { readonly notice: Notice; readonly until: number }

/** A sealed offer travels in a URI of at most 16 KiB, so it holds only the keys of its notices. */
export function createNoticeTexts(database: Database, clock: Clock) {
  const cache = new LRUCache<string, CachedNotice>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ notice }) => 200 + 2 * notice.text.length,
  })

  return {
    /** Called before an offer with these notices is returned. Writes only texts not written for a day. */
    async keep(notices: readonly Notice[]): Promise<void> {
      const now = clock.now()
      const fresh = new Map(notices.map((notice) => [hashNotice(notice), notice]))
      for (const key of fresh.keys()) if ((cache.get(key)?.until ?? 0) > now + KEEP_MS / 2) fresh.delete(key)
      if (fresh.size === 0) return
      const until = now + KEEP_MS
      const rows = Array.from(fresh, ([key, notice]) => {
        return { notice_key: key, body: JSON.stringify(notice), expires_at: until }
      })
      // A fixed order, so that two processes that store the same texts do not deadlock.
      rows.sort((a, b) => (a.notice_key < b.notice_key ? -1 : 1))
      await database.write((tx) => upsert(tx, 'notice_texts', ['notice_key'], rows))
      for (const [key, notice] of fresh) cache.set(key, { notice, until })
    },

    /** In the order of the keys; undefined if one is missing. */
    async read(keys: readonly string[]): Promise<readonly Notice[] | undefined> {
      // Read before the others are loaded, because loading may evict them.
      const found = new Map(keys.map((key) => [key, cache.get(key)?.notice]))
      const missing = keys.filter((key) => found.get(key) === undefined)
      const rows =
        missing.length === 0
          ? []
          : await database.read.selectFrom('notice_texts').selectAll().where('notice_key', 'in', missing).execute()
      for (const { notice_key: key, body, expires_at } of rows) {
        const notice = readNotice(body)
        found.set(key, notice)
        cache.set(key, { notice, until: Number(expires_at) })
      }
      const notices = keys.flatMap((key) => found.get(key) ?? [])
      return notices.length === keys.length ? notices : undefined
    },

    /** Deletes a batch; returns how many. */
    deleteExpired: (): Promise<number> =>
      deleteOld(database, 'notice_texts', { key: 'notice_key', time: 'expires_at', before: clock.now() }),
  }
}

const readNotice = (body: string): Notice => JSON.parse(body)
