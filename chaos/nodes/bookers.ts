import { sleep } from '../../test/support/servers/server-process.ts'
import { createApiClient, type Offer } from '../crash/api-client.ts'
import { letters } from '../crash/clients.ts'
import type { IntentHistory } from '../crash/compare-bookings.ts'

type Intent = IntentHistory & { readonly answers: { status: number; text: string }[] }

type Bookers = {
  readonly intents: readonly Intent[]
  /** Number of answers by status and code. */
  readonly seen: Readonly<Record<string, number>>
  /** Answers that an outage does not explain. */
  readonly surprises: readonly string[]
  /** Waits until all clients have finished their current booking. */
  finish(): Promise<void>
}

type Options = {
  readonly url: string
  readonly token: string
  readonly offers: readonly Offer[]
  readonly bookers: number
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
export function startBookers({ url, token, offers, bookers }: Options): Bookers {
  const client = createApiClient(url, token)
  const stock = [...offers]
  const intents: Intent[] = []
  const seen: Record<string, number> = {}
  const surprises: string[] = []
  let open = true

  async function bookUntilDecided(intent: Intent, body: unknown): Promise<void> {
    const until = performance.now() + DECISION_TIMEOUT_MS
    while (performance.now() < until) {
      const answer = await client.book(body, intent.name).catch(() => undefined)
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
    for (let offer = stock.pop(); open && offer !== undefined; offer = stock.pop()) {
      const intent: Intent = { name: `N${letters(intents.length)}`, answers: [] }
      intents.push(intent)
      const guest = { given_name: 'Node', family_name: intent.name, email: 'guest@example.com', phone: '+41791234567' }
      const body = { ...offer.info, guests: [guest], client_reference: intent.name, accept_price_up_to: 1_000_000 }
      await bookUntilDecided(intent, body)
      // A repeated request must get the same answer.
      if (intents.length % 5 === 0 && intent.answers.length > 0) await bookUntilDecided(intent, body)
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
  }
}
