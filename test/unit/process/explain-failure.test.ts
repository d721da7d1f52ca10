import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import { explainFailure } from '../../../src/process/explain-failure.ts'
import { UnusableDatabase } from '../../../src/store/migrations.ts'

const failure = (message: string, facts: object) => Object.assign(new Error(message), facts)
const storeUnavailable = (cause: Error) =>
  new AppError('store_unavailable', 'The database cannot be reached right now.', { cause })

describe('explaining a failed start', () => {
  test.each([
    ['listen EACCES', { code: 'EACCES', syscall: 'listen', address: '0.0.0.0', port: 80 }, /^Port 80 .* PORT=4000/],
    ['listen EADDRNOTAVAIL', { code: 'EADDRNOTAVAIL', address: '10.9.8.7', port: 4000 }, /^10\.9\.8\.7 .* HOST/],
    ['getaddrinfo ENOTFOUND no-such', { code: 'ENOTFOUND', hostname: 'no-such' }, /^no-such .* HOST/],
    [
      'open',
      { code: 'EACCES', syscall: 'open', path: '/data/serai.db' },
      /^\/data\/serai\.db .*by user \d+.* SERAI_DATA_DIR/,
    ],
    ['password authentication failed for user "serai"', { code: '28P01', severity: 'FATAL' }, /serai.* DATABASE_URL/],
    ['database "serai" does not exist', { code: '3D000', severity: 'FATAL' }, /does not exist.* DATABASE_URL/],
    [
      'permission denied for schema public',
      { code: '42501', severity: 'ERROR' },
      /schema public.* DATABASE_URL .* owner/,
    ],
    ['self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /self-signed.* NODE_EXTRA_CA_CERTS=FILE/],
    ['unable to verify', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, /PostgreSQL.* NODE_EXTRA_CA_CERTS=FILE/],
    ['Hostname does not match', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /PostgreSQL.* does not match/],
    ['The server does not support SSL connections', {}, /sslmode in DATABASE_URL/],
    ['sorry, too many clients already', { code: '53300', severity: 'FATAL' }, /clients.* SERAI_DATABASE_CONNECTIONS/],
  ])('the failure "%s" is explained with the setting that caused it', (message, facts, words) => {
    const explanation = explainFailure(failure(message, facts))
    expect(explanation).toMatch(words)
    expect(explanation).not.toContain('    at ')
  })

  test('an unreachable PostgreSQL is explained with all its addresses', () => {
    const refused = (address: string) => failure(`connect ECONNREFUSED ${address}`, { code: 'ECONNREFUSED' })
    const both = new AggregateError([refused('::1:5432'), refused('127.0.0.1:5432')])
    expect(explainFailure(storeUnavailable(refused('10.0.0.1:5432')))).toMatch(
      /ECONNREFUSED 10\.0\.0\.1:5432.*DATABASE_URL/,
    )
    expect(explainFailure(storeUnavailable(both))).toMatch(/::1:5432, .*127\.0\.0\.1:5432.*DATABASE_URL/)
  })

  test('a database of a newer version is explained without a stack trace', () => {
    expect(explainFailure(new UnusableDatabase('Start that version instead.'))).toBe('Start that version instead.')
  })

  test('a bug keeps its stack trace', () => {
    expect(explainFailure(new TypeError('x is not a function'))).toContain('    at ')
  })
})
