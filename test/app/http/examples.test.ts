import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testLocations } from '../../support/app/app.ts'
import { recordExamples } from '../../support/examples/record-examples.ts'

const FILE = join(import.meta.dirname, '../../../docs/api-examples.json')

test('the recorded examples match the service’s responses; npm run docs records them again', async () => {
  expect(await recordExamples(testLocations())).toEqual(JSON.parse(readFileSync(FILE, 'utf8')))
})
