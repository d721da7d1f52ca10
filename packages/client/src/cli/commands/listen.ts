import { WEBHOOK_EVENTS } from '../../generated/operations.ts'
import { SeraiError } from '../../serai-error.ts'
import { signWebhook } from '../../verify-webhook.ts'
import { type Command, numberOf, read } from '../command.ts'
import { EXIT, UsageError } from '../exit-codes.ts'
import { paint, say } from '../output.ts'
import { openClient } from '../session.ts'
import { type Message, watchBookings } from '../watch-bookings.ts'

export const listen: Command = {
  summary: 'forward webhooks to an address on this machine',
  usage: `Usage: serai-api listen --to URL [--events NAMES] [--secret whsec_…] [--interval SECONDS]

Asks the service every few seconds what has happened to your bookings and posts the webhook messages for it to URL, signed
as the service signs them. No webhook is registered and nothing has to reach this machine, so it works behind any router.
For development: what happens while it does not run is not sent later, and nothing is repeated.

  --to URL            such as http://localhost:3000/webhooks
  --events NAMES      only these, such as booking.confirmed,booking.cancelled; all when absent
  --secret SECRET     what your receiver verifies with; SERAI_WEBHOOK_SECRET, or a new one that is printed, when absent
  --interval SECONDS  2 when absent
  --count N           end after so many messages`,
  options: ['--to', '--events', '--secret', '--interval', '--count'],
  async run(args) {
    const text = { type: 'string' } as const
    const options = { to: text, events: text, secret: text, interval: text, count: text } as const
    const { values } = read(args, options, { min: 0, max: 0 })
    const to = URL.parse(values.to ?? '')
    if (to === null || !/^https?:$/.test(to.protocol)) throw new UsageError('--to must be an address with http.')
    const wanted = namesOf(values.events)
    const intervalMs = Math.max(1, numberOf('interval', values.interval, 2)) * 1000
    const given = values.secret ?? process.env.SERAI_WEBHOOK_SECRET
    const secret = given ?? newSecret()
    await signWebhook(secret, 'evt_check', 0, '')
    const look = await watchBookings(openClient())
    say(`Ready. Messages are posted to ${to.href}.${given === undefined ? ` Verify them with ${secret}` : ''}`)
    let left = numberOf('count', values.count, Number.POSITIVE_INFINITY)
    while (left > 0) {
      const messages = await look().catch(saidLater)
      for (const message of messages.filter(({ body }) => wanted.includes(body.type)).slice(0, left)) {
        await forward(to, secret, message, values.json === true)
        left -= 1
      }
      if (left > 0) await new Promise((later) => setTimeout(later, intervalMs))
    }
    return EXIT.done
  },
}

/** A service that restarts is no reason to stop listening: the next look finds what was missed. */
function saidLater(error: unknown): Message[] {
  if (!(error instanceof SeraiError) || !error.retryable) throw error
  say(`${error.message} Asking again.`)
  return []
}

function namesOf(list: string | undefined): readonly string[] {
  const names = list?.split(',') ?? WEBHOOK_EVENTS
  const unknown = names.find((name) => !WEBHOOK_EVENTS.some((event) => event === name))
  if (unknown !== undefined)
    throw new UsageError(`There is no event ${unknown}; there are ${WEBHOOK_EVENTS.join(', ')}.`)
  return names
}

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`
}

const RECEIVER_MS = 10_000

async function forward(to: URL, secret: string, { id, body }: Message, isJson: boolean): Promise<void> {
  const text = JSON.stringify(body)
  const at = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': await signWebhook(secret, id, at, text),
  }
  const request = { method: 'POST', headers, body: text, redirect: 'manual', signal: AbortSignal.timeout(RECEIVER_MS) }
  const answer = await fetch(to, request as RequestInit).then(
    async (response) => {
      await response.body?.cancel()
      return response.status
    },
    () => undefined,
  )
  if (isJson) console.log(JSON.stringify({ id, status: answer ?? null, body }))
  else {
    const isTaken = answer !== undefined && answer >= 200 && answer < 300
    const line = `${body.type}  ${body.data.booking_id}  ${id}  → ${answer ?? 'no answer'}`
    console.log(paint(isTaken ? 'green' : 'red', line))
  }
}
