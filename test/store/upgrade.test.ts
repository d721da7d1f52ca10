import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { bookingAnswer } from '../../src/booking/present/booking.ts'
import { createReadWorker } from '../../src/booking/settle/read-bookings.ts'
import { createSettleWorker } from '../../src/booking/settle/settle-bookings.ts'
import { createWatchLists } from '../../src/booking/settle/watch-lists.ts'
import { createBookingStore } from '../../src/booking/store/bookings.ts'
import { createVendorLists } from '../../src/booking/store/vendor-turns.ts'
import { MATCH_RULES } from '../../src/catalogue/matching/match-properties.ts'
import { createRejudge } from '../../src/catalogue/matching/rejudge.ts'
import { createCatalogueStores } from '../../src/catalogue/store/stores.ts'
import { createDeliverMails } from '../../src/mail/deliver-mails.ts'
import { createMailStore } from '../../src/mail/store/mails.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { createHistoryReader } from '../../src/store/history.ts'
import { MIGRATIONS, migrate } from '../../src/store/migrations.ts'
import { createDeliverWebhooks } from '../../src/webhooks/deliver-webhooks.ts'
import { createWebhookDeliveryStore } from '../../src/webhooks/store/deliveries.ts'
import { createWebhookLog } from '../../src/webhooks/store/log.ts'
import { storeKeys } from '../support/booking/an-offer.ts'
import { openBookingParts } from '../support/booking/booking-parts.ts'
import { oneWorld } from '../support/booking/one-world.ts'
import { freshDatabase } from '../support/servers/postgres.ts'
import { openCatalogue } from '../support/store/catalogue.ts'
import { describeSchema } from '../support/store/describe-schema.ts'
import { manualClock } from '../support/time/clock.ts'
import { aVendorProperty } from '../unit/catalogue/a-vendor-property.ts'
import { aContentVendor } from './catalogue/catalogue-vendor.ts'

const KINDS = ['sqlite', 'postgres'] as const
type Kind = (typeof KINDS)[number]
const MINUTE_MS = 60_000
/** When the processes of version 0.1 were stopped. */
const STOPPED_AT = Date.parse('2027-02-14T12:03:40Z')
const VENDOR = 'scripted'
const CONFIRMED = ['absent', 'done', 'doubt', 'doubt_new', 'failing', 'hooked', 'mailed', 'sending'].map(
  (name) => `bkg_${name}`,
)
/** Three bookings and a cancellation whose results were not known. */
const SETTLED = 4

const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

async function openEmpty(kind: Kind, name: string): Promise<Database> {
  const database =
    kind === 'sqlite'
      ? openDatabase({ kind, path: ':memory:' })
      : openDatabase({ kind, url: await freshDatabase({ url: inject('postgresUrl') }, `upgrade_${name}`) })
  opened.push(database)
  return database
}

/** The database as version 0.1 left it. */
async function openOld(kind: Kind, name: string): Promise<Database> {
  const database = await openEmpty(kind, name)
  const statements = readFileSync(`test/fixtures/version-0.1-${kind}.sql`, 'utf8').split(/;\n/)
  await database.write(async (tx) => {
    for (const statement of statements) if (statement.trim() !== '') await sql.raw(statement).execute(tx)
  })
  return database
}

const change = (database: Database, statement: string) =>
  database.write(async (tx) => void (await sql.raw(statement).execute(tx)))

describe.each(KINDS)('a database of version 0.1 on %s', (kind) => {
  test('has the schema of a new one once it is migrated', async () => {
    const [old, fresh] = [await openOld(kind, 'old'), await openEmpty(kind, 'fresh')]
    expect(await migrate(old)).toEqual(['from-0.1', ...MIGRATIONS.slice(1)])
    expect(await migrate(fresh)).toEqual([...MIGRATIONS])
    expect(await describeSchema(old)).toEqual(await describeSchema(fresh))
    for (const database of [old, fresh]) expect(await migrate(database)).toEqual([])
  })

  test.each([
    ["delete from kysely_migration where name = '032-booking-figures'", '031-reach-and-fees'],
    ['drop table kysely_migration; create table schema_migrations (name text)', '005-webhooks'],
  ])('is refused and left alone if it is not of the last 0.1: %s', async (changes, last) => {
    const database = await openOld(kind, 'early')
    for (const statement of changes.split(';')) await change(database, statement)
    const before = await describeSchema(database)
    await expect(migrate(database)).rejects.toThrow(`(${last}). Start the last version of 0.1 on it first`)
    expect(await describeSchema(database)).toEqual(before)
  })

  test('has every open piece of work finished exactly once, by two processes', async () => {
    const database = await openOld(kind, 'work')
    // As a booking that was confirmed before 0.1 planned readings.
    await change(
      database,
      "update bookings set confirmed_at = null, reading_due_at = null where booking_id = 'bkg_done'",
    )
    await migrate(database)
    expect(await openTasks(database)).toEqual([
      'content scripted 1',
      'list scripted 0',
      'mail bkg_hooked 0',
      'mail bkg_mailed 0',
      'match all 0',
      'read bkg_absent 0',
      'read bkg_done 0',
      'read bkg_failing 1',
      'read bkg_hooked 0',
      'read bkg_mailed 0',
      'settle bkg_cancel 1',
      'settle bkg_doubt 1',
      'settle bkg_doubt_new 0',
      'settle bkg_sending 0',
      'webhook whk_one bkg_doubt 0',
      'webhook whk_one bkg_doubt_new 0',
      'webhook whk_one bkg_hooked 0',
      'webhook whk_one bkg_mailed 0',
    ])
    const { done, calls, clock } = await work(database)
    expect(done.sort()).toEqual(
      [
        'content feed',
        'list',
        ...['bkg_hooked', 'bkg_mailed'].map((id) => `mail ${id}`),
        ...['doubt', 'doubt_new', 'hooked', 'mailed'].map((name) => `webhook evt_${name}_3`),
      ].sort(),
    )
    expect(calls.filter((call) => call === 'book' || call === 'cancel')).toEqual([])
    const bookings = await database.read.selectFrom('bookings').select(['booking_id', 'state']).execute()
    expect(Object.fromEntries(bookings.map(({ booking_id, state }) => [booking_id, state]))).toEqual({
      ...Object.fromEntries(CONFIRMED.map((id) => [id, 'confirmed'])),
      bkg_cancel: 'cancelled',
    })
    const readings = await database.read
      .selectFrom('booking_readings')
      .select('booking_id')
      .where('at', '>=', STOPPED_AT)
      .execute()
    expect(readings.map(({ booking_id }) => booking_id).sort()).toEqual(CONFIRMED)
    expect(calls.filter((call) => call === 'find')).toHaveLength(CONFIRMED.length + SETTLED)
    const left = await database.read.selectFrom('tasks').select(['kind', 'due_at', 'failures']).execute()
    expect(left.filter(({ kind }) => !['read', 'list', 'content'].includes(kind))).toEqual([])
    // Content may be read again at any time; its own schedule decides.
    const isOpen = ({ kind, due_at }: (typeof left)[number]) => kind !== 'content' && due_at <= clock.now()
    expect(left.filter((task) => isOpen(task) || task.failures > 0)).toEqual([])
    // The rules have changed since, so matching starts again instead of going on.
    const { rules, finished_at } = await database.read
      .selectFrom('match_progress')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect([rules, finished_at !== null]).toEqual([MATCH_RULES, true])
  })
})

const openTasks = async (database: Database) =>
  (await database.read.selectFrom('tasks').selectAll().orderBy('kind').orderBy('subject').execute()).map(
    ({ kind, subject, failures }) => `${kind} ${subject} ${failures}`,
  )

const onBug = (error: unknown) => expect.fail(String(error))

/** Runs all workers of two processes for a quarter of an hour, and reports what they sent and read. */
async function work(database: Database) {
  const done: string[] = []
  const clock = manualClock(STOPPED_AT)
  const parts = await openBookingParts({
    vendor: {
      find: async ({ reference }) => ({
        state: reference.startsWith('REFCANCEL') ? 'cancelled' : 'confirmed',
        vendorReference: `V${reference}`,
      }),
      async *listCancelled() {
        done.push('list')
        yield []
      },
    },
  })
  const workers = [1, 2].flatMap(() => aProcess(database, parts, clock, done))
  for (let minutes = 0; minutes <= 15; minutes += 1) {
    await Promise.all(workers.map((run) => run()))
    clock.advance(MINUTE_MS)
  }
  await parts.close()
  return { done, calls: parts.calls, clock }
}

function aProcess(
  database: Database,
  { vendor }: Awaited<ReturnType<typeof openBookingParts>>,
  clock: ReturnType<typeof manualClock>,
  done: string[],
): (() => Promise<unknown>)[] {
  const bookings = createBookingStore(database, storeKeys)
  const shared = {
    bookings,
    clock,
    history: createHistoryReader(database, clock),
    worlds: oneWorld(vendor),
    present: bookingAnswer,
    onBug,
    readingsPerMinute: 6_000,
  }
  const stores = createCatalogueStores(database)
  const content = aContentVendor(VENDOR, () => [aVendorProperty({ vendorId: VENDOR })])
  const catalogue = openCatalogue({
    ...stores,
    vendors: [content],
    clock,
    settings: { job: 'feed', live: false },
    countRequests: () => content.pages,
    places: () => [],
    onBug,
  })
  return [
    createSettleWorker(shared).runAll,
    createReadWorker(shared).runAll,
    createWatchLists({ bookings, lists: createVendorLists(database), vendors: [vendor], clock }),
    createRejudge({ ...stores, progress: stores.matchProgress, clock }).slice,
    async () => {
      const before = content.pages
      await catalogue.keepContent()
      if (content.pages > before) done.push('content feed')
    },
    createDeliverWebhooks({
      deliveries: createWebhookDeliveryStore(database, storeKeys),
      log: createWebhookLog(database, storeKeys),
      sender: {
        send: async (_url, headers) => {
          done.push(`webhook ${headers['webhook-id']}`)
          return { status: 204 }
        },
      },
      clock,
      isDraining: () => false,
      onBug,
    }).runAll,
    createDeliverMails({
      mails: createMailStore(database, storeKeys, { keepSent: false }),
      sender: { send: async () => ({ result: 'sent' }) },
      write: async ({ booking }) => {
        done.push(`mail ${booking.bookingId}`)
        return {} as never
      },
      clock,
      onBug,
    }),
  ]
}
