import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, type Tx } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrations.ts'

const folder = mkdtempSync(join(tmpdir(), 'serai-group-'))
const path = join(folder, 'group.db')
let database: Database

beforeAll(async () => {
  database = openDatabase({ kind: 'sqlite', path })
  await migrate(database)
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const add = (tx: Tx, name: string) =>
  tx
    .insertInto('sign_in_slowdowns')
    .values({ key_hash: name, failures: 0, window_started_at: 0, slowed_until: 0 })
    .execute()

/** Reads through another connection, like another process. */
function readNames(prefix: string): string[] {
  const other = new DatabaseSync(path, { readOnly: true })
  const rows = other.prepare('select key_hash as name from sign_in_slowdowns where key_hash like ?').all(`${prefix}%`)
  other.close()
  return rows.map(({ name }) => String(name)).sort()
}

test('a failing write in a group is rolled back without affecting the others', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      database.write(async (tx) => {
        await add(tx, `mixed ${index} first`)
        if (index % 3 === 0) await add(tx, `mixed ${index} first`)
        await add(tx, `mixed ${index} second`)
        return index
      }),
    ),
  )
  const succeeded = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(succeeded).toEqual(Array.from({ length: 20 }, (_, index) => index).filter((index) => index % 3 !== 0))
  expect(readNames('mixed')).toEqual(
    succeeded.flatMap((index) => [`mixed ${index} first`, `mixed ${index} second`]).sort(),
  )
})

test('other processes see a write as soon as the store acknowledges it', async () => {
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      await database.write((tx) => add(tx, `told ${index}.`))
      expect(readNames(`told ${index}.`)).toEqual([`told ${index}.`])
    }),
  )
})

test('a single failing write is rolled back, and the next one succeeds', async () => {
  const failing = database.write(async (tx) => {
    await add(tx, 'alone')
    throw new Error('failed on purpose')
  })
  await expect(failing).rejects.toThrow('failed on purpose')
  expect(readNames('alone')).toEqual([])
  await database.write((tx) => add(tx, 'alone'))
  expect(readNames('alone')).toEqual(['alone'])
})
