import { LRUCache } from 'lru-cache'
import type { Notice } from '../../domain/offer.ts'
import { noticeKeyOf } from '../../domain/property/notices.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { DELETED_AT_ONCE } from '../../store/at-once.ts'
import type { Database } from '../../store/database.ts'
import { upsert } from '../../store/upsert.ts'

export type NoticeTexts = ReturnType<typeof createNoticeTexts>

/** Longer than any offer lives; a text that is still shown after half of it is kept again. */
const KEEP_MS = 2 * DAY_MS
const REMEMBERED_BYTES = 8 * 2 ** 20

type Kept = { readonly notice: Notice; readonly until: number }

/**
 * The notices of offers, by their keys. An offer travels in an address, which may have 16 KiB; what a vendor obliges us to
 * show may be longer than that. So the sealed offer names its notices by key, and any process finds the texts here.
 */
export function createNoticeTexts(database: Database, clock: Clock) {
  const known = new LRUCache<string, Kept>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ notice }) => 200 + 2 * notice.text.length,
  })

  return {
    /** Before an offer with these notices is handed out. Writes only what has not been written for a day. */
    async keep(notices: readonly Notice[]): Promise<void> {
      const now = clock.now()
      const fresh = new Map(notices.map((notice) => [noticeKeyOf(notice), notice]))
      for (const key of fresh.keys()) if ((known.get(key)?.until ?? 0) > now + KEEP_MS / 2) fresh.delete(key)
      if (fresh.size === 0) return
      const until = now + KEEP_MS
      const rows = Array.from(fresh, ([key, notice]) => {
        return { notice_key: key, body: JSON.stringify(notice), expires_at: until }
      })
      // In one order everywhere, so that two processes that keep the same texts do not wait for each other.
      rows.sort((a, b) => (a.notice_key < b.notice_key ? -1 : 1))
      await database.write((tx) => upsert(tx, 'notice_texts', ['notice_key'], rows))
      for (const [key, notice] of fresh) known.set(key, { notice, until })
    },

    /** In the order of the keys; undefined where one of them is not there any more. */
    async read(keys: readonly string[]): Promise<readonly Notice[] | undefined> {
      const missing = keys.filter((key) => !known.has(key))
      const rows =
        missing.length === 0
          ? []
          : await database.read.selectFrom('notice_texts').selectAll().where('notice_key', 'in', missing).execute()
      const found = new Map(rows.map((row) => [row.notice_key, readNotice(row.body)]))
      for (const row of rows) known.set(row.notice_key, { notice: readNotice(row.body), until: Number(row.expires_at) })
      const notices = keys.flatMap((key) => found.get(key) ?? known.get(key)?.notice ?? [])
      return notices.length === keys.length ? notices : undefined
    },

    /** Deletes some of them; returns how many. */
    deleteExpired: (): Promise<number> =>
      database.write(async (tx) => {
        const old = tx.selectFrom('notice_texts').select('notice_key').where('expires_at', '<', clock.now())
        const gone = tx.deleteFrom('notice_texts').where('notice_key', 'in', old.limit(DELETED_AT_ONCE))
        return Number((await gone.executeTakeFirst()).numDeletedRows)
      }),
  }
}

/** Only ever given what `keep` wrote. */
const readNotice = (body: string): Notice => JSON.parse(body)
