import { sleep } from '../../test/support/servers/server-process.ts'
import { createApiClient, type Offer, type ShownTerms } from './api-client.ts'

type Intent = {
  readonly name: string
  readonly key: string
  readonly body: Readonly<Record<string, unknown>>
  readonly shown: ShownTerms
  /** Final answers, in order. */
  readonly answers: { status: number; text: string }[]
  /** Status and code of the last refusal. */
  lastRefusal?: string
}

export type Clients = {
  readonly intents: readonly Intent[]
  /** Number of answers by status, and of lost connections. */
  readonly seen: ReadonlyMap<string, number>
  /** Answers that must never occur. */
  readonly surprises: string[]
  /** Starts no new intents; resolves when the running ones have a final answer. */
  finish(): Promise<void>
  halt(): void
  /** Repeats every intent that has a final answer. */
  replayAll(): Promise<void>
}

type Options = {
  readonly url: string
  readonly token: string
  readonly workers: number
  readonly random: () => number
  /** The next offer; undefined if none is available at the moment. */
  nextOffer(): Offer | undefined
  /** Pays for an offer by card; returns the fields to book with, or undefined if the room cannot be booked any more. */
  pay?(offer: Offer, count: (event: string) => void): Promise<Readonly<Record<string, string>> | undefined>
}

/** Nothing was booked with this key, and that is final. */
const FINAL_CODES = ['sold_out', 'price_changed', 'terms_changed', 'offer_expired', 'payment_expired']
/** The result is unknown: the same request must be repeated. */
const RETRYABLE_CODES = [
  'request_in_progress',
  'vendors_failed',
  'vendor_timeout',
  'overloaded',
  'store_unavailable',
  'payment_required',
  'payments_unavailable',
]
const DECISION_TIMEOUT_MS = 60_000
/** A busy server may refuse a replay, and one that was killed holds its request until the lease ends. */
const REPLAY_TRIES = 60

/**
 * Clients that book and repeat the request with the same key and body after a lost connection. Requests that must be
 * repeated are queued, so that there are always new bookings for the next crash.
 */
export function startClients(options: Options): Clients {
  const { random } = options
  const client = createApiClient(options.url, options.token)
  const intents: Intent[] = []
  const queued: Intent[] = []
  const seen = new Map<string, number>()
  const surprises: string[] = []
  const count = (event: string) => seen.set(event, (seen.get(event) ?? 0) + 1)
  let open = true
  let halted = false

  async function waitForServer(): Promise<void> {
    while (!halted) {
      const up = await fetch(`${options.url}/healthz`).catch(() => undefined)
      await up?.arrayBuffer()
      if (up?.ok === true) return
      await sleep(60 + 60 * random())
    }
  }

  async function send(intent: Intent): Promise<'decided' | 'refused' | 'repeat'> {
    const answer = await client.book(intent.body, intent.key).catch(() => undefined)
    count(String(answer?.status ?? 'broken'))
    if (answer === undefined) {
      await waitForServer()
      return 'repeat'
    }
    const { code = '', booking_id } = JSON.parse(answer.text) as { code?: string; booking_id?: string }
    if (answer.status < 300 || booking_id !== undefined) {
      intent.answers.push({ status: answer.status, text: answer.text })
      return 'decided'
    }
    intent.lastRefusal = `${answer.status} ${code}`
    if (RETRYABLE_CODES.includes(code)) return 'repeat'
    if (!FINAL_CODES.includes(code)) surprises.push(`${intent.name}: ${answer.status} ${answer.text.slice(0, 300)}`)
    return 'refused'
  }

  /** Queues a request that must be repeated. Returns true if the intent has a final answer. */
  async function attempt(intent: Intent): Promise<boolean> {
    const outcome = await send(intent)
    if (outcome === 'repeat') queued.push(intent)
    return outcome === 'decided'
  }

  async function replay(intent: Intent): ReturnType<typeof send> {
    for (let tries = 0; tries < REPLAY_TRIES; tries += 1) {
      const outcome = await send(intent)
      if (outcome !== 'repeat') return outcome
      await sleep(500)
    }
    return 'repeat'
  }

  /** Sent once: the service must settle a lost cancellation. */
  async function cancel(intent: Intent): Promise<void> {
    const { data } = JSON.parse(intent.answers[0]?.text ?? '{}') as { data?: { booking_id: string } }
    if (data === undefined) return
    const answer = await client.cancel(data.booking_id).catch(() => undefined)
    count(`cancel ${answer?.status ?? 'broken'}`)
  }

  async function bookNew(): Promise<void> {
    while (open) {
      const offer = options.nextOffer()
      if (offer === undefined) {
        await sleep(50)
        continue
      }
      const info = options.pay === undefined ? offer.info : await options.pay(offer, count)
      if (info === undefined) continue
      const intent = newIntent(intents.length, { ...offer, info })
      intents.push(intent)
      if (!(await attempt(intent))) continue
      if (random() < 0.25) await attempt(intent)
      if (random() < 0.2) await cancel(intent)
    }
  }

  async function repeat(): Promise<void> {
    for (let until = Number.POSITIVE_INFINITY; !halted && (open || queued.length > 0); ) {
      if (!open && until === Number.POSITIVE_INFINITY) until = performance.now() + DECISION_TIMEOUT_MS
      if (performance.now() > until) break
      const intent = queued.shift()
      if (intent !== undefined) await attempt(intent)
      await sleep(20 + 60 * random())
    }
  }
  const running = [...Array.from({ length: options.workers }, bookNew), repeat(), repeat(), repeat(), repeat()]

  return {
    intents,
    seen,
    surprises,
    async finish() {
      open = false
      await Promise.all(running)
      surprises.push(...queued.map(({ name }) => `${name}: not decided after ${DECISION_TIMEOUT_MS / 1000} s`))
    },
    halt() {
      open = false
      halted = true
    },
    async replayAll() {
      const decided = intents.filter(({ answers }) => answers.length > 0)
      const replayDecided = async () => {
        for (let intent = decided.pop(); intent !== undefined; intent = decided.pop()) {
          const outcome = await replay(intent)
          // A pending booking that was never sent is rejected and frees its key, so the replay is a new attempt.
          const wasPending = intent.answers.every(({ status }) => status === 202)
          if (outcome !== 'decided' && !(outcome === 'refused' && wasPending))
            surprises.push(
              `${intent.name}: was decided before, but not on replay (${intent.lastRefusal ?? 'no answer'})`,
            )
        }
      }
      await Promise.all(Array.from({ length: 4 }, replayDecided))
    },
  }
}

function newIntent(number: number, offer: Offer): Intent {
  const name = `Q${letters(number)}`
  const guest = { given_name: 'Crash', family_name: name, email: 'guest@example.com', phone: '+41791234567' }
  return {
    name,
    key: `crash-${name}`,
    shown: offer.shown,
    body: { ...offer.info, guests: [guest], client_reference: name, accept_price_up_to: 1_000_000 },
    answers: [],
  }
}

/** Vendors require names of letters: 0 is a, 26 is ba. */
export const letters = (number: number): string =>
  [...number.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')
