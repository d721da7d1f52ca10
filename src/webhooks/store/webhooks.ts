import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { OnMove } from '../../booking/store/moves.ts'
import type { Booking, BookingEvent } from '../../domain/booking/booking.ts'
import {
  buildMessageId,
  EARLIER_SECRET_MS,
  toWebhookEvent,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from '../../domain/webhook.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../../lib/crypto/seal.ts'
import { type Database, lockByName, type ReadOnly, type Tx } from '../../store/database.ts'
import { prepare, prepareInsert } from '../../store/prepared.ts'
import type { Tables } from '../../store/tables.ts'
import { putTask } from '../../store/tasks.ts'

type NewWebhook = {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly description: string
}

type WebhookTarget = {
  readonly url: string
  readonly description: string
  readonly secret: string
  /** Previous secrets, latest first; ignored by nodes of earlier versions. */
  readonly earlier?: readonly { readonly secret: string; readonly until: number }[]
}

export type WebhookChanges = {
  readonly url?: string
  readonly events?: readonly WebhookEvent[]
  readonly description?: string
  readonly enabled?: boolean
  readonly endEarlierSecrets?: boolean
}

/** One webhook of an account. `precondition` throws unless it is the version that the client has read. */
export type ChangeAt = {
  readonly accountId: string
  readonly id: string
  readonly now: number
  readonly precondition?: ((webhook: Webhook) => void) | undefined
}

/** `unreadable`: the encryption key of its URL and secret was dropped. */
export type Changed<T> = T | 'unreadable' | undefined

export type WebhookStore = ReturnType<typeof createWebhookStore>

/** True unless the owner is a disabled account. Guests have no row in `accounts`, so a row cannot be required. */
export const hasEnabledAccount = sql<boolean>`not exists (
  select 1 from accounts where accounts.id = webhooks.account_id and accounts.disabled_at is not null)`

/** One task sends the events of a booking to a webhook in order. Webhooks of an account share a limit. */
export const webhookTask = (accountId: string, webhookId: string, bookingId: string, dueAt: number) => ({
  kind: 'webhook' as const,
  subject: `${webhookId} ${bookingId}`,
  key: `${accountId} ${webhookId}`,
  dueAt,
})

const TARGET = 'whk1'
const SECRET_BYTES = 32
/** Older ones are dropped if the secret is rotated more often within a day. */
const EARLIER_SECRETS_MAX = 8

/** Every read names the owner. */
export function createWebhookStore(database: Database, keyring: Keyring) {
  return {
    /** Undefined if the account already has `limit`. The secret is returned only once. */
    async add(accountId: string, { id, url, events, description }: NewWebhook, limit: number, now: number) {
      const secret = newSecret()
      const row: Tables['webhooks'] = {
        id,
        account_id: accountId,
        events: events.join(' '),
        target: sealJson(keyring, TARGET, { url, description, secret } satisfies WebhookTarget),
        created_at: now,
        disabled_at: null,
        failures: 0,
        paused_until: 0,
      }
      const isAdded = await database.write((tx) => addUpTo(database, tx, row, limit))
      return isAdded ? { webhook: fromRow(row, keyring, now), secret } : undefined
    },

    async get(accountId: string, id: string, now: number): Promise<Webhook | undefined> {
      const row = await owned(database.read, accountId, id).executeTakeFirst()
      return row && fromRow(row, keyring, now)
    },

    update: (at: ChangeAt, changes: WebhookChanges): Promise<Changed<Webhook>> =>
      database.write((tx) =>
        change(tx, keyring, at, (row, target) => ({
          target: changedTarget(target, changes),
          columns: { events: changes.events?.join(' ') ?? row.events, ...switchedTo(changes.enabled, row, at.now) },
        })),
      ),

    /** Deliveries are also signed with previous secrets for a day. The new secret is returned only once. */
    rotateSecret: (at: ChangeAt) => rotateSecret(database, keyring, at),

    async list(accountId: string, now: number): Promise<Webhook[]> {
      const rows = await database.read
        .selectFrom('webhooks')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .execute()
      return rows.map((row) => fromRow(row, keyring, now))
    },

    /** Also deletes its deliveries. False if the account does not have this webhook. */
    remove: ({ accountId, id, now, precondition }: ChangeAt): Promise<boolean> =>
      database.write(async (tx) => {
        const row = await owned(tx, accountId, id).forUpdate().executeTakeFirst()
        if (row === undefined) return false
        precondition?.(fromRow(row, keyring, now))
        await tx.deleteFrom('tasks').where('kind', '=', 'webhook').where('key', '=', `${accountId} ${id}`).execute()
        await tx.deleteFrom('webhook_attempts').where('webhook_id', '=', id).execute()
        await tx.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute()
        await tx.deleteFrom('webhooks').where('id', '=', id).execute()
        return true
      }),
  }
}

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

const owned = (db: ReadOnly, accountId: string, id: string) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).where('account_id', '=', accountId)

type Change = (
  row: Tables['webhooks'],
  target: WebhookTarget,
) => { target: WebhookTarget; columns: Partial<Tables['webhooks']> }

/** Atomic, so that concurrent changes cannot overwrite each other. */
async function change(
  tx: Tx,
  keyring: Keyring,
  { accountId, id, now, precondition }: ChangeAt,
  by: Change,
): Promise<Changed<Webhook>> {
  const row = await owned(tx, accountId, id).forUpdate().executeTakeFirst()
  if (row === undefined) return undefined
  precondition?.(fromRow(row, keyring, now))
  const target = openTarget(keyring, row.target)
  if (target === undefined) return 'unreadable'
  const { target: changed, columns } = by(row, target)
  const next = { ...row, ...columns, target: sealJson(keyring, TARGET, changed) }
  await tx.updateTable('webhooks').set(next).where('id', '=', id).execute()
  return fromRow(next, keyring, now)
}

async function rotateSecret(
  database: Database,
  keyring: Keyring,
  at: ChangeAt,
): Promise<Changed<{ webhook: Webhook; secret: string }>> {
  const secret = newSecret()
  const webhook = await database.write((tx) =>
    change(tx, keyring, at, (_row, target) => {
      const latest = { secret: target.secret, until: at.now + EARLIER_SECRET_MS }
      const earlier = [latest, ...earlierSecrets(target, at.now)].slice(0, EARLIER_SECRETS_MAX)
      return { target: { ...target, secret, earlier }, columns: {} }
    }),
  )
  return typeof webhook === 'object' ? { webhook, secret } : webhook
}

const changedTarget = (target: WebhookTarget, { url, description, endEarlierSecrets }: WebhookChanges) => ({
  ...target,
  url: url ?? target.url,
  description: description ?? target.description,
  ...(endEarlierSecrets === true && { earlier: [] }),
})

/** Enabling resets the failure count. */
function switchedTo(
  enabled: boolean | undefined,
  { disabled_at }: Tables['webhooks'],
  now: number,
): Partial<Tables['webhooks']> {
  if (enabled === undefined) return {}
  return enabled ? { disabled_at: null, failures: 0, paused_until: 0 } : { disabled_at: disabled_at ?? now }
}

export const earlierSecrets = ({ earlier = [] }: WebhookTarget, now: number) =>
  earlier.filter(({ until }) => until > now)

/** Atomic, so that concurrent requests cannot exceed the limit. */
async function addUpTo(database: Database, tx: Tx, row: Tables['webhooks'], limit: number): Promise<boolean> {
  await lockByName(database, tx, `webhooks ${row.account_id}`)
  const { count } = await tx
    .selectFrom('webhooks')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= limit) return false
  await tx.insertInto('webhooks').values(row).execute()
  return true
}

type WritePayload = (type: WebhookEvent, booking: Booking, event: BookingEvent) => string

const addEvents = prepareInsert('events')

/** Stores an event and queues it for each subscribed webhook, in the transaction of the booking. */
export function createWebhookQueue(writePayload: WritePayload): OnMove {
  const findWebhooks = prepare((tx: Tx, { accountId }: { accountId: string }) =>
    tx
      .selectFrom('webhooks')
      .select(['id', 'events'])
      .where('account_id', '=', accountId)
      .where('disabled_at', 'is', null)
      .where(hasEnabledAccount),
  )

  return async function queueWebhooks(tx, booking, event) {
    const type = toWebhookEvent(event)
    if (type === undefined) return
    const payload = writePayload(type, booking, event)
    await addEvents(tx, [toEventRow(type, booking, event, payload)])
    const webhooks = await findWebhooks(tx, { accountId: booking.accountId })
    const subscribers = webhooks.filter(({ events }) => events.split(' ').includes(type))
    if (subscribers.length === 0) return
    const delivery = { booking_id: booking.bookingId, sequence: event.sequence, payload }
    const fresh = {
      created_at: booking.updatedAt,
      attempts: 0,
      outcome: null,
      replayed_at: null,
      attempts_before: null,
    }
    await tx
      .insertInto('webhook_deliveries')
      .values(subscribers.map(({ id }) => ({ webhook_id: id, ...delivery, ...fresh })))
      .execute()
    const { accountId, bookingId, updatedAt } = booking
    for (const { id } of subscribers) await putTask(tx, webhookTask(accountId, id, bookingId, updatedAt))
  }
}

const toEventRow = (type: WebhookEvent, booking: Booking, { sequence }: BookingEvent, payload: string) => ({
  id: buildMessageId(booking.bookingId, sequence),
  booking_id: booking.bookingId,
  account_id: booking.accountId,
  type,
  created_at: booking.updatedAt,
  simulated: booking.simulated ? 1 : 0,
  payload,
})

/** Undefined if its encryption key was dropped. */
export const openTarget = (keyring: Keyring, sealed: string): WebhookTarget | undefined =>
  openJson<WebhookTarget>(keyring, TARGET, sealed)

function fromRow(row: Tables['webhooks'], keyring: Keyring, now: number): Webhook {
  const target = openTarget(keyring, row.target)
  const disabled = row.disabled_at !== null || target === undefined
  return {
    id: row.id,
    url: target?.url ?? '',
    events: row.events.split(' ').flatMap((name) => WEBHOOK_EVENTS.find((event) => event === name) ?? []),
    description: target?.description ?? '',
    status: disabled ? 'disabled' : row.failures > 0 ? 'failing' : 'active',
    createdAt: row.created_at,
    earlierSecretUntil: target && earlierSecrets(target, now)[0]?.until,
  }
}
