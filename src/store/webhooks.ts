import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { payloadOf, type Webhook, type WebhookEvent, webhookEventOf } from '../domain/webhook.ts'
import type { Keyring } from '../lib/keyring.ts'
import { openJson, sealJson } from '../lib/seal.ts'
import type { OnMove } from './bookings.ts'
import type { Database, Tx } from './database.ts'
import { prepare } from './prepared.ts'
import type { WebhookRow } from './tables.ts'

export type NewWebhook = {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly description: string
}

export type WebhookTarget = { readonly url: string; readonly description: string; readonly secret: string }

export type WebhookStore = ReturnType<typeof createWebhookStore>

const TARGET = 'whk1'
const SECRET_BYTES = 32

/** Who wants to be told what, where. Every read names the owner. */
export function createWebhookStore(database: Database, keyring: Keyring) {
  return {
    /** Undefined when the account already has `most`. The secret comes back this once and never again. */
    async add(
      accountId: string,
      { id, url, events, description }: NewWebhook,
      most: number,
      now: number,
    ): Promise<{ webhook: Webhook; secret: string } | undefined> {
      const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
      const target: WebhookTarget = { url, description, secret }
      const row: WebhookRow = {
        id,
        account_id: accountId,
        events: events.join(' '),
        target: sealJson(keyring, TARGET, target),
        created_at: now,
        disabled_at: null,
        failures: 0,
        paused_until: 0,
      }
      return database.write(async (tx) => {
        // Counting and adding must be one step, or two requests at once would both find room for one more.
        if (database.dialect === 'postgres') {
          await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${accountId}`}, 0))`.execute(tx)
        }
        const { count } = await tx
          .selectFrom('webhooks')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('account_id', '=', accountId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return undefined
        await tx.insertInto('webhooks').values(row).execute()
        return { webhook: fromRow(row, keyring), secret }
      })
    },

    async list(accountId: string): Promise<Webhook[]> {
      const rows = await database.read
        .selectFrom('webhooks')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .execute()
      return rows.map((row) => fromRow(row, keyring))
    },

    /** With all that was still on its way there. False when the account has no such webhook. */
    async remove(accountId: string, id: string): Promise<boolean> {
      return database.write(async (tx) => {
        const owned = await tx
          .selectFrom('webhooks')
          .select('id')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        if (owned === undefined) return false
        await tx.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute()
        await tx.deleteFrom('webhooks').where('id', '=', id).execute()
        return true
      })
    },
  }
}

/** Puts a booking's news in line for each webhook of its account that wants it, in the booking's own transaction. */
export function createWebhookQueue(): OnMove {
  const listening = prepare((tx: Tx, { accountId }: { accountId: string }) =>
    tx
      .selectFrom('webhooks')
      .select(['id', 'events'])
      .where('account_id', '=', accountId)
      .where('disabled_at', 'is', null),
  )

  return async function queueWebhooks(tx, booking, event) {
    const type = webhookEventOf(event.to)
    if (type === undefined) return
    const webhooks = await listening(tx, { accountId: booking.accountId })
    const wanting = webhooks.filter(({ events }) => events.split(' ').includes(type))
    if (wanting.length === 0) return
    const payload = payloadOf(type, booking, event)
    const delivery = { booking_id: booking.bookingId, sequence: event.sequence, payload }
    const fresh = { created_at: event.at, due_at: event.at, lease_until: 0, attempts: 0, outcome: null }
    await tx
      .insertInto('webhook_deliveries')
      .values(wanting.map(({ id }) => ({ webhook_id: id, ...delivery, ...fresh })))
      .execute()
  }
}

/** Undefined when the key it was sealed with has been dropped. */
export const openTarget = (keyring: Keyring, sealed: string): WebhookTarget | undefined =>
  openJson(keyring, TARGET, sealed) as WebhookTarget | undefined

function fromRow(row: WebhookRow, keyring: Keyring): Webhook {
  const target = openTarget(keyring, row.target)
  const disabled = row.disabled_at !== null || target === undefined
  return {
    id: row.id,
    accountId: row.account_id,
    url: target?.url ?? '',
    events: row.events.split(' ') as WebhookEvent[],
    description: target?.description ?? '',
    status: disabled ? 'disabled' : row.failures > 0 ? 'failing' : 'active',
    createdAt: row.created_at,
  }
}
