import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { type LedgerApp, ledgerApp } from '../support/app/ledger-app.ts'
import { delayNextBooking } from '../support/sandbox/delay-booking.ts'
import { sleep } from '../support/servers/server-process.ts'
import { openMigrated } from '../support/store/migrated-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'serai-full-disk-'))
const isMounted =
  process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]).status === 0
if (!isMounted) console.warn('SKIPPED, a full disk is not tried: only root can mount one of a fixed size.')
if (!isMounted && process.env.CI === 'true') throw new Error('root is required in CI')
afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true, force: true })
})

const path = join(folder, 'serai.db')

/** Takes all space that is left; returns how to free it. */
function fillDisk(): () => void {
  const filler = join(folder, 'filler')
  const file = openSync(filler, 'w')
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1))
    } catch (error) {
      expect(Object(error).code).toBe('ENOSPC')
    }
  }
  closeSync(file)
  return () => rmSync(filler)
}

/** Otherwise the log would have room for more writes. Repeated while it is in use. */
const truncateLog = () =>
  expect
    .poll(() => {
      using database = new DatabaseSync(path)
      return database.prepare('pragma wal_checkpoint(truncate)').get()?.busy
    })
    .toBe(0)

describe.skipIf(!isMounted)('a server on a disk of 24 MB', () => {
  let app: LedgerApp
  beforeAll(async () => {
    const database = openDatabase({ kind: 'sqlite', path })
    app = await ledgerApp({}, { database })
  })
  afterAll(() => app?.close())
  const ready = async () => {
    // The result of a check is reused for a moment.
    await sleep(300)
    return (await app.call({ url: '/readyz' })).statusCode
  }
  const searchIn = async (place: string) => {
    const { data } = (await app.request({ url: `/api/locations/search?starts_with=${place}` })).json()
    const stay = { check_in: '2027-05-01', check_out: '2027-05-03', occupancies: [{ adults: 2 }] }
    const payload = { destination_id: data[0].id, ...stay }
    return app.request({ method: 'POST', url: '/api/accommodation_searches/search', payload })
  }

  const expectRefusals = async () => {
    const refused = await app.book((await app.room()).booking_info)
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'store_unavailable'])
    // The content of this place is not stored yet.
    const search = await searchIn('Nice')
    expect([search.statusCode, search.json().code, search.json().effect]).toEqual([503, 'overloaded', 'none'])
    const saved = await searchIn('Zermatt')
    expect([saved.statusCode, saved.json().code, saved.json().effect]).toEqual([503, 'overloaded', 'none'])
    expect(search.json().detail + saved.json().detail).not.toMatch(/vendor/i)
  }

  test('that fills up during the vendor call answers 202, is not ready, and settles the booking with free space', async () => {
    const { booking_info: info } = await app.room()
    const headers = { 'idempotency-key': `full-${randomUUID()}` }
    expect(await ready()).toBe(200)
    const before = (await app.ledger()).length
    await truncateLog()
    await app.noFaults()
    const { received } = await delayNextBooking(Object.values(app.sandbox.control), 1_500)
    const asking = app.book(info, headers)
    await received()
    const free = fillDisk()
    try {
      const answer = await asking.finally(() => app.noFaults())
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([202, undefined])
      expect((await app.ledger()).length).toBe(before + 1)
      expect(await ready()).toBe(503)
      await expectRefusals()
      expect((await app.ledger()).length).toBe(before + 1)
    } finally {
      free()
    }

    expect(await ready()).toBe(200)
    app.clock.advance(60_000)
    await app.settleBookings()
    const replay = await app.book(info, headers)
    expect([replay.statusCode, (await app.ledger()).length]).toEqual([201, before + 1])
  }, 60_000)
})

test('a database that cannot grow fails the probe until it can, even if its pages can still be written', async () => {
  const database = await openMigrated()
  const run = (statement: string) => database.write((tx) => sql.raw(statement).execute(tx))
  await run('create table filler (bytes blob)')
  await run('pragma max_page_count = 1')
  // Pages that are free already do not count against the limit.
  await expect(run('insert into filler values (zeroblob(1000000))')).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  await expect(database.probe()).rejects.toThrow()
  await expect(database.probe()).rejects.toThrow()
  await run('pragma max_page_count = 1000000')
  await database.probe()
  await run('insert into filler values (zeroblob(1000000))')
  await database.close()
})
