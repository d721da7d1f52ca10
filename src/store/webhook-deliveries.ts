import { sql } from 'kysely'
import { receiverPauseMs } from '../domain/webhook.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { Database, Tx } from './database.ts'
import type { WebhookDeliveryRow } from './tables.ts'
import { openTarget } from './webhooks.ts'

export type Delivery = {
  readonly webhookId: string
  readonly bookingId: string
  readonly sequence: number
  readonly payload: string
  readonly createdAt: number
  /** This one included. */
  readonly attempts: number
  /** Undefined when the key it was sealed with has been dropped: it cannot be sent any more. */
  readonly target: { readonly url: string; readonly secret: string } | undefined
}

export type Claim = {
  readonly now: number
  readonly leaseMs: number
  readonly most: number
  /** So that one receiver with a thousand events does not take every place. */
  readonly mostPerWebhook: number
  /** How many each webhook has on their way already, as far as the caller knows. */
  readonly busy: ReadonlyMap<string, number>
}

export type WebhookDeliveryStore = ReturnType<typeof createWebhookDeliveryStore>

type Key = Pick<WebhookDeliveryRow, 'webhook_id' | 'booking_id' | 'sequence'>

/** Each claim looks at a few more than it takes; whose webhook has no room left is not looked at again. */
const LOOKED_AT_SHARE = 2

/** News on its way. */
export function createWebhookDeliveryStore(database: Database, keyring: Keyring) {
  return {
    /**
     * Takes due deliveries for `leaseMs`. Of any number of processes one gets each; when that one dies the lease runs
     * out and another does. A later event of a booking is not handed out while an earlier one is on its way to the
     * same webhook.
     */
    async claimDue(claim: Claim): Promise<Delivery[]> {
      return database.write(async (tx) => {
        const keys = fairShare(await dueKeys(database, tx, claim), claim)
        const deliveries: Delivery[] = []
        for (const key of keys) deliveries.push(await lease(tx, key, claim.now + claim.leaseMs))
        return deliveries
      })
    },

    /** Whoever delivered it, it is delivered: this holds even when the lease has passed to somebody else. */
    async delivered(delivery: Delivery): Promise<void> {
      await database.write(async (tx) => {
        await tx
          .updateTable('webhook_deliveries')
          .set({ due_at: null, outcome: 'delivered' })
          .where(sameAs(delivery))
          .where('due_at', 'is not', null)
          .execute()
        await tx
          .updateTable('webhooks')
          .set({ failures: 0, paused_until: 0 })
          .where('id', '=', delivery.webhookId)
          .where('failures', '>', 0)
          .execute()
      })
    },

    /** To be tried again at `dueAt`, unless somebody else has taken it over. What comes after it waits as long. */
    async postpone(delivery: Delivery, dueAt: number, now: number): Promise<void> {
      await database.write(async (tx) => {
        if (!(await setIfOurs(tx, delivery, { due_at: dueAt, lease_until: 0 }))) return
        await tx
          .updateTable('webhook_deliveries')
          .set({ due_at: dueAt })
          .where('webhook_id', '=', delivery.webhookId)
          .where('booking_id', '=', delivery.bookingId)
          .where('sequence', '>', delivery.sequence)
          .where('due_at', '<', dueAt)
          .execute()
        await countFailure(tx, delivery.webhookId, now)
      })
    },

    async giveUp(delivery: Delivery, now: number): Promise<void> {
      await database.write(async (tx) => {
        if (!(await setIfOurs(tx, delivery, { due_at: null, outcome: 'failed' }))) return
        await countFailure(tx, delivery.webhookId, now)
      })
    },

    /** The receiver said that it is gone for good: nothing more is sent there. */
    async disable(webhookId: string, now: number): Promise<void> {
      await database.write(async (tx) => {
        // Deliveries first, their webhook last, here as everywhere: whoever locks in one order cannot deadlock.
        await tx
          .updateTable('webhook_deliveries')
          .set({ due_at: null, outcome: 'gone' })
          .where('webhook_id', '=', webhookId)
          .where('due_at', 'is not', null)
          .execute()
        await tx.updateTable('webhooks').set({ disabled_at: now }).where('id', '=', webhookId).execute()
      })
    },

    /** Forgets what is done, and what nobody can receive any more. Bounded; answers how many. */
    async deleteOld(before: number, most = 500): Promise<number> {
      return database.write(async (tx) => {
        const keys = await tx
          .selectFrom('webhook_deliveries')
          .select(['webhook_id', 'booking_id', 'sequence'])
          .where('created_at', '<', before)
          .where((where) => {
            const receiver = where
              .selectFrom('webhooks')
              .select('id')
              .whereRef('webhooks.id', '=', 'webhook_deliveries.webhook_id')
              .where('disabled_at', 'is', null)
            return where.or([where('due_at', 'is', null), where.not(where.exists(receiver))])
          })
          .orderBy('created_at')
          .limit(most)
          .execute()
        for (const key of keys) await tx.deleteFrom('webhook_deliveries').where(atKey(key)).execute()
        return keys.length
      })
    },
  }

  async function lease(tx: Tx, key: Key, leaseUntil: number): Promise<Delivery> {
    const row = await tx
      .updateTable('webhook_deliveries')
      .set({ lease_until: leaseUntil, attempts: sql<number>`attempts + 1` })
      .where(atKey(key))
      .returningAll()
      .executeTakeFirstOrThrow()
    const { target } = await tx
      .selectFrom('webhooks')
      .select('target')
      .where('id', '=', key.webhook_id)
      .executeTakeFirstOrThrow()
    return {
      webhookId: row.webhook_id,
      bookingId: row.booking_id,
      sequence: row.sequence,
      payload: row.payload,
      createdAt: row.created_at,
      attempts: row.attempts,
      target: openTarget(keyring, target),
    }
  }
}

async function dueKeys(database: Database, tx: Tx, { now, busy, most, mostPerWebhook }: Claim): Promise<Key[]> {
  let due = tx
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select(['delivery.webhook_id', 'delivery.booking_id', 'delivery.sequence'])
    .where('delivery.due_at', '<=', now)
    .where('delivery.lease_until', '<=', now)
    .where('webhooks.disabled_at', 'is', null)
    .where('webhooks.paused_until', '<=', now)
    .where((where) => {
      const earlier = where
        .selectFrom('webhook_deliveries as earlier')
        .select('earlier.sequence')
        .whereRef('earlier.webhook_id', '=', 'delivery.webhook_id')
        .whereRef('earlier.booking_id', '=', 'delivery.booking_id')
        .whereRef('earlier.sequence', '<', 'delivery.sequence')
        .where('earlier.due_at', 'is not', null)
      return where.not(where.exists(earlier))
    })
    .orderBy('delivery.due_at')
    .limit(most * LOOKED_AT_SHARE)
  const full = [...busy].filter(([, count]) => count >= mostPerWebhook).map(([id]) => id)
  if (full.length > 0) due = due.where('webhooks.id', 'not in', full)
  if (database.dialect === 'postgres') due = due.forUpdate('delivery').skipLocked()
  return due.execute()
}

function fairShare(keys: readonly Key[], { most, mostPerWebhook, busy }: Claim): Key[] {
  const taken = new Map(busy)
  return keys
    .filter(({ webhook_id: id }) => {
      const before = taken.get(id) ?? 0
      taken.set(id, before + 1)
      return before < mostPerWebhook
    })
    .slice(0, most)
}

/** Each claim counts the attempts up: a process that was taken for dead holds an older count and changes nothing. */
async function setIfOurs(tx: Tx, delivery: Delivery, facts: Partial<WebhookDeliveryRow>): Promise<boolean> {
  const ours = await tx
    .updateTable('webhook_deliveries')
    .set(facts)
    .where(sameAs(delivery))
    .where('attempts', '=', delivery.attempts)
    .where('due_at', 'is not', null)
    .returning('sequence')
    .executeTakeFirst()
  return ours !== undefined
}

async function countFailure(tx: Tx, webhookId: string, now: number): Promise<void> {
  const counted = await tx
    .updateTable('webhooks')
    .set({ failures: sql<number>`failures + 1` })
    .where('id', '=', webhookId)
    .returning('failures')
    .executeTakeFirst()
  const pauseMs = receiverPauseMs(counted?.failures ?? 0)
  if (pauseMs === 0) return
  await tx
    .updateTable('webhooks')
    .set({ paused_until: now + pauseMs })
    .where('id', '=', webhookId)
    .execute()
}

const sameAs = ({ webhookId, bookingId, sequence }: Delivery) =>
  atKey({ webhook_id: webhookId, booking_id: bookingId, sequence })

const atKey = ({ webhook_id, booking_id, sequence }: Key) => sql<boolean>`
  webhook_id = ${webhook_id} and booking_id = ${booking_id} and sequence = ${sequence}`
