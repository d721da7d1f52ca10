import { expect, test } from 'vitest'
import { upsert } from '../../src/store/upsert.ts'
import { onBothDatabases } from '../support/store/databases.ts'

onBothDatabases('upsert', (open) => {
  const put = (...rows: { notice_key: string; body: string; expires_at: number }[]) =>
    open().write((tx) => upsert(tx, 'notice_texts', ['notice_key'], rows))
  const all = () =>
    open().read.selectFrom('notice_texts').select(['notice_key', 'body']).orderBy('notice_key').execute()

  test('an upsert of several rows writes each value to its column, in any order of columns', async () => {
    await put({ notice_key: 'a', body: 'first', expires_at: 1 })
    await put({ body: 'second', expires_at: 1, notice_key: 'b' }, { notice_key: 'c', expires_at: 1, body: 'third' })
    await put({ notice_key: 'a', body: "it's; -- new", expires_at: 1 }, { notice_key: 'd', body: '', expires_at: 1 })
    expect(await all()).toEqual([
      { notice_key: 'a', body: "it's; -- new" },
      { notice_key: 'b', body: 'second' },
      { notice_key: 'c', body: 'third' },
      { notice_key: 'd', body: '' },
    ])
  })
})
