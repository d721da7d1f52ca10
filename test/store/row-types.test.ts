import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeRows } from '../../scripts/describe-rows.ts'
import { onBothDatabases } from '../support/store/databases.ts'

const written = readFileSync('src/store/tables.ts', 'utf8')

onBothDatabases('row types', (open) => {
  test('src/store/tables.ts matches the migrated database; `npm run docs` updates it', async () => {
    expect(await describeRows(open())).toBe(written)
  })
})
