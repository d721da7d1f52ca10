import { sql } from 'kysely'
import { testSubject } from '../../domain/webhook.ts'
import { HOUR_MS } from '../../lib/time/durations.ts'
import type { Database, ReadOnly, Tx } from '../../store/database.ts'
import { replay } from './log.ts'
import { hasEnabledAccount } from './webhooks.ts'

export type FailingWebhookStore = ReturnType<typeof createFailingWebhookStore>

/** Failing webhooks of all accounts. */
export function createFailingWebhookStore(database: Database) {
  return {
    /** The owner of a webhook, and if it is disabled. */
    async any(id: string): Promise<{ accountId: string; isDisabled: boolean } | undefined> {
      const row = await database.read
        .selectFrom('webhooks')
        .select(['account_id', 'disabled_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { accountId: row.account_id, isDisabled: row.disabled_at !== null }
    },

    list: (now: number, limit: number): Promise<FailingWebhook[]> => failing(database.read, now, limit),

    /** Resends failed events, and pending ones immediately, with a new retry period. Returns their number. */
    replay: (webhookId: string, now: number, limit: number): Promise<number> =>
      database.write((tx) => replayFailed(tx, webhookId, now, limit)),
  }
}

/** A webhook that does not receive its events. */
export type FailingWebhook = {
  readonly webhookId: string
  readonly accountId: string
  /** Time of the oldest undelivered event. */
  readonly since: number
  /** Time of the newest undelivered event. */
  readonly latest: number
  /** Failed events, and events still retried after an hour. */
  readonly failed: number
  readonly waiting: number
}

const FAILING_AFTER_MS = HOUR_MS

/** Enabled webhooks of enabled accounts with events that failed or have been retried for an hour. */
async function failing(db: ReadOnly, now: number, limit: number): Promise<FailingWebhook[]> {
  const begun = sql<number>`coalesce(delivery.replayed_at, delivery.created_at)`
  const rows = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select([
      'delivery.webhook_id as webhookId',
      'webhooks.account_id as accountId',
      sql<number>`min(delivery.created_at)`.as('since'),
      sql<number>`max(delivery.created_at)`.as('latest'),
      sql<number>`sum(case when delivery.outcome = 'failed' then 1 else 0 end)`.as('failed'),
      sql<number>`sum(case when delivery.outcome is null then 1 else 0 end)`.as('waiting'),
    ])
    .where('webhooks.disabled_at', 'is', null)
    .where(hasEnabledAccount)
    .where((where) =>
      where.or([
        where('delivery.outcome', '=', 'failed'),
        where.and([
          where('delivery.outcome', 'is', null),
          where('delivery.attempts', '>', 0),
          where(begun, '<=', now - FAILING_AFTER_MS),
        ]),
      ]),
    )
    .where('delivery.booking_id', 'not like', `${testSubject('')}%`)
    .groupBy(['delivery.webhook_id', 'webhooks.account_id'])
    .orderBy('since')
    .limit(limit)
    .execute()
  return rows.map(({ since, latest, failed, waiting, ...ids }) => ({
    ...ids,
    since: Number(since),
    latest: Number(latest),
    failed: Number(failed),
    waiting: Number(waiting),
  }))
}

async function replayFailed(tx: Tx, webhookId: string, now: number, limit: number): Promise<number> {
  const rows = await tx
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where((where) => where.or([where('outcome', '=', 'failed'), where('outcome', 'is', null)]))
    .orderBy('created_at')
    .limit(limit)
    .execute()
  for (const { booking_id: bookingId, sequence } of rows) await replay(tx, { webhookId, bookingId, sequence }, now)
  return rows.length
}
