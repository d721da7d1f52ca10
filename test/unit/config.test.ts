import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'

const SECRETS = 'k1:q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA='

describe.each(['production', 'test'])('in %s', (mode) => {
  const read = (more: Record<string, string>) => readConfig({ NODE_ENV: mode, SERAI_SECRETS: SECRETS, ...more })

  test.each(['NODE_ENV', 'SERAI_DATA_DIR', 'DATABASE_URL', 'REDIS_URL'])(
    'an empty %s is refused by name: the service would come up as something else than was meant',
    (name) => {
      expect(() => read({ [name]: '' })).toThrow(ConfigError)
      expect(() => read({ [name]: '' })).toThrow(new RegExp(`^${name} is set, but empty\\.`))
    },
  )

  test('other variables that are empty count as unset', () => {
    const empty = {
      SERAI_CORS_ORIGINS: '',
      SERAI_WORKERS: '',
      SERAI_TRUST_PROXY: '',
      SERAI_TILE_STYLE_URL: '',
      SERAI_HOTELBEDS_API_KEY: '',
    }
    expect(read(empty)).toEqual(read({}))
  })
})

test('empty secrets are refused in production like absent ones', () => {
  expect(() => readConfig({ NODE_ENV: 'production', SERAI_SECRETS: '' })).toThrow(/^SERAI_SECRETS is not set/)
})
