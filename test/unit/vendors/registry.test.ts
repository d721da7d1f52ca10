import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { parseVendorsCommand } from '../../../src/cli/commands/vendors.ts'
import { systemClock } from '../../../src/lib/time/clock.ts'
import { createVendors, VENDOR_KINDS } from '../../../src/vendors/registry.ts'
import {
  listVariables,
  readVendorSettings,
  VendorSettingsError,
  variablePrefix,
} from '../../../src/vendors/settings.ts'
import { captureOutput } from '../../support/cli/capture-output.ts'

const HOTELBEDS = { SERAI_HOTELBEDS_API_KEY: 'key-1234', SERAI_HOTELBEDS_SECRET: 'secret-5678' }
const RAPID = {
  SERAI_EXPEDIA_RAPID_API_KEY: 'rapid-key',
  SERAI_EXPEDIA_RAPID_SHARED_SECRET: 'rapid-secret',
  SERAI_EXPEDIA_RAPID_BILLING_CONTACT_GIVEN_NAME: 'Ada',
  SERAI_EXPEDIA_RAPID_BILLING_CONTACT_FAMILY_NAME: 'Agent',
  SERAI_EXPEDIA_RAPID_BILLING_CONTACT_COUNTRY_CODE: 'NL',
  SERAI_EXPEDIA_RAPID_BUSINESS_PHONE: '+31201234567',
}
const connect = async (env: Record<string, string>) => {
  const set = await createVendors(env, { clock: systemClock })
  await set.close()
  return set
}
const refusal = (env: Record<string, string>) =>
  connect(env).then(
    () => 'it was taken',
    (error: unknown) => (error instanceof VendorSettingsError ? error.message : String(error)),
  )

describe('configured vendors', () => {
  test('an environment without vendor settings connects no vendor', async () => {
    expect((await connect({})).vendors).toEqual([])
    expect((await connect({ PATH: '/bin', SERAI_LOG_LEVEL: 'info', SERAI_HOTELBEDS_API_KEY: ' ' })).vendors).toEqual([])
  })

  test('Hotelbeds connects with key and secret; Rapid also needs a billing contact', async () => {
    const { vendors, getClient: clientOf } = await connect({ ...HOTELBEDS, ...RAPID })
    expect(vendors.map(({ id }) => id)).toEqual(['expedia_rapid', 'hotelbeds'])
    expect(clientOf('hotelbeds')?.breakerState('search')).toBe('closed')
    expect(clientOf('nobody')).toBeUndefined()
  })

  test('vendor ids are unique, and no prefix of variables contains another', () => {
    const ids = VENDOR_KINDS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids)
      for (const other of ids)
        if (id !== other) expect(variablePrefix(other).startsWith(variablePrefix(id))).toBe(false)
  })
})

describe('invalid vendor settings', () => {
  test('a partly configured vendor is rejected with the names of all missing variables', async () => {
    expect(await refusal({ SERAI_HOTELBEDS_API_KEY: 'k' })).toBe(
      'SERAI_HOTELBEDS_SECRET is not set, though SERAI_HOTELBEDS_API_KEY is. Set all of them, or none.',
    )
    const message = await refusal({ SERAI_EXPEDIA_RAPID_API_KEY: 'k', SERAI_EXPEDIA_RAPID_SHARED_SECRET: 's' })
    expect(message).toContain('SERAI_EXPEDIA_RAPID_BILLING_CONTACT_GIVEN_NAME')
    expect(message).toContain('SERAI_EXPEDIA_RAPID_BILLING_CONTACT_COUNTRY_CODE')
    expect(message).toContain('SERAI_EXPEDIA_RAPID_BUSINESS_PHONE')
    expect(message).not.toContain('POSTAL_CODE')
  })

  test.each([
    ['US', /STATE_PROVINCE_CODE and SERAI_\w+_POSTAL_CODE must be set/],
    ['AU', /^SERAI_\w+_STATE_PROVINCE_CODE must be set/],
    ['GB', /^SERAI_\w+_POSTAL_CODE must be set/],
  ])('a billing contact in %s without its state or postal code is rejected', async (country, words) => {
    const contact = { ...RAPID, SERAI_EXPEDIA_RAPID_BILLING_CONTACT_COUNTRY_CODE: country }
    expect(await refusal(contact)).toMatch(words)
    const whole = {
      SERAI_EXPEDIA_RAPID_BILLING_CONTACT_STATE_PROVINCE_CODE: 'WA',
      SERAI_EXPEDIA_RAPID_BILLING_CONTACT_POSTAL_CODE: '98121',
    }
    expect(await refusal({ ...contact, ...whole })).toBe('it was taken')
  })

  test('a language that Rapid does not support is rejected with the list of supported ones', async () => {
    for (const language of ['en-GB', 'de', 'zh-HK', 'en-us'])
      expect(await refusal({ ...RAPID, SERAI_EXPEDIA_RAPID_LANGUAGE: language })).toMatch(
        /^SERAI_EXPEDIA_RAPID_LANGUAGE must be one of ar-SA, .*de-DE, .*zh-TW\.$/,
      )
    expect(await refusal({ ...RAPID, SERAI_EXPEDIA_RAPID_LANGUAGE: 'de-DE' })).toBe('it was taken')
  })

  test('a default customer IP that is not an IP address is rejected', async () => {
    const wrong = { ...RAPID, SERAI_EXPEDIA_RAPID_DEFAULT_CUSTOMER_IP: 'our server' }
    expect(await refusal(wrong)).toBe(
      'SERAI_EXPEDIA_RAPID_DEFAULT_CUSTOMER_IP must be an IP address, such as 203.0.113.7.',
    )
  })

  test('an unknown currency for Hotelbeds is rejected', async () => {
    expect(await refusal({ ...HOTELBEDS, SERAI_HOTELBEDS_CURRENCIES: 'EUR,ERU' })).toBe(
      'SERAI_HOTELBEDS_CURRENCIES must be ISO 4217 codes, such as EUR. Unknown: ERU.',
    )
    expect(await refusal({ ...HOTELBEDS, SERAI_HOTELBEDS_CURRENCIES: 'EUR, USD' })).toBe('it was taken')
  })

  test('a misspelt variable is rejected with a suggestion', async () => {
    expect(await refusal({ ...HOTELBEDS, SERAI_HOTELBEDS_PHOTOBASE: 'x' })).toBe(
      'SERAI_HOTELBEDS_PHOTOBASE is not a setting of hotelbeds; did you mean SERAI_HOTELBEDS_PHOTO_BASE?',
    )
  })

  test.each([
    ['SERAI_HOTELBEDS_PRICING', 'gross', 'one of net, commissionable'],
    ['SERAI_HOTELBEDS_CONTENT_PAGE_SIZE', 'many', 'an integer from 1 to 1000'],
    ['SERAI_HOTELBEDS_CONTENT_PAGE_SIZE', '5000', 'an integer from 1 to 1000'],
    ['SERAI_HOTELBEDS_CURRENCIES', 'EUR,euro', 'a list, separated by commas, each of the form ^[A-Z]{3}$'],
    ['SERAI_HOTELBEDS_BOOKING_ORIGIN', 'api.hotelbeds.com', 'of the form ^https?://[^/?#]+$'],
  ])('%s=%s is rejected with a description of valid values', async (name, value, wanted) => {
    expect(await refusal({ ...HOTELBEDS, [name]: value })).toBe(`${name} must be ${wanted}.`)
  })

  test('an origin with a path or an unknown scheme is rejected', async () => {
    for (const origin of ['https://api.ean.com/v3', 'ftp://api.ean.com', 'api.ean.com']) {
      expect(await refusal({ ...RAPID, SERAI_EXPEDIA_RAPID_BASE_URL: origin })).toContain(
        'SERAI_EXPEDIA_RAPID_BASE_URL',
      )
    }
  })

  test('the problems of several vendors are reported at once', async () => {
    const message = await refusal({ SERAI_HOTELBEDS_API_KEY: 'k', SERAI_EXPEDIA_RAPID_API_KEY: 'k' })
    expect(message).toContain('SERAI_HOTELBEDS_SECRET')
    expect(message).toContain('SERAI_EXPEDIA_RAPID_SHARED_SECRET')
  })
})

describe('client certificates', () => {
  const both = {
    SERAI_HOTELBEDS_CERTIFICATE_PATH: '/nowhere/c.pem',
    SERAI_HOTELBEDS_CERTIFICATE_KEY_PATH: '/nowhere/k.pem',
  }

  test('a client certificate without its key is rejected', async () => {
    const message = await refusal({ ...HOTELBEDS, SERAI_HOTELBEDS_CERTIFICATE_PATH: '/nowhere/c.pem' })
    expect(message).toContain('Set SERAI_HOTELBEDS_CERTIFICATE_PATH and SERAI_HOTELBEDS_CERTIFICATE_KEY_PATH together')
  })

  test('an unreadable client certificate is reported with its variable and path', async () => {
    expect(await refusal({ ...HOTELBEDS, ...both })).toMatch(
      /^SERAI_HOTELBEDS_CERTIFICATE(_KEY)?_PATH: \/nowhere\/.\.pem/,
    )
  })

  test('an invalid client certificate is rejected at start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'serai-certificate-'))
    const path = join(folder, 'c.pem')
    writeFileSync(path, 'not a certificate')
    const env = { SERAI_HOTELBEDS_CERTIFICATE_PATH: path, SERAI_HOTELBEDS_CERTIFICATE_KEY_PATH: path }
    expect(await refusal({ ...HOTELBEDS, ...env })).toMatch(/^The client certificate cannot be used .*CERTIFICATE_PATH/)
    rmSync(folder, { recursive: true })
  })
})

describe('secrets', () => {
  const Config = Type.Object({
    apiKey: Type.String(),
    clientToken: Type.Optional(Type.String()),
    keyPath: Type.Optional(Type.String()),
    door: Type.Object({ password: Type.String({ minLength: 20 }) }),
  })
  const env = {
    SERAI_UNLISTED_API_KEY: 'hush-1',
    SERAI_UNLISTED_KEY_PATH: '/k',
    SERAI_UNLISTED_DOOR_PASSWORD: 'hush-2-hush-2-hush-2',
  }

  test('a config that is printed or logged shows no secrets', () => {
    const config = readVendorSettings('unlisted', Config, env)
    expect(config.door.password).toBe('hush-2-hush-2-hush-2')
    for (const shown of [
      inspect(config, { depth: 5 }),
      JSON.stringify(config),
      inspect({ nested: { config } }, { depth: 9 }),
    ]) {
      expect(shown).not.toContain('hush')
      expect(shown).toContain('***')
      expect(shown).toContain('/k')
    }
    expect(Object.keys(config)).toEqual(['apiKey', 'keyPath', 'door'])
  })

  test('an error message contains the name of a secret but not its value', () => {
    expect(() => readVendorSettings('unlisted', Config, { ...env, SERAI_UNLISTED_DOOR_PASSWORD: 'hush' })).toThrow(
      /^SERAI_UNLISTED_DOOR_PASSWORD must be a text/,
    )
    try {
      readVendorSettings('unlisted', Config, { ...env, SERAI_UNLISTED_DOOR_PASSWORD: 'hush' })
    } catch (error) {
      expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('hush')
    }
  })

  test('variables are derived from the schema, with secrets marked', () => {
    expect(listVariables('unlisted', Config).map(({ name, required, secret }) => [name, required, secret])).toEqual([
      ['SERAI_UNLISTED_API_KEY', true, true],
      ['SERAI_UNLISTED_CLIENT_TOKEN', false, true],
      ['SERAI_UNLISTED_KEY_PATH', false, false],
      ['SERAI_UNLISTED_DOOR_PASSWORD', true, true],
    ])
  })
})

describe('serai vendors', () => {
  const runVendors = (args: string[], env: Record<string, string> = {}) =>
    captureOutput(() => parseVendorsCommand(args).work({ env, clock: systemClock }))

  test('`vendors list` shows every variable and no secret', async () => {
    const { code, out: text } = await runVendors(['list'], { ...HOTELBEDS, SERAI_HOTELBEDS_PRICING: 'net' })
    expect(code).toBe(0)
    expect(text).toContain('✓ hotelbeds')
    expect(text).toContain('· expedia_rapid')
    for (const { name } of VENDOR_KINDS.flatMap(({ variables }) => variables)) expect(text).toContain(name)
    expect(text).toMatch(/SERAI_HOTELBEDS_SECRET +set/)
    expect(text).not.toContain('secret-5678')
  })

  test('`vendors check` reports a partial and a missing configuration', async () => {
    const half = await runVendors(['check'], { SERAI_HOTELBEDS_API_KEY: 'k' })
    expect(half.out).toMatch(/hotelbeds\n {2}✗ settings {2}SERAI_HOTELBEDS_SECRET is not set/)
    expect(half.code).toBe(1)
    expect(await runVendors(['check'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('No vendor is configured'),
    })
  })
})

test('docs/vendors.md lists exactly the existing variables', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/vendors.md'), 'utf8')
  const prefixes = VENDOR_KINDS.map(({ id }) => variablePrefix(id)).join('|')
  const named = new Set(text.match(new RegExp(`(?:${prefixes})[A-Z0-9_]+`, 'g')))
  for (const limit of text.match(/(?<=SERAI_…)_LIMITS_[A-Z_]+/g) ?? [])
    for (const { id } of VENDOR_KINDS) named.add(`SERAI_${id.toUpperCase()}${limit}`)
  const known = VENDOR_KINDS.flatMap(({ variables }) => variables.map(({ name }) => name))
  expect([...named].sort()).toEqual([...known].sort())
})

test('docs/vendors.md has the default and the upper limit of every number', () => {
  const lines = readFileSync(join(import.meta.dirname, '../../../docs/vendors.md'), 'utf8').split('\n')
  const numbers = VENDOR_KINDS.flatMap(({ variables }) => variables).filter(
    ({ defaultValue: initial }) => typeof initial === 'number',
  )
  expect(numbers.length).toBeGreaterThan(2)
  for (const { name, defaultValue: initial, schema } of numbers) {
    const row = lines.find((line) => line.startsWith(`| \`${name}\``)) ?? ''
    expect(row).toContain(`${initial} unless set`)
    const limit = /at most (\d+)/.exec(row)?.[1]
    if (limit !== undefined) expect(Number(limit), name).toBe((schema as { maximum?: number }).maximum)
  }
})
