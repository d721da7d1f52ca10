import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createBookingStore } from '../../src/booking/store/bookings.ts'
import { toRow } from '../../src/booking/store/rows.ts'
import { matchFactsOf } from '../../src/catalogue/matching/match-traits.ts'
import { packContent } from '../../src/catalogue/properties/stored-content.ts'
import { createSummaries } from '../../src/catalogue/properties/summaries.ts'
import { createCatalogueStore } from '../../src/catalogue/store/catalogue.ts'
import { openConfigured } from '../../src/compose/database.ts'
import { readConfig } from '../../src/config.ts'
import { NO_RATINGS, type VendorProperty } from '../../src/domain/property/property.ts'
import { summaryOf } from '../../src/domain/property/property-summary.ts'
import { foldText } from '../../src/lib/text/fold-text.ts'
import { type Database, openDatabase, type Tx } from '../../src/store/database.ts'
import { MIGRATIONS, migrate } from '../../src/store/migrations.ts'
import type { Tables } from '../../src/store/tables.ts'
import { upsert } from '../../src/store/upsert.ts'
import { aBooking, storeKeys } from '../support/booking/an-offer.ts'
import { freshDatabase } from '../support/servers/postgres.ts'
import { anImage, aVendorProperty } from '../unit/catalogue/a-vendor-property.ts'

const all = Object.keys(MIGRATIONS)
let folder: string
const postgres = { url: inject('postgresUrl') }
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'serai-store-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('two processes that start together', () => {
  test('migrate a SQLite file once', async () => {
    const path = join(folder, 'together.db')
    const child = join(import.meta.dirname, '../support/store/migrate-once.ts')
    const runs = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, [child, path])))
    expect(runs.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line !== '')).sort()).toEqual(
      [...all].sort(),
    )
  })

  test('migrate a PostgreSQL database once', async () => {
    const url = await freshDatabase(postgres, 'together')
    const databases = [1, 2, 3].map(() => openDatabase({ kind: 'postgres', url }))
    const steps = await Promise.all(databases.map((database) => migrate(database)))
    expect(steps.flat().sort()).toEqual([...all].sort())
    await Promise.all(databases.map((database) => database.close()))
  })
})

describe('a database that a newer version has migrated', () => {
  const migratedBy = async (name: string) => {
    const database = openDatabase({ kind: 'sqlite', path: ':memory:' })
    await migrate(database)
    await database.write(async (tx) => {
      await sql`insert into kysely_migration values (${name}, '9999-01-01T00:00:00.000Z')`.execute(tx)
    })
    return database
  }

  test('can be used while that version is rolled out, or after it was taken back', async () => {
    const database = await migratedBy('999-future')
    expect(await migrate(database)).toEqual([])
    await database.close()
  })

  test('is left alone where something was taken away that this version needs', async () => {
    const database = await migratedBy('999-smaller-breaking')
    await expect(migrate(database)).rejects.toThrow('newer version (999-smaller-breaking)')
    await database.close()
  })

  test('is left alone where it lacks a step of this version', async () => {
    const database = await migratedBy('999-future')
    await database.write(async (tx) => {
      await sql`delete from kysely_migration where name = ${all.at(-1) ?? ''}`.execute(tx)
    })
    await expect(migrate(database)).rejects.toThrow('newer version (999-future)')
    await database.close()
  })
})

/** Names only the columns it is given, as an earlier version would. */
/** Columns of bookings that version 0.1 does not have. */
const LATER_COLUMNS = [
  'discrepancies',
  'confirmation',
  'told_notices',
  'confirmed_at',
  'rooms',
  'vendor_total',
  'clock_offset_ms',
  'persons_erased_at',
  'sold_fee_minor',
]

const insertPlainly = (tx: Tx, table: string, row: object) =>
  sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))}) values (${sql.join(Object.values(row))})`.execute(
    tx,
  )

describe('a database of version 0.1', () => {
  const kinds = ['SQLite', 'PostgreSQL'] as const
  const open = async (kind: (typeof kinds)[number], name: string) =>
    openDatabase(
      kind === 'SQLite'
        ? { kind: 'sqlite', path: join(folder, `${name}.db`) }
        : { kind: 'postgres', url: await freshDatabase(postgres, name) },
    )

  test.each(kinds)('on %s is migrated: its summaries become fields, its bookkeeping is carried over', async (kind) => {
    const database = await open(kind, 'carried')
    await createAsVersion01(database)
    await database.write((tx) => writeAsVersion01(tx, 1, OLD_CONTENT))
    expect(await migrate(database)).toEqual(all.slice(all.indexOf('006-summaries')))
    const { summary, isCurrent } = (await createCatalogueStore(database).summaries(['prp_1']))[0] ?? {}
    expect(isCurrent).toBe(true)
    expect(summary).toEqual(summaryOf('prp_1', OLD_CONTENT))
    expect(await migrate(database)).toEqual([])
    await database.close()
  })

  test.each(kinds)(
    'on %s has no booking left in the state pending: each is settled like one whose process died',
    async (kind) => {
      const database = await open(kind, 'pending')
      await createAsVersion01(database)
      const store = createBookingStore(database, storeKeys)
      const booking = aBooking({ state: 'pending', submittedAt: undefined })
      const keys = { offerId: 'off_1', idempotencyKey: 'key', fingerprint: 'print' }
      const until = booking.createdAt + 1_000
      const whole = toRow(booking, keys, storeKeys, 1)
      const row = Object.fromEntries(Object.entries(whole).filter(([name]) => !LATER_COLUMNS.includes(name)))
      const event = { booking_id: booking.bookingId, sequence: 1, to_state: 'pending', at: booking.createdAt }
      await database.write(async (tx) => {
        await insertPlainly(tx, 'bookings', { ...row, due_at: until, lease_until: until, attempts: 0 })
        await insertPlainly(tx, 'booking_events', event)
      })
      await migrate(database)
      const due = await store.claimDue({ now: booking.createdAt + 2_000, leaseMs: 1_000, mostPerVendor: 10 })
      expect(due.map((one) => [one.booking.bookingId, one.booking.state])).toEqual([[booking.bookingId, 'submitting']])
      expect((await store.events(booking.bookingId)).map(({ sequence, to }) => [sequence, to])).toEqual([
        [1, 'pending'],
        [2, 'submitting'],
      ])
      await database.close()
    },
  )

  test.each(kinds)('on %s has no fee of a failed cancellation left at a booking that stands', async (kind) => {
    const database = await open(kind, 'fees')
    await createAsVersion01(database)
    const keys = (n: number) => ({ offerId: `off_${n}`, idempotencyKey: `key_${n}`, fingerprint: 'print' })
    for (const [n, state] of (['confirmed', 'cancelled'] as const).entries()) {
      const booking = aBooking({ bookingId: `bkg_${n}`, reference: `REF${n}`, state })
      const whole = toRow(booking, keys(n), storeKeys, 1)
      const row = Object.fromEntries(Object.entries(whole).filter(([name]) => !LATER_COLUMNS.includes(name)))
      await database.write((tx) =>
        insertPlainly(tx, 'bookings', { ...row, cancel_fee_minor: 9_900, lease_until: 0, attempts: 0 }),
      )
    }
    await migrate(database)
    const fees = await database.read.selectFrom('bookings').select('cancel_fee_minor').orderBy('booking_id').execute()
    expect(fees.map((row) => row.cancel_fee_minor)).toEqual([null, 9_900])
    await database.close()
  })

  test.each(kinds)('on %s serves both versions at once', async (kind) => {
    const database = await open(kind, 'shared')
    await createAsVersion01(database)
    await migrate(database)
    const store = createCatalogueStore(database)
    const bugs: unknown[] = []
    const read = async () => {
      const summaries = createSummaries({ store, bytesMax: 1_000_000, onBug: (error) => bugs.push(error) })
      return (await summaries.get(['prp_1'])).get('prp_1')
    }

    // A property that only 0.1 has written, then one that it has changed since.
    for (const [seq, name] of ['Hotel Bellevue', 'Hotel Bellevue & Spa'].entries()) {
      const content = { ...OLD_CONTENT, name }
      await database.write((tx) => writeAsVersion01(tx, seq + 1, content))
      expect(await read()).toEqual(summaryOf('prp_1', content))
      await expect.poll(async () => (await store.summaries(['prp_1']))[0]?.isCurrent).toBe(true)
    }

    // What this version writes, 0.1 reads from its table as JSON members without braces.
    const newer = summaryOf('prp_1', { ...OLD_CONTENT, name: 'Hôtel "Été"' })
    await store.write((writer) => writer.putSummaries([{ summary: newer, seq: 3 }]))
    const row = await database.read.selectFrom('property_summaries').selectAll().executeTakeFirstOrThrow()
    expect(JSON.parse(`{${row.summary},"total_price":1}`)).toMatchObject({ name: 'Hôtel "Été"', property_id: 'prp_1' })
    expect(row).toMatchObject({ name_folded: 'hotel ete', amenity_slugs: 'pool wifi', guest_rating: 4.2 })
    expect(bugs).toEqual([])
    await database.close()
  })
})

const OLD_CONTENT = aVendorProperty({
  images: [anImage('one'), anImage('two', true)],
  amenitySlugs: ['pool', 'wifi'],
  guestRatings: { ...NO_RATINGS, overall: 4.2, count: 9 },
})

/** The schema and the bookkeeping that version 0.1 leaves behind. */
async function createAsVersion01(database: Database): Promise<void> {
  const words = { blob: database.dialect === 'postgres' ? 'bytea' : 'blob' } as const
  await database.write(async (tx) => {
    await sql`create table schema_migrations (name text primary key, applied_at bigint not null)`.execute(tx)
    for (const [name, { up }] of Object.entries(MIGRATIONS).slice(0, 5)) {
      await up(tx, words)
      await sql`insert into schema_migrations values (${name}, 1)`.execute(tx)
    }
  })
}

/** A vendor property, its property and its summary, in the tables and columns that version 0.1 knows. */
async function writeAsVersion01(tx: Tx, seq: number, content: VendorProperty): Promise<void> {
  await upsert(
    tx,
    'vendor_properties',
    ['vendor_id', 'vendor_property_id'],
    [
      {
        ...matchFactsOf(content),
        property_id: 'prp_1',
        cell: 1,
        content_hash: String(seq),
        synced_at: 1,
        content: packContent(JSON.stringify(content)),
      } as Tables['vendor_properties'],
    ],
  )
  const { vendorId, vendorPropertyId, location } = content
  const vendors = JSON.stringify([[vendorId, vendorPropertyId]])
  await upsert(
    tx,
    'properties',
    ['property_id'],
    [{ property_id: 'prp_1', seq, ...location, vendors, merged_into: null }],
  )
  const sizes = (name: string) => {
    const { hi, lo, med } = anImage(name)
    return `{"hi":"${hi}","lo":"${lo}","med":"${med}"}`
  }
  await upsert(
    tx,
    'property_summaries',
    ['property_id'],
    [
      {
        property_id: 'prp_1',
        name_folded: foldText(content.name),
        star_rating: 3,
        guest_rating: 4.2,
        category: 'Hotel',
        amenity_slugs: 'pool wifi',
        summary: `"bye_line":"Near the river","category":"Hotel","chain":"","description":"A quiet house.","guest_ratings":{"amenities":0,"cleanliness":0,"comfort":0,"condition":0,"overall":4.2,"service":0,"count":9},"hero_images":${sizes('two')},"images":[{"caption":"two","images":${sizes('two')}},{"caption":"one","images":${sizes('one')}}],"location":{"lat":48.8566,"lon":2.3522},"name":${JSON.stringify(content.name)},"popular_amenities":["Wi-Fi"],"property_id":"prp_1","review_count":0,"star_rating":3`,
      },
    ],
  )
}

const modeOf = (path: string) => statSync(path).mode & 0o777

describe('files', () => {
  test('only their owner can read the database and what SQLite keeps beside it, those of an earlier version too', async () => {
    const path = join(folder, 'private.db')
    const files = [path, `${path}-wal`, `${path}-shm`]
    const before = process.umask(0o022)
    try {
      const database = openDatabase({ kind: 'sqlite', path })
      await migrate(database)
      expect(files.map(modeOf)).toEqual([0o600, 0o600, 0o600])
      for (const file of files) chmodSync(file, 0o644)
      const second = openDatabase({ kind: 'sqlite', path })
      await second.probe()
      expect(files.map(modeOf)).toEqual([0o600, 0o600, 0o600])
      await second.close()
      await database.close()
    } finally {
      process.umask(before)
    }
  })

  test('the data directory is for its owner alone, also one that an earlier version made', async () => {
    const config = readConfig({ NODE_ENV: 'test', SERAI_DATA_DIR: join(folder, 'data') })
    await openConfigured(config).probe()
    expect(modeOf(config.dataDir)).toBe(0o700)
    chmodSync(config.dataDir, 0o755)
    await openConfigured(config).probe()
    expect(modeOf(config.dataDir)).toBe(0o700)
  })
})
