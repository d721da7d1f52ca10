import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAccountStore } from '../../src/accounts/store/accounts.ts'
import type { SecretKey } from '../../src/lib/crypto/keyring.ts'
import { assertIntact, backupSqlite, restoreSqlite } from '../../src/store/backup.ts'
import { openDatabase } from '../../src/store/database.ts'
import { createHistoryReader } from '../../src/store/history.ts'
import { migrate } from '../../src/store/migrations.ts'
import { checkSecrets } from '../../src/store/secret-checks.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'serai-backup-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const NOW = Date.parse('2027-01-15T12:00:00Z')
const readMode = (path: string) => statSync(path).mode & 0o777
const account = {
  id: 'acc_1',
  email: 'a@example.com',
  name: 'A',
  passwordHash: 'h',
  createdAt: 1,
  disabledAt: undefined,
  role: 'client' as const,
}

test('a backup of an open database has all commits, and restoring it keeps the previous database as a copy', async () => {
  const path = join(folder, 'live.db')
  const copy = join(folder, 'copy.db')
  const database = openDatabase({ kind: 'sqlite', path })
  await migrate(database)
  await createAccountStore(database).add(account)
  await backupSqlite(path, copy)
  await createAccountStore(database).add({ ...account, id: 'acc_2', email: 'later@example.com' })
  await database.close()

  const { keptAs = '' } = await restoreSqlite(copy, path, NOW)
  expect([readMode(path), readMode(copy), readMode(keptAs)]).toEqual([0o600, 0o600, 0o600])
  const restored = openDatabase({ kind: 'sqlite', path })
  expect((await createAccountStore(restored).list()).map(({ id }) => id)).toEqual(['acc_1'])
  await restored.close()
  const before = openDatabase({ kind: 'sqlite', path: keptAs })
  expect(await createAccountStore(before).list()).toHaveLength(2)
  await before.close()
})

test('a restored database knows that commits are missing, until a reconciliation has ended', async () => {
  const [path, copy] = [join(folder, 'live.db'), join(folder, 'copy.db')]
  const database = openDatabase({ kind: 'sqlite', path })
  await migrate(database)
  const clock = { now: () => NOW }
  expect((await createHistoryReader(database, clock).read()).isBehind).toBe(false)
  await backupSqlite(path, copy)
  // As in a backup of a version that did not know of losses.
  new DatabaseSync(copy).exec("drop table store_history; delete from kysely_migration where name = '131-store-history'")
  await database.close()
  expect(await restoreSqlite(copy, path, NOW)).toMatchObject({ dataUntil: undefined })
  const restored = openDatabase({ kind: 'sqlite', path })
  await migrate(restored)
  const history = createHistoryReader(restored, clock)
  const seen = await history.read()
  expect(seen).toMatchObject({ isBehind: true, changedAt: NOW, generation: 1 })
  expect(await history.markReconciled(seen)).toBe(true)
  expect((await history.read()).isBehind).toBe(false)
  await restored.close()
})

test('a backup completes under constant writes', async () => {
  const [path, copy] = [join(folder, 'busy.db'), join(folder, 'busy-copy.db')]
  const writer = new DatabaseSync(path)
  writer.exec('pragma journal_mode = wal; create table filling (bytes blob); create table counted (n integer)')
  const fill = writer.prepare('insert into filling values (zeroblob(1000000))')
  for (let row = 0; row < 30; row += 1) fill.run()
  const write = writer.prepare('insert into counted values (1)')
  const writing = setInterval(() => write.run(), 1)
  const ended = backupSqlite(path, copy).then(() => 'ended')
  expect(await Promise.race([ended, setTimeout(20_000, 'still copying')])).toBe('ended')
  clearInterval(writing)
  writer.close()
})

test('a backup is a single file that can be opened in a read-only folder', async () => {
  const [path, copy] = [join(folder, 'one.db'), join(folder, 'one-copy.db')]
  const database = openDatabase({ kind: 'sqlite', path })
  await migrate(database)
  await backupSqlite(path, copy)
  await database.close()
  expect(readdirSync(folder).filter((name) => name.startsWith('one-copy'))).toEqual(['one-copy.db'])
  using opened = new DatabaseSync(copy, { readOnly: true })
  expect(opened.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'delete' })
})

test.each([
  ['not a database', () => 'this is not a database, not at all, but long enough to look at'],
  ['empty, like a truncated copy,', () => ''],
  ['the database of another program', otherDatabase],
])('a file that is %s is refused before the restore changes anything', async (_, content) => {
  const path = join(folder, 'kept.db')
  const database = openDatabase({ kind: 'sqlite', path })
  await migrate(database)
  await database.close()
  const before = readFileSync(path)
  writeFileSync(join(folder, 'junk.db'), content())
  await expect(restoreSqlite(join(folder, 'junk.db'), path, NOW)).rejects.toThrow('junk.db cannot be restored')
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('a backup written with another secret is refused by the id of the secret, and nothing is changed', async () => {
  const [path, copy] = [join(folder, 'sealed.db'), join(folder, 'sealed-copy.db')]
  const [own, other] = [1, 2].map((fill) => ({ id: 'k1', key: Buffer.alloc(32, fill) }))
  const database = openDatabase({ kind: 'sqlite', path })
  await migrate(database)
  await checkSecrets(database, [own as SecretKey])
  await backupSqlite(path, copy)
  await createAccountStore(database).add(account)
  await database.close()
  const wrong = [[other as SecretKey], [{ ...(own as SecretKey), id: 'k2' }]]
  for (const secrets of wrong)
    await expect(restoreSqlite(copy, path, NOW, secrets)).rejects.toThrow(/The secret "k1".*SERAI_SECRETS\. Nothing/)
  const kept = openDatabase({ kind: 'sqlite', path })
  expect(await createAccountStore(kept).list()).toHaveLength(1)
  await kept.close()
  await restoreSqlite(copy, path, NOW, [own as SecretKey])
})

test('a restore that cannot copy the backup leaves the database in place', async () => {
  const [path, copy] = [join(folder, 'stays.db'), join(folder, 'stays-copy.db')]
  const database = openDatabase({ kind: 'sqlite', path })
  await migrate(database)
  await backupSqlite(path, copy)
  await database.close()
  // Blocks the path of the copy, like a full disk would.
  mkdirSync(`${path}.restoring`)
  await expect(restoreSqlite(copy, path, NOW)).rejects.toThrow()
  assertIntact(path)
})

test('a restore includes the write-ahead log next to the backup', async () => {
  const [path, target] = [join(folder, 'open.db'), join(folder, 'opened.db')]
  const database = openDatabase({ kind: 'sqlite', path })
  await migrate(database)
  await createAccountStore(database).add(account)
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  await restoreSqlite(path, target, NOW)
  await database.close()
  const restored = openDatabase({ kind: 'sqlite', path: target })
  expect(await createAccountStore(restored).list()).toHaveLength(1)
  await restored.close()
})

function otherDatabase(): Buffer {
  const path = join(folder, 'other.db')
  using database = new DatabaseSync(path)
  database.exec('create table if not exists notes (text)')
  return readFileSync(path)
}
