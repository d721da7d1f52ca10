import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../../src/domain/errors.ts'
import { errorsMarkdown, errorsPage } from '../../../src/http/openapi/error-help.ts'

test('docs/errors.md says exactly what the catalogue says (npm run docs writes it)', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorsMarkdown())
})

test('every code has an anchor on the page that problem bodies link to, and no other has', () => {
  const anchors = [...errorsPage().matchAll(/id="([a-z_]+)"/g)].map((match) => match[1])
  expect(anchors).toEqual([...ERROR_CODES])
})
