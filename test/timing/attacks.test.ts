import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccounts, fetchToken } from '../../chaos/crash/api-client.ts'
import { createBookingStore } from '../../src/booking/store/bookings.ts'
import { openConfigured } from '../../src/compose/database.ts'
import { readConfig } from '../../src/config.ts'
import { deriveKeyring } from '../../src/lib/crypto/keyring.ts'
import { aBooking, BY_ACCOUNT, START } from '../support/booking/an-offer.ts'
import { expectHealthDuring } from '../support/servers/measure-health.ts'
import { freePort } from '../support/servers/postgres.ts'
import { openDataFolder, type ServerProcess, startServer } from '../support/servers/server-process.ts'

const BOOKINGS = 2_000

let folder: ReturnType<typeof openDataFolder>
let server: ServerProcess
let env: Record<string, string>
let attackers = 0
beforeAll(async () => {
  folder = openDataFolder('attacks')
  // The attackers have the default allowance.
  env = {
    SERAI_DATA_DIR: folder.dataDir,
    SERAI_SANDBOX: 'false',
    SERAI_LOG_LEVEL: 'error',
    SERAI_RATE_LIMIT_PER_MINUTE: '1200',
  }
  server = await startServer({ dataDir: folder.dataDir, port: await freePort(), env })
}, 120_000)
afterAll(async () => {
  await server?.kill()
  folder?.close()
})

/** An account with its whole allowance and many bookings; returns its token. */
async function addAttacker(): Promise<string> {
  attackers += 1
  const attacker = {
    email: `attacker-${attackers}@example.com`,
    name: 'Attacker',
    password: 'the password of the attacker',
  }
  const [accountId = ''] = await addAccounts(env, [attacker])
  await addBookings(accountId)
  return fetchToken(server.url, attacker)
}

async function addBookings(accountId: string): Promise<void> {
  const config = readConfig(env)
  const database = openConfigured(config)
  const store = createBookingStore(database, deriveKeyring(config.secrets, 'persons'))
  const numbers = Array.from({ length: BOOKINGS }, (_, n) => n)
  await Promise.all(
    numbers.map((n) => {
      const id = String(attackers * BOOKINGS + n).padStart(20, '0')
      const booking = aBooking({
        bookingId: `bkg_${id}`,
        accountId,
        reference: id,
        state: 'submitting',
        simulated: true,
      })
      const keys = { offerId: `off_${id}`, idempotencyKey: `key_${id}`, fingerprint: 'f' }
      return store.create(booking, keys, START + 1e12, START + 1e12, BY_ACCOUNT)
    }),
  )
  await database.close()
}

const ask = (token: string, path: string) =>
  fetch(`${server.url}${path}`, { headers: { authorization: `bearer: ${token}` } })

/** Words without a match, so that each of them is searched in every record. */
const filters = (count: number, words: number, field: string) =>
  Array.from({ length: count }, (_, i) => {
    const value = Array.from({ length: words }, (_, word) => `q${i}x${word}`).join('+')
    return `filters[${i}][field]=${field}&filters[${i}][op]=ilike_or&filters[${i}][value]=${value}`
  }).join('&')

test.each([
  ['places', (words: string) => `/api/locations/search?starts_with=san&${words}`, 'name'],
  ['bookings', (words: string) => `/api/accommodation/bookings?${words}`, 'property_name'],
])(
  'long filters on %s do not delay other requests',
  async (_, createPath, field) => {
    const token = await addAttacker()
    const refused = await ask(token, createPath(filters(20, 100, field)))
    expect(refused.status).toBe(422)
    const { data, meta } = (await refused.json()) as { data: unknown[]; meta: { errors: { code: string }[] } }
    expect(data).toEqual([])
    expect(meta.errors[0]?.code).toBe('value_too_long')

    const statuses = new Map<number, number>()
    let costliest = 0
    const longest = createPath(filters(2, 20, field))
    const attack = async () => {
      for (let round = 0; round < 12; round += 1) {
        // A different URL each time, so that no answer is cached.
        const answers = await Promise.all([0, 1, 2, 3].map((n) => ask(token, `${longest}&round=${round}-${n}`)))
        for (const answer of answers) {
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          const left = Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
          costliest = Math.max(costliest, 1_200 - left)
          await answer.arrayBuffer()
        }
      }
    }
    await expectHealthDuring(`long filters on ${field}`, server, 3_000, attack)
    console.log('answers', statuses, costliest)
    expect([...statuses.keys()].every((status) => status === 200 || status === 429)).toBe(true)
    expect(statuses.get(200)).toBeGreaterThan(0)
    // Each request is charged far more than one unit.
    expect(costliest).toBeGreaterThan(100)
  },
  120_000,
)
