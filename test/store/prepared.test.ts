import { expect, test } from 'vitest'
import type { ReadOnly, Tx } from '../../src/store/database.ts'
import { prepare } from '../../src/store/prepared.ts'
import { onBothDatabases } from '../support/store/databases.ts'

onBothDatabases('a prepared query', (open) => {
  const add = prepare((tx: Tx, row: { name: string; at: number | null }) =>
    tx
      .insertInto('sign_in_slowdowns')
      .values({ key_hash: row.name, failures: 0, window_started_at: 7, slowed_until: row.at ?? 0 })
      .returning('key_hash'),
  )
  const find = prepare((db: ReadOnly, { name }: { name: string }) =>
    db
      .selectFrom('sign_in_slowdowns')
      .select(['slowed_until', 'window_started_at'])
      .where('key_hash', '=', name)
      .where('failures', '=', 0),
  )

  test('a prepared query runs with the values of each call and with its own constants', async () => {
    const names = ['one', "o'two; --", '{"slot":"name"}']
    for (const [index, name] of names.entries()) {
      expect(await open().write((tx) => add(tx, { name, at: index }))).toEqual([{ key_hash: name }])
    }
    for (const [index, name] of names.entries()) {
      expect(await find(open().read, { name })).toEqual([{ slowed_until: index, window_started_at: 7 }])
    }
    expect(await find(open().read, { name: 'none' })).toEqual([])
  })

  test('a prepared query is not run if a value is missing', async () => {
    await find(open().read, { name: 'one' })
    await expect(find(open().read, {} as { name: string })).rejects.toThrow('missing value for name')
  })
})
