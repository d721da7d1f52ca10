import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { bookingAnswer } from '../../src/booking/present/booking.ts'
import { createReadWorker } from '../../src/booking/settle/read-bookings.ts'
import { createSettleWorker } from '../../src/booking/settle/settle-bookings.ts'
import { createBookingStore } from '../../src/booking/store/bookings.ts'
import { toRow } from '../../src/booking/store/rows.ts'
import type { BookingState } from '../../src/domain/booking/booking.ts'
import { WEBHOOK_EVENTS, WEBHOOKS_MAX } from '../../src/domain/webhook.ts'
import { sealJson } from '../../src/lib/crypto/seal.ts'
import { createDeliverMails } from '../../src/mail/deliver-mails.ts'
import { createMailStore, MAIL_CONTENT } from '../../src/mail/store/mails.ts'
import { type Database, openDatabase, type Tx } from '../../src/store/database.ts'
import { MIGRATIONS, migrate } from '../../src/store/migrations.ts'
import type { Tables } from '../../src/store/tables.ts'
import { createDeliverWebhooks } from '../../src/webhooks/deliver-webhooks.ts'
import { createWebhookDeliveryStore } from '../../src/webhooks/store/deliveries.ts'
import { createWebhookLog } from '../../src/webhooks/store/log.ts'
import { createWebhookStore } from '../../src/webhooks/store/webhooks.ts'
import { aBooking, START, storeKeys } from '../support/booking/an-offer.ts'
import { openBookingParts } from '../support/booking/booking-parts.ts'
import { oneWorld } from '../support/booking/one-world.ts'
import { freshDatabase } from '../support/servers/postgres.ts'
import { manualClock } from '../support/time/clock.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'serai-tasks-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const onBug = (error: unknown) => expect.fail(String(error))
const NOW = START + 60_000

async function open(kind: 'sqlite' | 'postgres'): Promise<Database> {
  if (kind === 'sqlite') return openDatabase({ kind, path: join(folder, 'old.db') })
  return openDatabase({ kind, url: await freshDatabase({ url: inject('postgresUrl') }, 'tasks_old') })
}

/** The schema before there was a table of tasks. */
async function migrateTo032(database: Database): Promise<void> {
  const before = Object.entries(MIGRATIONS).filter(([name]) => name < '033')
  const words = { blob: database.dialect === 'postgres' ? 'bytea' : 'blob' } as const
  const steps = before.map(([name, { up }]) => [name, { up: (db: Kysely<Tables>) => up(db, words) }])
  const { error } = await database.migrator(Object.fromEntries(steps)).migrateToLatest()
  if (error !== undefined) throw error
}

const insert = (tx: Tx, table: string, row: object) =>
  sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(row))})`.execute(tx)

const idOf = (name: string) => `bkg_${name}`

function oldBooking(name: string, state: BookingState, columns: object = {}) {
  const booking = aBooking({ bookingId: idOf(name), reference: `REF_${name}`, state, submittedAt: START })
  const keys = { offerId: `off_${name}`, idempotencyKey: `key_${name}`, fingerprint: 'f' }
  return { ...toRow(booking, keys, storeKeys, 2), lease_until: 0, attempts: 0, ...columns }
}

async function writeOpenWork(database: Database): Promise<void> {
  const webhook = { id: 'whk_1', url: 'https://example.com/hooks', events: WEBHOOK_EVENTS, description: '' }
  await createWebhookStore(database, storeKeys).add('acc_1', webhook, WEBHOOKS_MAX, START)
  const mailed = { kind: 'confirmed', created_at: START, lease_until: 0, attempts: 1, error: '451' }
  const content = sealJson(storeKeys, MAIL_CONTENT, {
    kind: 'confirmed',
    booking: aBooking({ bookingId: idOf('mailed'), state: 'confirmed' }),
    event: { sequence: 3, from: 'submitting', at: START },
  })
  await database.write(async (tx) => {
    await insert(tx, 'bookings', oldBooking('sending', 'submitting', { due_at: START, lease_until: START + 4_000 }))
    await insert(tx, 'bookings', oldBooking('doubt', 'in_doubt', { due_at: NOW, attempts: 3 }))
    await insert(tx, 'bookings', oldBooking('doubt_later', 'in_doubt', { due_at: NOW + 9_000 }))
    const read = { confirmed_at: START, reading_due_at: NOW - 1, reading_failures: 2, absent_since: START + 1 }
    await insert(tx, 'bookings', oldBooking('read', 'confirmed', read))
    await insert(tx, 'bookings', oldBooking('unplanned', 'confirmed', { confirmed_at: null }))
    await insert(tx, 'bookings', oldBooking('over', 'rejected'))
    const sent = { webhook_id: 'whk_1', payload: '{}', created_at: START, lease_until: 0, attempts: 0 }
    for (const sequence of [3, 4])
      await insert(tx, 'webhook_deliveries', { ...sent, booking_id: idOf('hooked'), sequence, due_at: START })
    const done = { due_at: null, outcome: 'delivered' }
    await insert(tx, 'webhook_deliveries', { ...sent, booking_id: idOf('done'), sequence: 3, ...done })
    await insert(tx, 'mails', { ...mailed, booking_id: idOf('mailed'), sequence: 3, content, due_at: NOW })
    await insert(tx, 'mails', { ...mailed, booking_id: idOf('done'), sequence: 3, content: null, outcome: 'sent' })
  })
}

test.each(['sqlite', 'postgres'] as const)('on %s every open piece of work is finished exactly once', async (kind) => {
  const database = await open(kind)
  await migrateTo032(database)
  await writeOpenWork(database)
  expect(await migrate(database)).toEqual(['033-tasks-breaking'])
  const tasks = await database.read.selectFrom('tasks').selectAll().orderBy('kind').orderBy('subject').execute()
  expect(tasks.map((task) => `${task.kind} ${task.subject} ${task.due_at - START} ${task.failures}`)).toEqual([
    `mail ${idOf('mailed')} 60000 0`,
    `read ${idOf('read')} 59999 2`,
    `read ${idOf('unplanned')} 0 0`,
    `settle ${idOf('doubt')} 60000 3`,
    `settle ${idOf('doubt_later')} 69000 0`,
    `settle ${idOf('sending')} 4000 0`,
    `webhook whk_1 ${idOf('hooked')} 0 0`,
  ])

  const { vendor, calls, close } = await openBookingParts()
  const clock = manualClock(NOW)
  const bookings = createBookingStore(database, storeKeys)
  const shared = { bookings, clock, worlds: oneWorld(vendor), present: bookingAnswer, onBug, readingsPerMinute: 6_000 }
  const requests: string[] = []
  const mails: string[] = []
  const workers = [1, 2].flatMap(() => [
    createSettleWorker(shared).runAll,
    createReadWorker(shared).runAll,
    createDeliverWebhooks({
      deliveries: createWebhookDeliveryStore(database, storeKeys),
      log: createWebhookLog(database, storeKeys),
      sender: {
        send: async (_url, headers) => {
          requests.push(String(headers['webhook-id']))
          return { status: 204 }
        },
      },
      clock,
      isDraining: () => false,
      onBug,
    }).runAll,
    createDeliverMails({
      mails: createMailStore(database, storeKeys, { keepSent: false }),
      sender: { send: async () => (mails.push('sent') > 0 ? { result: 'sent' } : expect.fail('never')) },
      write: async () => ({}) as never,
      clock,
      onBug,
    }),
  ])
  for (const _ of [1, 2]) {
    await Promise.all(workers.map((run) => run()))
    clock.turn(9_000)
  }
  expect(requests).toEqual([`evt_hooked_3`, `evt_hooked_4`])
  expect(mails).toEqual(['sent'])
  for (const name of ['sending', 'doubt', 'doubt_later'])
    expect(await bookings.any(idOf(name)), name).toMatchObject({ state: 'confirmed' })
  for (const name of ['read', 'unplanned']) expect(await bookings.readings(idOf(name)), name).toHaveLength(1)
  const left = await database.read.selectFrom('tasks').select(['kind', 'due_at']).execute()
  expect(left.filter((task) => task.kind !== 'read')).toEqual([])
  expect(left.every((task) => task.due_at > clock.now())).toBe(true)
  expect(calls.filter((call) => call.startsWith('book'))).toEqual([])
  await close()
  await database.close()
})
