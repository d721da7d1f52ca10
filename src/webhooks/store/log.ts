import { sql } from 'kysely'
import {
  buildMessageId,
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  type DeliveryAttempt,
  type DeliveryRecord,
  isTestSubject,
  parseMessageId,
  testSubject,
} from '../../domain/webhook.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { openText, sealText } from '../../lib/crypto/seal.ts'
import type { Database, ReadOnly, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { putTask } from '../../store/tasks.ts'
import { type Delivery, type DeliveryKey, matchesDelivery } from './deliveries.ts'
import { webhookTask } from './webhooks.ts'

const ANSWER = 'wha1'

export type WebhookLog = ReturnType<typeof createWebhookLog>

/** Deliveries with their responses, and replays. The caller has checked the ownership. */
export function createWebhookLog(database: Database, keyring: Keyring) {
  const withAttempts = async (rows: readonly Tables['webhook_deliveries'][]) => {
    const attempts = await readAttempts(database.read, rows)
    const dueAt = await dueTimes(database.read, rows)
    return rows.map((row) => ({
      ...toRecord(row, attempts.filter(sameDelivery(row)), keyring),
      dueAt: row.outcome === null ? dueAt.get(`${row.webhook_id} ${row.booking_id}`) : undefined,
    }))
  }
  return {
    /** Query for the deliveries of a webhook; the caller adds order and paging, then calls `records`. */
    listing: (webhookId: string) => ({
      dialect: database.dialect,
      query: database.read.selectFrom(withPublicNames(database.read, webhookId).as('delivery')).selectAll(),
    }),
    records: withAttempts,

    async get(webhookId: string, deliveryId: string): Promise<DeliveryRecord | undefined> {
      const key = toKey(webhookId, deliveryId)
      const row = key && (await findRow(database.read, key))
      return row && (await withAttempts([row]))[0]
    },

    /** Queues a delivery without a booking; returns its id. Undefined if the webhook was deleted. */
    addTest: (webhookId: string, id: string, payload: string, now: number): Promise<string | undefined> =>
      database.write((tx) => addTest(tx, webhookId, testSubject(id), payload, now)),

    /** Resends immediately, with a new retry period. False if the delivery does not exist. */
    replay: (webhookId: string, deliveryId: string, now: number): Promise<boolean> =>
      database.write((tx) => replay(tx, toKey(webhookId, deliveryId), now)),

    /** Deliveries about one booking to any webhook, newest first. */
    async ofBooking(bookingId: string, limit: number): Promise<DeliveryRecord[]> {
      const rows = await database.read
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('booking_id', '=', bookingId)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute()
      return withAttempts(rows)
    },

    /** Attempts are numbered, because a process that lost its lease may also have made one. */
    note: (delivery: Delivery, attempt: Omit<DeliveryAttempt, 'attempt'>): Promise<void> =>
      database.write((tx) => note(tx, keyring, delivery, attempt)),
  }
}

/** With the public id and status. */
const withPublicNames = (db: ReadOnly, webhookId: string) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .select([
      sql<string>`'evt_' || replace(booking_id, 'bkg_', '') || '_' || sequence`.as('id'),
      sql<string>`coalesce(outcome, 'pending')`.as('status'),
    ])
    .where('webhook_id', '=', webhookId)

function toKey(webhookId: string, deliveryId: string): DeliveryKey | undefined {
  const delivery = parseMessageId(deliveryId)
  return delivery && { webhookId, ...delivery }
}

const findRow = (db: ReadOnly, key: DeliveryKey) =>
  db.selectFrom('webhook_deliveries').selectAll().where(matchesDelivery(key)).executeTakeFirst()

/** Next attempts of pending deliveries. */
async function dueTimes(
  db: ReadOnly,
  rows: readonly Tables['webhook_deliveries'][],
): Promise<ReadonlyMap<string, number>> {
  const open = rows.filter(({ outcome }) => outcome === null).map((row) => `${row.webhook_id} ${row.booking_id}`)
  if (open.length === 0) return new Map()
  const tasks = db.selectFrom('tasks').select(['subject', 'due_at']).where('kind', '=', 'webhook')
  return new Map((await tasks.where('subject', 'in', open).execute()).map((task) => [task.subject, task.due_at]))
}

async function addTest(tx: Tx, webhookId: string, bookingId: string, payload: string, now: number) {
  const delivery = { webhook_id: webhookId, booking_id: bookingId, sequence: 1, payload, created_at: now }
  const fresh = { attempts: 0, outcome: null, replayed_at: null, attempts_before: null }
  if (!(await putDelivery(tx, { webhookId, bookingId }, now))) return undefined
  await tx
    .insertInto('webhook_deliveries')
    .values({ ...delivery, ...fresh })
    .execute()
  await endPause(tx, webhookId)
  return buildMessageId(bookingId, 1)
}

export async function replay(tx: Tx, key: DeliveryKey | undefined, now: number): Promise<boolean> {
  if (key === undefined || (await findRow(tx, key)) === undefined || !(await putDelivery(tx, key, now))) return false
  await tx
    .updateTable('webhook_deliveries')
    .set({ outcome: null, replayed_at: now, attempts_before: sql<number>`attempts` })
    .where(matchesDelivery(key))
    .execute()
  await endPause(tx, key.webhookId)
  return true
}

/** False if the webhook was deleted. */
async function putDelivery(
  tx: Tx,
  { webhookId, bookingId }: Pick<DeliveryKey, 'webhookId' | 'bookingId'>,
  now: number,
): Promise<boolean> {
  const owner = tx.selectFrom('webhooks').select('account_id').where('id', '=', webhookId)
  const webhook = await owner.executeTakeFirst()
  if (webhook !== undefined) await putTask(tx, webhookTask(webhook.account_id, webhookId, bookingId, now))
  return webhook !== undefined
}

/** A manual delivery does not wait for the receiver's pause. */
async function endPause(tx: Tx, webhookId: string): Promise<void> {
  await tx.updateTable('webhooks').set({ paused_until: 0 }).where('id', '=', webhookId).execute()
}

async function readAttempts(
  db: ReadOnly,
  rows: readonly Tables['webhook_deliveries'][],
): Promise<Tables['webhook_attempts'][]> {
  if (rows.length === 0) return []
  return db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('webhook_id', 'in', [...new Set(rows.map((row) => row.webhook_id))])
    .where(
      'booking_id',
      'in',
      rows.map((row) => row.booking_id),
    )
    .orderBy('attempt')
    .execute()
}

const sameDelivery = (row: Tables['webhook_deliveries']) => (attempt: Tables['webhook_attempts']) =>
  attempt.webhook_id === row.webhook_id && attempt.booking_id === row.booking_id && attempt.sequence === row.sequence

async function note(
  tx: Tx,
  keyring: Keyring,
  { webhookId, bookingId, sequence, attempts }: Delivery,
  { at, tookMs, status, error, answer }: Omit<DeliveryAttempt, 'attempt'>,
): Promise<void> {
  await tx
    .insertInto('webhook_attempts')
    .values({
      webhook_id: webhookId,
      booking_id: bookingId,
      sequence,
      attempt: attempts,
      at,
      took_ms: tookMs,
      status: status ?? null,
      error: error ?? null,
      answer: answer === '' ? null : sealText(keyring, ANSWER, answer),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function toRecord(
  row: Tables['webhook_deliveries'],
  attempts: readonly Tables['webhook_attempts'][],
  keyring: Keyring,
) {
  return {
    id: buildMessageId(row.booking_id, row.sequence),
    webhookId: row.webhook_id,
    bookingId: isTestSubject(row.booking_id) ? undefined : row.booking_id,
    sequence: row.sequence,
    status: DELIVERY_STATUSES.find((status) => status === row.outcome) ?? 'pending',
    payload: row.payload,
    createdAt: row.created_at,
    attempts: attempts.map((row) => ({
      attempt: row.attempt,
      at: row.at,
      tookMs: row.took_ms,
      status: row.status ?? undefined,
      error: DELIVERY_ERRORS.find((error) => error === row.error),
      answer: row.answer === null ? '' : (openText(keyring, ANSWER, row.answer) ?? ''),
    })),
  }
}
