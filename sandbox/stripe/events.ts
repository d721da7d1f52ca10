import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import type { Clock } from '../../src/lib/time/clock.ts'
import { sendRequest } from '../server/send-request.ts'
import { createRandom } from '../world/hash.ts'
import { API_VERSION } from './objects.ts'

/** Endpoint of the service. With two secrets, every event has two signatures. */
export type WebhookTarget = { readonly url: string; readonly secrets: readonly string[] }

/** Frequencies are shares from 0 to 1. */
export type WebhookSettings = {
  readonly webhookDelayMs: number
  readonly webhookDuplicates: number
  readonly webhookDrops: number
  /** Share that is held until the next one was delivered. */
  readonly webhookReorders: number
  /** 1: events are delivered before the call that caused them is answered. */
  readonly webhookBeforeAnswer: number
  /** 1: events wait for a control call. */
  readonly webhookHold: number
  readonly webhookRetryMs: number
}

export type EventType = Extract<
  Stripe.Event['type'],
  | 'payment_intent.created'
  | 'payment_intent.requires_action'
  | 'payment_intent.amount_capturable_updated'
  | 'payment_intent.payment_failed'
  | 'payment_intent.succeeded'
  | 'payment_intent.canceled'
  | 'charge.expired'
  | 'charge.captured'
  | 'refund.created'
  | 'refund.updated'
  | 'refund.failed'
  | 'charge.dispute.created'
  | 'charge.dispute.closed'
  | 'review.opened'
  | 'review.closed'
  | 'radar.early_fraud_warning.created'
>

/** An event of the API; its object is a copy of that moment. */
export type SandboxEvent = {
  readonly id: string
  readonly object: 'event'
  readonly type: EventType
  readonly api_version: string
  readonly created: number
  readonly livemode: boolean
  readonly pending_webhooks: number
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null }
  readonly data: { readonly object: unknown }
}

const RETRIES = 3

export type Events = ReturnType<typeof createEvents>

/** Events of all changes, delivered to one address. */
export function createEvents({
  clock,
  settings,
  seed,
  createId,
}: {
  readonly clock: Clock
  readonly settings: WebhookSettings
  readonly seed: number
  readonly createId: (prefix: string) => string
}) {
  const all: SandboxEvent[] = []
  const held: SandboxEvent[] = []
  const random = createRandom(seed)
  const sending = new Set<Promise<unknown>>()
  let target: WebhookTarget | undefined

  async function deliver(event: SandboxEvent): Promise<void> {
    if (target === undefined) return
    const body = JSON.stringify(event)
    for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
      const isDelivered = await postSigned(target, body, clock.now())
      if (isDelivered) return
      await wait(settings.webhookRetryMs * (attempt + 1))
    }
  }
  const track = (work: Promise<void>): Promise<void> => {
    const tracked = work.catch(() => undefined).finally(() => sending.delete(tracked))
    sending.add(tracked)
    return tracked
  }
  async function send(event: SandboxEvent): Promise<void> {
    if (random.chance(settings.webhookDrops)) return
    if (settings.webhookDelayMs > 0) await wait(settings.webhookDelayMs)
    await deliver(event)
    if (random.chance(settings.webhookDuplicates)) await deliver(event)
  }

  let late: SandboxEvent | undefined
  const dispatch = (event: SandboxEvent): void => {
    if (target === undefined) return
    if (settings.webhookHold > 0) return void held.push(event)
    if (late === undefined && random.chance(settings.webhookReorders)) {
      late = event
      return
    }
    const earlier = late
    late = undefined
    void track(send(event).then(() => (earlier === undefined ? undefined : send(earlier))))
  }

  return {
    add(type: EventType, object: unknown, key: string | null = null): void {
      const event: SandboxEvent = {
        id: createId('evt'),
        object: 'event',
        type,
        api_version: API_VERSION,
        created: Math.floor(clock.now() / 1_000),
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: key },
        data: { object: structuredClone(object) },
      }
      all.push(event)
      dispatch(event)
    },
    all: (): readonly SandboxEvent[] => all,
    held: (): readonly SandboxEvent[] => held,
    setTarget: (given: WebhookTarget | undefined): void => {
      target = given
    },
    /** Delivers held or earlier events in the given order; an id may be repeated. Returns false for an unknown id. */
    async release(ids: readonly string[]): Promise<boolean> {
      const events = ids.flatMap((id) => all.find((event) => event.id === id) ?? [])
      for (const event of events) {
        const place = held.indexOf(event)
        if (place >= 0) held.splice(place, 1)
        await track(deliver(event))
      }
      return events.length === ids.length
    },
    /** Resolves when everything that is under way was delivered or given up. */
    async settled(): Promise<void> {
      while (sending.size > 0) await Promise.all(sending)
    },
  }
}

/** Signs the body as Stripe does. `at` is epoch milliseconds. */
export function signBody(body: string, secrets: readonly string[], at: number): string {
  const timestamp = Math.floor(at / 1_000)
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
  )
  return [`t=${timestamp}`, ...signatures].join(',')
}

/** Posts one event; `forged` replaces the signature. Returns true if the endpoint accepted it. */
export async function postSigned(
  { url, secrets }: WebhookTarget,
  body: string,
  now: number,
  forged?: string,
): Promise<boolean> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': forged ?? signBody(body, secrets, now),
    'user-agent': 'Stripe/1.0 (sandbox)',
  }
  try {
    const { status } = await sendRequest({ method: 'POST', url, headers, body })
    return status >= 200 && status < 300
  } catch {
    return false
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())
