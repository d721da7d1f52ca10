import type { InjectOptions } from 'fastify'
import { startSandbox } from '../../../sandbox/start-sandbox.ts'
import type { Overrides } from '../../../src/compose/core.ts'
import { testApp } from '../app/app.ts'
import { aPlace } from '../sandbox/places.ts'
import { manualClock } from '../time/clock.ts'

/** The application with one vendor, because the order in which several answer is a matter of time. */
export async function oneVendorApp(overrides: Overrides = {}) {
  const clock = manualClock()
  const places = [aPlace('Zermatt'), aPlace('Nice')]
  const sandbox = await startSandbox({ places, pictureBase: 'http://127.0.0.1:1/sandbox/pictures', clock })
  const variables = Object.entries(sandbox.environment).filter(([name]) => /^SERAI_(HOTELBEDS|CONTENT)_/.test(name))
  const vendorEnvironment = Promise.resolve(Object.fromEntries(variables))
  const app = await testApp({}, { clock, vendorEnvironment, ...overrides })
  return {
    ...app,
    async close() {
      await app.close()
      await sandbox.close()
    },
  }
}

/** Bodies of the five calls of README.md, from the token to the booking, by an account that pays on account. */
type Caller = { call(options: InjectOptions): Promise<{ readonly statusCode: number; readonly body: string }> }

/** Members whose value differs in every run: ids, sealed texts and durations. */
const RANDOM = [
  ...['token', 'search_id', 'booking_id', 'reference', 'vendor_reference', 'vendor', 'price_check_uri'],
  ...['terms_digest', 'took_ms'],
]
const RANDOM_VALUE = new RegExp(`"(${RANDOM.join('|')})":("(?:[^"\\\\]|\\\\.)*"|\\d+)`, 'g')

/** Replaces the value of each random member by its name. Everything else stays byte for byte. */
const normalise = (body: string): string =>
  body.replaceAll(RANDOM_VALUE, '"$1":"<$1>"').replaceAll(/"acc_[0-9a-z]+"/g, '"<account>"')

export async function playFiveCalls(
  app: Caller,
  user: { readonly email: string; readonly password: string },
): Promise<string> {
  const lines: string[] = []
  const ask = async (method: 'GET' | 'POST', url: string, token?: string, payload?: object) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const { statusCode, body } = await app.call({ method, url, headers, ...(payload && { payload }) })
    lines.push(`${method} ${url.split('?')[0]} ${statusCode}`, normalise(body), '')
    return JSON.parse(body)
  }
  const { email, password } = user
  const { token } = await ask('POST', '/api/accounts/get_token', undefined, { user: { email, password } })
  const places = await ask('GET', '/api/locations/search?starts_with=zerm&first=2', token)
  const { data } = await ask('POST', '/api/accommodation_searches/search?limit=2', token, {
    ...{ destination_id: places.data[0].id, check_in: '2027-02-24', check_out: '2027-02-26' },
    ...{ occupancies: [{ adults: 2 }], currency: 'EUR', timeout_ms: 15_000 },
  })
  const query = `search_id=${data.search_id}&property_id=${data.availability[0].property_id}`
  const { accommodation } = await ask('GET', `/api/accommodation_searches/accommodation?${query}`, token)
  await ask('POST', '/api/accommodation/book', token, {
    ...accommodation.available_rooms[0].booking_info,
    guests: [{ given_name: 'Ana', family_name: 'Costa' }],
  })
  return lines.join('\n')
}
