import { sql } from 'kysely'
import { receiverPauseMs } from '../../domain/webhook.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { DELETED_AT_ONCE } from '../../store/batches.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { claimTasks, continueTask, finishTask, lockTask, postponeTask, type Task } from '../../store/tasks.ts'
import { earlierSecrets, hasEnabledAccount, openTarget } from './webhooks.ts'

export type Delivery = {
  readonly task: Task
  readonly webhookId: string
  readonly bookingId: string
  readonly sequence: number
  readonly payload: string
  /** Start of the retry period: creation or last replay. */
  readonly since: number
  /** Attempts since then, including this one. */
  readonly tries: number
  /** All attempts, including this one. */
  readonly attempts: number
  /** Undefined if its encryption key was dropped; the delivery cannot be sent. */
  readonly target: { readonly url: string; readonly secrets: readonly string[] } | undefined
}

export type DeliveryKey = Pick<Delivery, 'webhookId' | 'bookingId' | 'sequence'>

type Claim = {
  readonly now: number
  readonly leaseMs: number
  readonly most: number
  /** Keeps one receiver with many events from using all capacity. */
  readonly mostPerWebhook: number
  /** Keeps one account with several slow receivers from using all capacity. */
  readonly mostPerAccount: number
  /** Deliveries that the caller is currently sending. */
  readonly running?: readonly Pick<Delivery, 'task'>[]
}

export type WebhookDeliveryStore = ReturnType<typeof createWebhookDeliveryStore>

/** Excludes webhooks that are disabled, paused or of a disabled account. */
export const isReceiving = (now: number) => sql<boolean>`tasks.key not in (
  select webhooks.account_id || ' ' || webhooks.id from webhooks
  where webhooks.disabled_at is not null or webhooks.paused_until > ${now} or not ${hasEnabledAccount})`

/** Queued events. Transactions lock tasks, deliveries and webhooks in this order. */
export function createWebhookDeliveryStore(database: Database, keyring: Keyring) {
  return {
    /** Claims the earliest pending delivery of each booking and webhook that has one due. */
    claimDue: ({ mostPerWebhook, mostPerAccount, running = [], ...claim }: Claim): Promise<Delivery[]> =>
      database.write(async (tx) => {
        const limits = { mostPerKey: mostPerWebhook, mostPerGroup: mostPerAccount, where: isReceiving(claim.now) }
        const busy = running.map(({ task }) => task.key)
        const deliveries: Delivery[] = []
        for (const task of await claimTasks(tx, { kind: 'webhook', ...claim, ...limits, busy })) {
          const row = await pending(tx, task).selectAll('delivery').select('webhooks.target').executeTakeFirst()
          if (row === undefined) await finishTask(tx, task)
          else deliveries.push(await begin(tx, fromRow(row, task, keyring, claim.now)))
        }
        return deliveries
      }),

    /** Recorded even if the lease was lost: the event was delivered. */
    delivered: (delivery: Delivery): Promise<void> =>
      database.write(async (tx) => {
        await lockTask(tx, delivery.task)
        await end(tx, delivery, 'delivered')
        await sendNext(tx, delivery)
        await tx
          .updateTable('webhooks')
          .set({ failures: 0, paused_until: 0 })
          .where('id', '=', delivery.webhookId)
          .where('failures', '>', 0)
          .execute()
      }),

    /** Retries at `dueAt` unless another process took over. Later events of the booking wait too. */
    postpone: (delivery: Delivery, dueAt: number, now: number): Promise<void> =>
      database.write(async (tx) => {
        if (await postponeTask(tx, delivery.task, dueAt, { failed: true }))
          await countFailure(tx, delivery.webhookId, now)
      }),

    giveUp: (delivery: Delivery, now: number): Promise<void> =>
      database.write(async (tx) => {
        if (!(await lockTask(tx, delivery.task))) return
        await end(tx, delivery, 'failed')
        await sendNext(tx, delivery)
        await countFailure(tx, delivery.webhookId, now)
      }),

    /** Disables the webhook after a 410. False if its URL has changed since. */
    disable: (delivery: Delivery, now: number): Promise<boolean> =>
      database.write((tx) => disable(keyring, tx, delivery, now)),

    /** Deletes a batch of deliveries that are finished or have no receiver. Returns its size. */
    deleteOld: (before: number): Promise<number> => database.write((tx) => deleteOld(tx, before)),
  }
}

type DueRow = Tables['webhook_deliveries'] & Pick<Tables['webhooks'], 'target'>

function fromRow(row: DueRow, task: Task, keyring: Keyring, now: number): Delivery {
  const target = openTarget(keyring, row.target)
  return {
    task,
    webhookId: row.webhook_id,
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

/** Deliveries of a task that are still to be sent, earliest first. */
function pending(tx: Tx, { subject }: Task) {
  const [webhookId = '', bookingId = ''] = subject.split(' ')
  return tx
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .where('delivery.webhook_id', '=', webhookId)
    .where('delivery.booking_id', '=', bookingId)
    .where('delivery.outcome', 'is', null)
    .orderBy('delivery.sequence')
    .limit(1)
}

async function begin(tx: Tx, delivery: Delivery): Promise<Delivery> {
  const { attempts } = delivery
  await tx.updateTable('webhook_deliveries').set({ attempts }).where(matchesDelivery(delivery)).execute()
  return delivery
}

const end = (tx: Tx, delivery: Delivery, outcome: string) =>
  tx
    .updateTable('webhook_deliveries')
    .set({ outcome })
    .where(matchesDelivery(delivery))
    .where('outcome', 'is', null)
    .execute()

async function sendNext(tx: Tx, { task }: Delivery): Promise<void> {
  const more = await pending(tx, task).select('delivery.sequence').executeTakeFirst()
  await continueTask(tx, task, more !== undefined)
}

async function disable(keyring: Keyring, tx: Tx, delivery: Delivery, now: number): Promise<boolean> {
  const { webhookId, target, task } = delivery
  const tasks = tx.selectFrom('tasks').select('subject').where('kind', '=', 'webhook').where('key', '=', task.key)
  await tasks.orderBy('subject').forUpdate().execute()
  const open = tx.selectFrom('webhook_deliveries').select('sequence').where('webhook_id', '=', webhookId)
  await open.where('outcome', 'is', null).forUpdate().execute()
  const webhook = tx.selectFrom('webhooks').select('target').where('id', '=', webhookId)
  const present = await webhook.forUpdate().executeTakeFirst()
  if (present !== undefined && openTarget(keyring, present.target)?.url !== target?.url) return false
  await tx
    .updateTable('webhook_deliveries')
    .set({ outcome: 'gone' })
    .where('webhook_id', '=', webhookId)
    .where('outcome', 'is', null)
    .execute()
  await tx.deleteFrom('tasks').where('kind', '=', 'webhook').where('key', '=', task.key).execute()
  await tx.updateTable('webhooks').set({ disabled_at: now }).where('id', '=', webhookId).execute()
  return true
}

async function deleteOld(tx: Tx, before: number): Promise<number> {
  const { rows } = await sql`
    delete from webhook_deliveries where (webhook_id, booking_id, sequence) in (
      select webhook_id, booking_id, sequence from webhook_deliveries
      where created_at < ${before} and (outcome is not null or not exists (
        select 1 from webhooks where webhooks.id = webhook_deliveries.webhook_id
          and webhooks.disabled_at is null and ${hasEnabledAccount}))
      order by created_at limit ${DELETED_AT_ONCE})
    returning sequence`.execute(tx)
  if (rows.length > 0) await deleteOrphans(tx, before)
  return rows.length
}

/** Attempts and tasks whose delivery is gone. */
async function deleteOrphans(tx: Tx, before: number): Promise<void> {
  await sql`delete from tasks where kind = 'webhook' and since < ${before} and not exists (
    select 1 from webhook_deliveries as delivery
      where delivery.webhook_id || ' ' || delivery.booking_id = tasks.subject and delivery.outcome is null)`.execute(tx)
  await sql`delete from webhook_attempts where at < ${before} and not exists (
    select 1 from webhook_deliveries as delivery where delivery.webhook_id = webhook_attempts.webhook_id
      and delivery.booking_id = webhook_attempts.booking_id and delivery.sequence = webhook_attempts.sequence)`.execute(
    tx,
  )
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

export const matchesDelivery = ({ webhookId, bookingId, sequence }: DeliveryKey) => sql<boolean>`
  webhook_id = ${webhookId} and booking_id = ${bookingId} and sequence = ${sequence}`
