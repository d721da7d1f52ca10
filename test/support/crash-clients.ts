import { createTraveller, type Offer } from './crash-traveller.ts'
import { sleep } from './server-process.ts'

export type Intent = {
  readonly name: string
  readonly key: string
  readonly body: Readonly<Record<string, unknown>>
  /** Answers that decided it, in the order they came. */
  readonly answers: { status: number; text: string }[]
}

export type Clients = {
  readonly intents: readonly Intent[]
  /** Answers by status, and connections that broke, for the report. */
  readonly seen: ReadonlyMap<string, number>
  /** Answers nobody should ever get. */
  readonly surprises: string[]
  /** No new intents from here on; resolves when those under way are decided. */
  finish(): Promise<void>
  /** Everybody goes home, decided or not. */
  halt(): void
  /** Asks again for every intent that was decided, one last time. */
  replayAll(): Promise<void>
}

type Options = {
  readonly url: string
  readonly token: string
  readonly workers: number
  readonly random: () => number
  /** The next offer; undefined when there is none for now. */
  nextOffer(): Offer | undefined
}

/** Nothing was booked under this key, and trying again would not change that. */
const CLOSED = ['sold_out', 'price_changed', 'offer_expired']
/** Nothing was booked yet, or nobody knows: the same request again will tell. */
const AGAIN = ['request_in_progress', 'vendors_failed', 'vendor_timeout']
const PATIENCE_MS = 60_000

/**
 * People who book, lose the connection, and insist as clients do: the same key and the same body again. Whoever has to
 * wait is put aside meanwhile, so that there are always fresh bookings for the next crash.
 */
export function startClients(options: Options): Clients {
  const { random } = options
  const traveller = createTraveller(options.url, options.token)
  const intents: Intent[] = []
  const aside: Intent[] = []
  const seen = new Map<string, number>()
  const surprises: string[] = []
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  let open = true
  let halted = false

  /** While there is no server there is nothing to try. */
  async function upAgain(): Promise<void> {
    while (!halted) {
      const up = await fetch(`${options.url}/healthz`).catch(() => undefined)
      await up?.arrayBuffer()
      if (up?.ok === true) return
      await sleep(60 + 60 * random())
    }
  }

  /** One request. True when the intent is decided, by this or by an earlier answer. */
  async function attempt(intent: Intent): Promise<boolean> {
    const answer = await traveller.book(intent.body, intent.key).catch(() => undefined)
    count(String(answer?.status ?? 'broken'))
    if (answer === undefined) {
      aside.push(intent)
      await upAgain()
      return false
    }
    const { code = '', booking_id } = JSON.parse(answer.text) as { code?: string; booking_id?: string }
    if (answer.status < 300 || (answer.status === 409 && booking_id !== undefined)) {
      intent.answers.push({ status: answer.status, text: answer.text })
      return true
    }
    if (AGAIN.includes(code)) aside.push(intent)
    else if (!CLOSED.includes(code)) surprises.push(`${intent.name}: ${answer.status} ${answer.text.slice(0, 300)}`)
    return false
  }

  /** Once, without insisting: a cancellation that got lost must settle by itself. */
  async function cancel(intent: Intent): Promise<void> {
    const { data } = JSON.parse(intent.answers[0]?.text ?? '{}') as { data?: { booking_id: string } }
    if (data === undefined) return
    const answer = await traveller.cancel(data.booking_id).catch(() => undefined)
    count(`cancel ${answer?.status ?? 'broken'}`)
  }

  async function bookNew(): Promise<void> {
    while (open) {
      const offer = options.nextOffer()
      if (offer === undefined) {
        await sleep(50)
        continue
      }
      const intent = newIntent(intents.length, offer)
      intents.push(intent)
      if (!(await attempt(intent))) continue
      if (random() < 0.25) await attempt(intent)
      if (random() < 0.2) await cancel(intent)
    }
  }

  async function insist(): Promise<void> {
    for (let until = Number.POSITIVE_INFINITY; !halted && (open || aside.length > 0); ) {
      if (!open && until === Number.POSITIVE_INFINITY) until = performance.now() + PATIENCE_MS
      if (performance.now() > until) break
      const intent = aside.shift()
      if (intent !== undefined) await attempt(intent)
      await sleep(20 + 60 * random())
    }
  }
  const running = [...Array.from({ length: options.workers }, bookNew), insist(), insist(), insist(), insist()]

  return {
    intents,
    seen,
    surprises,
    async finish() {
      open = false
      await Promise.all(running)
      surprises.push(...aside.map(({ name }) => `${name}: not decided after ${PATIENCE_MS / 1000} s`))
    },
    halt() {
      open = false
      halted = true
    },
    async replayAll() {
      const decided = intents.filter(({ answers }) => answers.length > 0)
      const replay = async () => {
        for (let intent = decided.pop(); intent !== undefined; intent = decided.pop()) {
          if (!(await attempt(intent))) surprises.push(`${intent.name}: decided before, and now not`)
        }
      }
      await Promise.all(Array.from({ length: 4 }, replay))
    },
  }
}

function newIntent(number: number, offer: Offer): Intent {
  const name = `Q${letters(number)}`
  const guest = { given_name: 'Crash', family_name: name, email: 'guest@example.com', phone: '+41791234567' }
  return {
    name,
    key: `crash-${name}`,
    body: { ...offer.info, guests: [guest], client_reference: name, accept_price_up_to: 1_000_000 },
    answers: [],
  }
}

/** Names are of letters: 0 is a, 26 is ba. */
const letters = (number: number): string =>
  [...number.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')
