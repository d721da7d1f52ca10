import { sleep } from '../../test/support/servers/server-process.ts'
import { createApiClient, type Offer } from '../crash/api-client.ts'
import { letters } from '../crash/clients.ts'
import type { IntentHistory } from '../crash/compare-bookings.ts'

export type Intent = IntentHistory & {
  readonly body: unknown
  readonly answers: { status: number; text: string }[]
}

type Bookers = {
  readonly intents: readonly Intent[]
  /** Number of answers by status and code. */
  readonly seen: Readonly<Record<string, number>>
  /** Answers that an outage does not explain. */
  readonly surprises: readonly string[]
  /** Waits until all clients have finished their current booking. */
  finish(): Promise<void>
  /** Sends an intent again, with the same key and body, until it has a final answer. */
  repeat(intent: Intent): Promise<void>
}

type Options = {
  readonly url: string
  readonly token: string
  readonly offers: readonly Offer[]
  readonly bookers: number
  /** Distinguishes the guests of several groups of bookers. */
  readonly prefix?: string
}

/** Codes that ask the client to retry, which an outage may cause. */
const RETRYABLE_CODES = [
  'request_in_progress',
  'vendors_failed',
  'vendor_timeout',
  'overloaded',
  'store_unavailable',
  'bad_gateway',
  'no_backend',
]
/** Nothing was booked, and that is final. */
const FINAL_CODES = ['price_changed', 'terms_changed', 'sold_out', 'offer_expired']
const DECISION_TIMEOUT_MS = 60_000

/**
 * Clients that book one offer after another and repeat each request, with the same key and body, until it has a final
 * answer.
 */
export function startBookers({ url, token, offers, bookers, prefix = 'N' }: Options): Bookers {
  const client = createApiClient(url, token)
  const stock = [...offers]
  const intents: Intent[] = []
  const seen: Record<string, number> = {}
  const surprises: string[] = []
  let open = true

  async function bookUntilDecided(intent: Intent): Promise<void> {
    const until = performance.now() + DECISION_TIMEOUT_MS
    while (performance.now() < until) {
      const answer = await client.book(intent.body, intent.name).catch(() => undefined)
      const { code = '', booking_id } = JSON.parse(answer?.text ?? '{}') as { code?: string; booking_id?: string }
      const event = answer === undefined ? 'broken' : `${answer.status} ${code}`.trim()
      seen[event] = (seen[event] ?? 0) + 1
      if (answer !== undefined && (answer.status < 300 || booking_id !== undefined)) {
        intent.answers.push({ status: answer.status, text: answer.text })
        return
      }
      if (FINAL_CODES.includes(code)) return
      if (answer !== undefined && !RETRYABLE_CODES.includes(code)) {
        surprises.push(`${intent.name}: ${answer.status} ${answer.text.slice(0, 300)}`)
        return
      }
      await sleep(100 + 100 * Math.random())
    }
    surprises.push(`${intent.name}: not decided after ${DECISION_TIMEOUT_MS / 1000} s`)
  }

  async function book(): Promise<void> {
    for (let offer = stock.shift(); open && offer !== undefined; offer = stock.shift()) {
      const name = `${prefix}${letters(intents.length)}`
      const guest = { given_name: 'Node', family_name: name, email: 'guest@example.com', phone: '+41791234567' }
      const body = { ...offer.info, guests: [guest], client_reference: name, accept_price_up_to: 1_000_000 }
      const intent: Intent = { name, body, answers: [] }
      intents.push(intent)
      await bookUntilDecided(intent)
      // A repeated request must get the same answer.
      if (intents.length % 5 === 0 && intent.answers.length > 0) await bookUntilDecided(intent)
      await sleep(60)
    }
  }
  const running = Array.from({ length: bookers }, book)
  return {
    intents,
    seen,
    surprises,
    async finish() {
      open = false
      await Promise.all(running)
    },
    repeat: bookUntilDecided,
  }
}
