import { globSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { createIdempotentRequests } from '../../src/accounts/store/idempotent-requests.ts'
import { createBookingStore } from '../../src/booking/store/bookings.ts'
import { deriveKeyring, type SecretKey } from '../../src/lib/crypto/keyring.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrations.ts'
import { assertSecrets, checkSecrets, resealAll, SEALED } from '../../src/store/secret-checks.ts'
import { aBooking, BY_ACCOUNT, START } from '../support/booking/an-offer.ts'
import { freshDatabase } from '../support/servers/postgres.ts'
import { findSealedValues, writeSealedValues } from '../support/store/sealed-values.ts'
import { manualClock } from '../support/time/clock.ts'

const secret = (id: string, fill: number): SecretKey => ({ id, key: Buffer.alloc(32, fill) })
const [OLD, NEW] = [secret('old', 1), secret('new', 2)]
const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

describe.each(['sqlite', 'postgres'] as const)('secrets of a database on %s', (kind) => {
  async function open(name: string): Promise<Database> {
    const url = kind === 'postgres' ? await freshDatabase({ url: inject('postgresUrl') }, `secrets_${name}`) : ''
    const database = kind === 'sqlite' ? openDatabase({ kind, path: ':memory:' }) : openDatabase({ kind, url })
    opened.push(database)
    await migrate(database)
    return database
  }

  test('a process with a missing or wrong secret refuses to start and names it', async () => {
    const database = await open('check')
    await checkSecrets(database, [OLD])
    await checkSecrets(database, [NEW, OLD])
    await checkSecrets(database, [OLD, NEW])
    await expect(checkSecrets(database, [NEW])).rejects.toThrow('The secret "old" is missing')
    await expect(checkSecrets(database, [secret('old', 3), NEW])).rejects.toThrow('The secret "old" is not the one')
    const checks = await database.read.selectFrom('secret_checks').selectAll().execute()
    expect(() => assertSecrets([NEW], checks)).toThrow('"old"')
  })

  test('after resealing, everything can be read with the new secret alone', async () => {
    const database = await open('reseal')
    await checkSecrets(database, [OLD])
    const before = createBookingStore(database, deriveKeyring([OLD], 'persons'))
    for (let n = 0; n < 450; n += 1) {
      const booking = aBooking({
        bookingId: `bkg_${String(n).padStart(20, '0')}`,
        reference: `R${n}`,
        state: 'submitting',
      })
      const keys = { offerId: `off_${n}`, idempotencyKey: `key_${n}`, fingerprint: 'f' }
      await before.create(booking, keys, START, START, BY_ACCOUNT)
    }
    await checkSecrets(database, [NEW, OLD])
    expect(await resealAll(database, [NEW, OLD])).toEqual({ values: 450, unreadable: 0, retired: ['old'] })
    expect(await resealAll(database, [NEW, OLD])).toMatchObject({ values: 0, unreadable: 0 })
    await checkSecrets(database, [NEW])
    const after = createBookingStore(database, deriveKeyring([NEW], 'persons'))
    expect((await after.any('bkg_00000000000000000449'))?.persons).toEqual(aBooking().persons)
  })

  test('a repeated request gets its first answer after its secret is removed', async () => {
    const database = await open('repeat')
    const requests = (...secrets: SecretKey[]) =>
      createIdempotentRequests(database, deriveKeyring(secrets, 'idempotency'), manualClock())
    const request = { key: 'k', fingerprint: 'f', subject: '' }
    const begun = await requests(OLD).begin(request)
    const lease = typeof begun === 'object' && 'lease' in begun ? begun.lease : expect.fail('it has run before')
    const answer = { status: 201, headers: { etag: '"1"' }, body: '{"data":{}}' }
    await requests(OLD).finish(request.key, lease, answer)
    expect(await resealAll(database, [NEW, OLD])).toMatchObject({ values: 1, unreadable: 0 })
    expect(await requests(NEW).begin(request)).toEqual(answer)
  })

  test('every encrypted column is resealed', async () => {
    const database = await open('columns')
    await writeSealedValues(database, OLD)
    const columns = SEALED.map(({ table, column }) => `${table}.${column}`).sort()
    expect([...(await findSealedValues(database)).keys()].sort()).toEqual(columns)
    await resealAll(database, [NEW, OLD])
    for (const [column, ids] of await findSealedValues(database)) expect([...ids], column).toEqual(['new'])
  })

  test('a value that no secret opens keeps the old secrets in use', async () => {
    const database = await open('unreadable')
    await checkSecrets(database, [OLD])
    await database.write((tx) =>
      sql`insert into mails (booking_id, sequence, kind, content, created_at, attempts)
        values ('b', 1, 'k', 'mal1.lost.AAAA', 0, 0)`.execute(tx),
    )
    expect(await resealAll(database, [NEW, OLD])).toEqual({ values: 0, unreadable: 1, retired: [] })
    await expect(checkSecrets(database, [NEW])).rejects.toThrow('"old"')
  })
})

/** Purposes of keys whose signed or encrypted values are not stored. */
const NOT_STORED = ['booking-links', 'cursors', 'mcp-session', 'mcp-state', 'offers', 'references']

test('every purpose of a key belongs to an encrypted column or to values that are not stored', () => {
  const used = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/deriveKeyring\([^()]*'([\w-]+)'\)/g)].map(([, purpose = '']) => purpose),
  )
  const known = [...SEALED.map(({ purpose }) => purpose), ...NOT_STORED]
  expect([...new Set(used)].sort()).toEqual([...new Set(known)].sort())
})
