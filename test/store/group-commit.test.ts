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

/** As another process would read them. */
function names(beginning: string): string[] {
  const other = new DatabaseSync(path, { readOnly: true })
  const rows = other
    .prepare('select key_hash as name from sign_in_slowdowns where key_hash like ?')
    .all(`${beginning}%`)
  other.close()
  return rows.map(({ name }) => String(name)).sort()
}

test('a write that fails among others takes back all of its own and nothing of theirs', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      database.write(async (tx) => {
        await add(tx, `mixed ${at} first`)
        if (at % 3 === 0) await add(tx, `mixed ${at} first`)
        await add(tx, `mixed ${at} second`)
        return at
      }),
    ),
  )
  const well = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(well).toEqual(Array.from({ length: 20 }, (_, at) => at).filter((at) => at % 3 !== 0))
  expect(names('mixed')).toEqual(well.flatMap((at) => [`mixed ${at} first`, `mixed ${at} second`]).sort())
})

test('whoever is told that it is written can be killed: another process reads it', async () => {
  await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      await database.write((tx) => add(tx, `told ${at}.`))
      expect(names(`told ${at}.`)).toEqual([`told ${at}.`])
    }),
  )
})

test('a write that fails alone leaves nothing, and the next goes on', async () => {
  const failing = database.write(async (tx) => {
    await add(tx, 'alone')
    throw new Error('not this one')
  })
  await expect(failing).rejects.toThrow('not this one')
  expect(names('alone')).toEqual([])
  await database.write((tx) => add(tx, 'alone'))
  expect(names('alone')).toEqual(['alone'])
})
