import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../../src/domain/errors.ts'
import { errorsMarkdown, errorsPage } from '../../../src/http/openapi/error-help.ts'

test('docs/errors.md matches the error table (npm run docs writes it)', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorsMarkdown())
})

test('the errors page has an anchor for exactly the existing codes', () => {
  const anchors = [...errorsPage().matchAll(/id="([a-z_]+)"/g)].map((match) => match[1])
  expect(anchors).toEqual([...ERROR_CODES])
})
