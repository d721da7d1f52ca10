import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordExamples } from '../../../scripts/record-examples.ts'
import { testLocations } from '../../support/app/app.ts'

const FILE = join(import.meta.dirname, '../../../src/http/openapi/examples.json')

test('the examples of the document are what the service answers today; npm run docs records them again', async () => {
  expect(await recordExamples(testLocations())).toEqual(JSON.parse(readFileSync(FILE, 'utf8')))
})
