import { sql } from 'kysely'
import { receiverPauseMs } from '../../domain/webhook.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { DELETED_AT_ONCE } from '../../store/at-once.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../../store/tables/webhooks.ts'
import { earlierSecrets, ofEnabledAccount, openTarget } from './webhooks.ts'

export type Delivery = {
  readonly webhookId: string
  /** Whose webhook it is. */
  readonly accountId: string
  readonly bookingId: string
  readonly sequence: number
  readonly payload: string
  /** From when on retries are counted: its beginning, or when it was last sent again on request. */
  readonly since: number
  /** Attempts from then on, this one included. */
  readonly tries: number
  /** All attempts, this one included. */
  readonly attempts: number
  /** Undefined when the key it was sealed with has been dropped: it cannot be sent any more. */
  readonly target: { readonly url: string; readonly secrets: readonly string[] } | undefined
}

export type DeliveryKey = Pick<Delivery, 'webhookId' | 'bookingId' | 'sequence'>

export type Claim = {
  readonly now: number
  readonly leaseMs: number
  readonly most: number
  /** So that one receiver with a thousand events does not take all the capacity. */
  readonly mostPerWebhook: number
  /** So that one account with several slow receivers does not either. */
  readonly mostPerAccount: number
  /** How many deliveries of each webhook the caller is sending already. */
  readonly busy: ReadonlyMap<string, number>
  /** How many of each account. */
  readonly busyAccounts: ReadonlyMap<string, number>
}

export type WebhookDeliveryStore = ReturnType<typeof createWebhookDeliveryStore>

/** A claim reads more rows than it takes, because some belong to webhooks or accounts that have reached their limit. */
const LOOKED_AT_SHARE = 2

/** Events on their way to receivers. */
export function createWebhookDeliveryStore(database: Database, keyring: Keyring) {
  return {
    /**
     * Takes due deliveries for `leaseMs`. Of any number of processes one gets each; when that one dies the lease runs
     * out and another does. A later event of a booking is not handed out while an earlier one is on its way to the
     * same webhook. Those of a disabled account wait.
     */
    claimDue: (claim: Claim): Promise<Delivery[]> =>
      database.write(async (tx) => {
        const due = (await dueRows(tx, claim)).map((row) => fromRow(row, keyring, claim.now))
        const deliveries = fairShare(due, claim)
        for (const delivery of deliveries) {
          await tx
            .updateTable('webhook_deliveries')
            .set({ lease_until: claim.now + claim.leaseMs, attempts: delivery.attempts })
            .where(sameAs(delivery))
            .execute()
        }
        return deliveries
      }),

    /** Counts even when the lease has passed to another process: it was delivered. */
    delivered: (delivery: Delivery): Promise<void> => database.write((tx) => markDelivered(tx, delivery)),

    /** To be tried again at `dueAt`, unless another process has taken it over. Later events of the booking wait as long. */
    postpone: (delivery: Delivery, dueAt: number, now: number): Promise<void> =>
      database.write(async (tx) => {
        if (!(await setIfOurs(tx, delivery, { due_at: dueAt, lease_until: 0 }))) return
        await postponeLaterOnes(tx, delivery, dueAt)
        await countFailure(tx, delivery.webhookId, now)
      }),

    giveUp: (delivery: Delivery, now: number): Promise<void> =>
      database.write(async (tx) => {
        if (!(await setIfOurs(tx, delivery, { due_at: null, outcome: 'failed' }))) return
        await countFailure(tx, delivery.webhookId, now)
      }),

    /**
     * The receiver said that it is gone for good: nothing more is sent there. False where the webhook has been given another
     * address meanwhile, of which that says nothing.
     */
    disable: (delivery: Delivery, now: number): Promise<boolean> =>
      database.write((tx) => disable(keyring, tx, delivery, now)),

    /** Deletes some of what is done, and of what nobody can receive any more; returns how many. */
    deleteOld: (before: number): Promise<number> => database.write((tx) => deleteOld(tx, before)),
  }
}

type DueRow = WebhookDeliveryRow & Pick<WebhookRow, 'target' | 'account_id'>

function fromRow(row: DueRow, keyring: Keyring, now: number): Delivery {
  const target = openTarget(keyring, row.target)
  return {
    webhookId: row.webhook_id,
    accountId: row.account_id,
    bookingId: row.booking_id,
    sequence: row.sequence,
    payload: row.payload,
    since: row.replayed_at ?? row.created_at,
    tries: row.attempts + 1 - (row.attempts_before ?? 0),
    attempts: row.attempts + 1,
    target: target && {
      url: target.url,
      secrets: [target.secret, ...earlierSecrets(target, now).map(({ secret }) => secret)],
    },
  }
}

async function markDelivered(tx: Tx, delivery: Delivery): Promise<void> {
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
}

async function postponeLaterOnes(tx: Tx, delivery: Delivery, dueAt: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ due_at: dueAt })
    .where('webhook_id', '=', delivery.webhookId)
    .where('booking_id', '=', delivery.bookingId)
    .where('sequence', '>', delivery.sequence)
    .where('due_at', '<', dueAt)
    .execute()
}

/** Deliveries first, their webhook last, here as everywhere: transactions that lock in one order cannot deadlock. */
async function disable(keyring: Keyring, tx: Tx, delivery: Delivery, now: number): Promise<boolean> {
  const { webhookId, target } = delivery
  await tx
    .selectFrom('webhook_deliveries')
    .select('sequence')
    .where('webhook_id', '=', webhookId)
    .where('due_at', 'is not', null)
    .forUpdate()
    .execute()
  const webhook = tx.selectFrom('webhooks').select('target').where('id', '=', webhookId)
  const present = await webhook.forUpdate().executeTakeFirst()
  if (present !== undefined && openTarget(keyring, present.target)?.url !== target?.url) return false
  await tx
    .updateTable('webhook_deliveries')
    .set({ due_at: null, outcome: 'gone' })
    .where('webhook_id', '=', webhookId)
    .where('due_at', 'is not', null)
    .execute()
  await tx.updateTable('webhooks').set({ disabled_at: now }).where('id', '=', webhookId).execute()
  return true
}

async function deleteOld(tx: Tx, before: number): Promise<number> {
  const { rows } = await sql`
    delete from webhook_deliveries where (webhook_id, booking_id, sequence) in (
      select webhook_id, booking_id, sequence from webhook_deliveries
      where created_at < ${before} and (due_at is null or not exists (
        select 1 from webhooks where webhooks.id = webhook_deliveries.webhook_id
          and webhooks.disabled_at is null and ${ofEnabledAccount}))
      order by created_at limit ${DELETED_AT_ONCE})
    returning sequence`.execute(tx)
  if (rows.length > 0) await deleteLostAttempts(tx, before)
  return rows.length
}

/** Attempts whose delivery is gone are of no use to anybody. */
async function deleteLostAttempts(tx: Tx, before: number): Promise<void> {
  await sql`delete from webhook_attempts where at < ${before} and not exists (
    select 1 from webhook_deliveries as delivery where delivery.webhook_id = webhook_attempts.webhook_id
      and delivery.booking_id = webhook_attempts.booking_id and delivery.sequence = webhook_attempts.sequence)`.execute(
    tx,
  )
}

function dueRows(tx: Tx, claim: Claim) {
  const { now, most } = claim
  let due = tx
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .selectAll('delivery')
    .select(['webhooks.target', 'webhooks.account_id'])
    .where('delivery.due_at', '<=', now)
    .where('delivery.lease_until', '<=', now)
    .where('webhooks.disabled_at', 'is', null)
    .where(ofEnabledAccount)
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
  const fullWebhooks = idsWith(claim.mostPerWebhook, claim.busy)
  if (fullWebhooks.length > 0) due = due.where('webhooks.id', 'not in', fullWebhooks)
  const fullAccounts = idsWith(claim.mostPerAccount, claim.busyAccounts)
  if (fullAccounts.length > 0) due = due.where('webhooks.account_id', 'not in', fullAccounts)
  return due.forUpdate('delivery').skipLocked().execute()
}

const idsWith = (least: number, counts: ReadonlyMap<string, number>): string[] =>
  [...counts].filter(([, count]) => count >= least).map(([id]) => id)

function fairShare(due: readonly Delivery[], claim: Claim): Delivery[] {
  const takenByWebhook = new Map(claim.busy)
  const takenByAccount = new Map(claim.busyAccounts)
  return due
    .filter(({ webhookId, accountId }) => {
      const ofWebhook = takenByWebhook.get(webhookId) ?? 0
      const ofAccount = takenByAccount.get(accountId) ?? 0
      if (ofWebhook >= claim.mostPerWebhook || ofAccount >= claim.mostPerAccount) return false
      takenByWebhook.set(webhookId, ofWebhook + 1)
      takenByAccount.set(accountId, ofAccount + 1)
      return true
    })
    .slice(0, claim.most)
}

/** Each claim increments the attempts, so a process whose lease has passed to another changes nothing. */
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

export const sameAs = ({ webhookId, bookingId, sequence }: DeliveryKey) => sql<boolean>`
  webhook_id = ${webhookId} and booking_id = ${bookingId} and sequence = ${sequence}`
