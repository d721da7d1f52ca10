import { describe, expect, test } from 'vitest'
import { type ExpediaRapidConfig, validateConfig } from '../../../../src/vendors/expedia_rapid/config.ts'

const valid = {
  apiKey: 'k',
  billingContact: { given_name: 'A', family_name: 'B', country_code: 'NL' },
  defaultCustomerIp: '203.0.113.7',
} as ExpediaRapidConfig

describe('the test header', () => {
  test.each([
    ['https://api.ean.com', 'standard', false],
    ['https://api.ean.com', undefined, true],
    ['https://test.ean.com', 'standard', true],
    ['http://127.0.0.1:8080', 'standard', true],
    ['https://latest.ean.com', 'standard', false],
  ])('at %s with %s: allowed is %s', (baseUrl, testHeader, isAllowed) => {
    const problem = validateConfig({ ...valid, baseUrl, ...(testHeader !== undefined && { testHeader }) })
    if (isAllowed) expect(problem).toBeUndefined()
    else expect(problem).toMatch(/SERAI_EXPEDIA_RAPID_TEST_HEADER must not be set with https:/)
  })
})
