import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Fault } from '../../sandbox/server/faults.ts'
import type { SandboxPayments } from '../../sandbox/start-sandbox.ts'
import { openConfigured } from '../../src/compose/database.ts'
import { readConfig } from '../../src/config.ts'
import { utcDay } from '../../src/domain/money/budget.ts'
import { DAY_MS } from '../../src/lib/time/durations.ts'
import { sleep } from '../../test/support/servers/server-process.ts'
import type { ApiClient, Offer } from './api-client.ts'
import type { PaymentRow } from './compare-payments.ts'

type Environment = Readonly<Record<string, string>>

const CARD = '4242424242424242'
const GIVE_UP_MS = 120_000
/** The room cannot be booked any more. */
const REFUSED_CODES = ['sold_out', 'price_changed', 'terms_changed', 'offer_expired', 'offer_used']

/** Failures of the provider. Calls that never end would only slow the loop down. */
const PAYMENT_FAULTS: readonly Fault[] = [
  ...['create', 'capture', 'cancel', 'refund'].flatMap((operation): Fault[] => [
    { kind: 'error_before', operation, share: 0.05 },
    { kind: 'error_after', operation, share: 0.05 },
    { kind: 'reset_before', operation, share: 0.05 },
    { kind: 'reset_after', operation, share: 0.1 },
    { kind: 'truncate', operation, share: 0.05 },
    { kind: 'late_effect', operation, share: 0.05, ms: 1_500 },
    { kind: 'key_in_use', operation, share: 0.05 },
    { kind: 'latency', operation, share: 0.5, ms: 100 },
  ]),
  { kind: 'error_before', operation: 'retrieve', share: 0.05 },
]

/** Makes the loop's account pay by card, and connects the stand-in's webhooks to the server. */
export async function openCards(env: Environment, { control, environment }: SandboxPayments, port: number) {
  const database = openConfigured(readConfig(env))
  try {
    await database.write(async (tx) => {
      await tx.updateTable('accounts').set({ payment: 'card' }).execute()
    })
  } finally {
    await database.close()
  }
  const url = `http://127.0.0.1:${port}/api/payments/providers/stripe/notifications`
  await control.setWebhook({ url, secrets: [environment.SERAI_STRIPE_WEBHOOK_SECRETS ?? ''] })
}

export async function disturbPayments({ control }: SandboxPayments): Promise<void> {
  await control.addFaults(...PAYMENT_FAULTS)
  await control.change({ webhookDrops: 0.3, webhookDuplicates: 0.3, webhookReorders: 0.3 })
}

/** Body of the booking, with its authorised payment; undefined if the room cannot be booked any more. */
export async function payForOffer(
  client: ApiClient,
  { control }: SandboxPayments,
  { info }: Offer,
  count: (event: string) => void,
): Promise<Readonly<Record<string, string>> | undefined> {
  for (const until = performance.now() + GIVE_UP_MS; performance.now() < until; ) {
    const answer = await client.ask('POST', '/api/payments', info).catch(() => undefined)
    const { data, code = '' } = readAnswer(answer?.text)
    count(`pay ${data === undefined ? code || 'broken' : answer?.status}`)
    if (data !== undefined) {
      const reference = data.next?.client_secret?.split('_secret_')[0]
      if (reference !== undefined) count(`card ${await control.confirm(reference, CARD)}`)
      return { ...info, payment_id: data.payment_id }
    }
    if (REFUSED_CODES.includes(code)) return undefined
    await sleep(answer === undefined ? 500 : 200)
  }
  return undefined
}

type Created = { readonly payment_id: string; readonly next?: { readonly client_secret?: string } | null }

function readAnswer(text: string | undefined): { readonly data?: Created; readonly code?: string } {
  try {
    return JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
}

const MOVING = ['creating', 'held', 'capturing', 'refunding', 'voiding']
const REST_WITHIN_MS = 90_000

/** Payments with their bookings, once the job has nothing more to do. */
export async function waitUntilPaid(env: Environment): Promise<PaymentRow[]> {
  const database = openConfigured(readConfig(env))
  const until = performance.now() + REST_WITHIN_MS
  try {
    for (;;) {
      const rows = await database.read
        .selectFrom('payments')
        .leftJoin('bookings', 'bookings.booking_id', 'payments.booking_id')
        .selectAll('payments')
        .select(['bookings.state as booking_state'])
        .execute()
      const isResting = !rows.some(({ state }) => MOVING.includes(state))
      if (isResting || performance.now() > until) return rows
      await sleep(500)
    }
  } finally {
    await database.close()
  }
}

/** Output of `serai payments reconcile`, which prints nothing if every payment agrees with the provider. */
export function reconcileByCommand(env: Environment, now: number): string {
  const serai = join(import.meta.dirname, '../../src/cli/serai.ts')
  const args = [serai, 'payments', 'reconcile', '--from', utcDay(now - DAY_MS)]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'development', NODE_NO_WARNINGS: '1', ...env },
    encoding: 'utf8',
    timeout: 60_000,
  })
  return status === 0 ? stdout.trim() : `${stdout}${stderr} (exit code ${status})`
}
