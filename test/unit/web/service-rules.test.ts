import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeLimits } from '../../../scripts/describe-limits.ts'

test('the page has the limits, decimals and e-mail pattern of the service', () => {
  expect(readFileSync('web/src/api/service-rules.ts', 'utf8')).toBe(describeLimits())
})
