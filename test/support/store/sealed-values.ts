import { sql } from 'kysely'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { createIdempotentRequests } from '../../../src/accounts/store/idempotent-requests.ts'
import { createMcpHandles } from '../../../src/agents/store.ts'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import { deriveKeyring, type SecretKey } from '../../../src/lib/crypto/keyring.ts'
import { sealText } from '../../../src/lib/crypto/seal.ts'
import { createMailQueue } from '../../../src/mail/store/mails.ts'
import { createVendorCallStore } from '../../../src/operator/store/vendor-calls.ts'
import type { Database } from '../../../src/store/database.ts'
import { createWebhookLog } from '../../../src/webhooks/store/log.ts'
import { createWebhookStore } from '../../../src/webhooks/store/webhooks.ts'
import { aBooking, BY_ACCOUNT, START } from '../booking/an-offer.ts'
import { manualClock } from '../time/clock.ts'

const MINUTE = 60_000
const ACCOUNT = { id: 'acc_1', email: 'ana@example.com', name: 'Ana', passwordHash: 'hash', role: 'client' as const }

/** Writes a value into every encrypted column, through the stores of the service. */
export async function writeSealedValues(database: Database, secret: SecretKey): Promise<void> {
  const keys = (purpose: string) => deriveKeyring([secret], purpose)
  await writeBooking(database, keys)
  const accounts = createAccountStore(database)
  await accounts.add({ ...ACCOUNT, createdAt: START, disabledAt: undefined })
  await accounts.setTotp(ACCOUNT.email, sealText(keys('totp'), 'otp1', 'a secret'), 1)
  const requests = createIdempotentRequests(database, keys('idempotency'), manualClock())
  const begun = await requests.begin({ key: 'k', fingerprint: 'f', subject: '' })
  if (typeof begun !== 'object' || !('lease' in begun)) throw new Error('the request has run before')
  await requests.finish('k', begun.lease, { status: 201, headers: {}, body: '{}' })
  const handles = createMcpHandles(database, keys('mcp'), { clock: manualClock(), ids: randomIds })
  await handles.add(ACCOUNT.id, 'off', [{ content: { offer: 1 }, expiresAt: START + MINUTE }])
  await writeWebhook(database, keys)
  await createVendorCallStore(database, keys('vendor-calls')).add([
    {
      ...{ id: 'vcl_1', at: START, vendorId: 'any', class: 'book', operation: 'book', requestId: 'req_1' },
      ...{ bookingId: undefined, method: 'POST', path: '/book', status: 200, fault: undefined, tookMs: 12 },
      ...{ request: '{"a":1}', response: '{"b":2}' },
    },
  ])
}

type Keys = (purpose: string) => ReturnType<typeof deriveKeyring>

/** A confirmed booking with its answer, a mail and a reading. */
async function writeBooking(database: Database, keys: Keys): Promise<void> {
  const queue = createMailQueue(keys('mail'), () => 'send')
  const bookings = createBookingStore(database, keys('persons'), queue)
  const booking = aBooking({ state: 'submitting' })
  const { bookingId, vendorId, reference } = booking
  await bookings.create(booking, { offerId: 'o', idempotencyKey: 'k', fingerprint: 'f' }, START, 0, BY_ACCOUNT)
  await bookings.move(bookingId, 'submitting', 'confirmed', { at: START, by: BY_ACCOUNT, dueAt: null })
  await bookings.keepAnswer(bookingId, { status: 201, body: '{}' })
  await bookings.promptReadings(vendorId, [reference], START)
  const [held] = await bookings.claimReadings(START, MINUTE, { perMinute: 6_000, most: 1 })
  if (held === undefined) throw new Error('no reading is due')
  const said = { state: 'confirmed', vendorReference: 'V1' } as const
  await bookings.finishReading(held, { at: START, outcome: 'same', said })
}

/** A webhook and an attempt to deliver to it. */
async function writeWebhook(database: Database, keys: Keys): Promise<void> {
  const order = { id: 'whk_1', url: 'https://example.com', events: ['booking.confirmed' as const], description: '' }
  await createWebhookStore(database, keys('webhooks')).add(ACCOUNT.id, order, 10, START)
  const task = {
    ...{ kind: 'webhook' as const, subject: 'whk_1 bkg_1', key: '', lease_until: START },
    ...{ attempts: 1, failures: 0, since: START, payload: null },
  }
  const delivery = { webhookId: 'whk_1', bookingId: 'bkg_1', sequence: 1, payload: '', since: START, tries: 1 }
  await createWebhookLog(database, keys('webhooks')).note(
    { ...delivery, task, attempts: 1, target: undefined },
    { at: START, tookMs: 1, status: 200, error: undefined, answer: 'thank you' },
  )
}

const SEALED_VALUE = /^\w{3,8}\.([\w-]{1,16})\.[\w-]{38,}$/

/** Columns with encrypted values, each as `table.column`, and the ids of the secrets that encrypted them. */
export async function findSealedValues(database: Database): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  await database.write(async (tx) => {
    for (const { name: table } of await tx.introspection.getTables()) {
      const { rows } = await sql<Readonly<Record<string, unknown>>>`select * from ${sql.table(table)}`.execute(tx)
      for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
        const [, id] = (typeof value === 'string' && SEALED_VALUE.exec(value)) || []
        const name = `${table}.${column}`
        if (id !== undefined) found.set(name, (found.get(name) ?? new Set()).add(id))
      }
    }
  })
  return found
}
