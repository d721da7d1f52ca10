import { WEBHOOK_EVENTS } from '../../generated/operations.ts'
import { SeraiError } from '../../serai-error.ts'
import { signWebhook } from '../../webhooks/verify-webhook.ts'
import { type Command, parseCommand, parseNumberOption } from '../command.ts'
import { EXIT, UsageError } from '../exit-codes.ts'
import { paint, printInfo } from '../output.ts'
import { openClient } from '../session.ts'
import { type Message, watchBookings } from '../watch-bookings.ts'

export const listenCommand: Command = {
  summary: 'forward webhooks to an address on this machine',
  usage: `Usage: serai-api listen --to URL [--events NAMES] [--secret whsec_…] [--interval SECONDS]

Polls the service for changes to your bookings and posts the webhook messages to URL, signed as the service signs them.
No webhook is registered and this machine needs no public address, so it works behind any router.
For development only: events that happen while it is not running are not sent later, and nothing is retried.

  --to URL            your receiver, such as http://localhost:3000/webhooks
  --events NAMES      only these, such as booking.confirmed,booking.cancelled; default: all
  --secret SECRET     secret of your receiver; default: SERAI_WEBHOOK_SECRET, or a new one that is printed
  --interval SECONDS  time between two polls; default 2
  --count N           stop after N messages`,
  options: ['--to', '--events', '--secret', '--interval', '--count'],
  async run(args) {
    const text = { type: 'string' } as const
    const options = { to: text, events: text, secret: text, interval: text, count: text } as const
    const { values } = parseCommand(args, options, { min: 0, max: 0 })
    const to = URL.parse(values.to ?? '')
    if (to === null || !/^https?:$/.test(to.protocol)) throw new UsageError('--to must be an http or https URL.')
    const wanted = parseEventNames(values.events)
    const intervalMs = Math.max(1, parseNumberOption('interval', values.interval, 2)) * 1000
    const givenSecret = values.secret ?? process.env.SERAI_WEBHOOK_SECRET
    const secret = givenSecret ?? createSecret()
    await signWebhook(secret, 'evt_check', 0, '')
    const poll = await watchBookings(openClient())
    printInfo(`Ready. Posting messages to ${to.href}.${givenSecret === undefined ? ` Verify them with ${secret}` : ''}`)
    let left = parseNumberOption('count', values.count, Number.POSITIVE_INFINITY)
    while (left > 0) {
      const messages = await poll().catch(ignoreTransientError)
      for (const message of messages.filter(({ body }) => wanted.includes(body.type)).slice(0, left)) {
        await forwardMessage(to, secret, message, values.json === true)
        left -= 1
      }
      if (left > 0) await new Promise((later) => setTimeout(later, intervalMs))
    }
    return EXIT.done
  },
}

/** A restarting service must not end the command; the next poll finds what was missed. */
function ignoreTransientError(error: unknown): Message[] {
  if (!(error instanceof SeraiError) || !error.retryable) throw error
  printInfo(`${error.message} Retrying.`)
  return []
}

function parseEventNames(list: string | undefined): readonly string[] {
  const names = list?.split(',') ?? WEBHOOK_EVENTS
  const unknown = names.find((name) => !WEBHOOK_EVENTS.some((event) => event === name))
  if (unknown !== undefined)
    throw new UsageError(`Unknown event ${unknown}. Known events: ${WEBHOOK_EVENTS.join(', ')}.`)
  return names
}

function createSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`
}

const RECEIVER_TIMEOUT_MS = 10_000

async function forwardMessage(to: URL, secret: string, { id, body }: Message, isJson: boolean): Promise<void> {
  const text = JSON.stringify(body)
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await signWebhook(secret, id, timestamp, text),
  }
  const request = {
    method: 'POST',
    headers,
    body: text,
    redirect: 'manual',
    signal: AbortSignal.timeout(RECEIVER_TIMEOUT_MS),
  }
  const status = await fetch(to, request as RequestInit).then(
    async (response) => {
      await response.body?.cancel()
      return response.status
    },
    () => undefined,
  )
  if (isJson) console.log(JSON.stringify({ id, status: status ?? null, body }))
  else {
    const isAccepted = status !== undefined && status >= 200 && status < 300
    const line = `${body.type}  ${body.data.booking_id}  ${id}  → ${status ?? 'no response'}`
    console.log(paint(isAccepted ? 'green' : 'red', line))
  }
}
