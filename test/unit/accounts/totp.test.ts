import { expect, test } from 'vitest'
import { codeAt, describeTotp, findStep } from '../../../src/accounts/totp.ts'

const SECRET = Buffer.from('12345678901234567890')

/** RFC 6238, appendix B, with SHA-1. */
const VECTORS: readonly (readonly [seconds: number, code: string])[] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
]

test.each(VECTORS)('the code at second %i matches RFC 6238', (seconds, code) => {
  expect(codeAt(SECRET, Math.floor(seconds / 30), 8)).toBe(code)
  expect(codeAt(SECRET, Math.floor(seconds / 30))).toBe(code.slice(2))
})

test('a code is valid in its own step and in the two adjacent ones', () => {
  const step = 37_037_036
  const code = codeAt(SECRET, step)
  const acceptedStep = (distance: number) => findStep(SECRET, code, (step + distance) * 30_000)
  expect([-2, -1, 0, 1, 2].map(acceptedStep)).toEqual([undefined, step, step, step, undefined])
})

test.each(['', '12345', '1234567', 'abcdef', '０12345'])('%j is not a code', (code) => {
  expect(findStep(SECRET, code, 59_000)).toBeUndefined()
})

test('authenticator apps get the secret in base32', () => {
  const { secret, uri } = describeTotp(SECRET, 'ana+ops@example.com')
  expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const { host, pathname, searchParams } = new URL(uri)
  expect([host, decodeURIComponent(pathname)]).toEqual(['totp', '/Serai:ana+ops@example.com'])
  expect(Object.fromEntries(searchParams)).toEqual({
    issuer: 'Serai',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
