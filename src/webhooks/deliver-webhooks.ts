import { Webhook } from 'standardwebhooks'
import { buildMessageId, isTestSubject, RETRY_FOR_MS, retryWaitMs } from '../domain/webhook.ts'
import { createWorker, type Worker } from '../lib/async/worker.ts'
import { type Clock, monotonicMs } from '../lib/time/clock.ts'
import { traceHeaders } from '../lib/trace.ts'
import type { Delivery, WebhookDeliveryStore } from './store/deliveries.ts'
import type { WebhookLog } from './store/log.ts'
import type { SendOutcome, WebhookSender } from './webhook-sender.ts'

/** Result of one attempt. Safe to log: contains neither URL nor payload. */
export type DeliveryReport = {
  readonly webhookId: string
  readonly bookingId: string
  readonly sequence: number
  readonly attempt: number
  readonly result: 'delivered' | 'retry' | 'given_up' | 'disabled'
  readonly status: number | undefined
  readonly why: string | undefined
}

type DeliverDeps = {
  readonly deliveries: WebhookDeliveryStore
  readonly log: Pick<WebhookLog, 'note'>
  readonly sender: Pick<WebhookSender, 'send'>
  readonly clock: Clock
  readonly random?: () => number
  /** True during shutdown: running deliveries finish, and no new ones start. */
  isDraining(): boolean
  onReport?(report: DeliveryReport): void
  onBug(error: unknown, delivery: Delivery): void
}

const LIMITS = { most: 16, mostPerWebhook: 4, mostPerAccount: 6 }
/** Well above the timeout of ten seconds, so that only a dead process loses its lease. */
const LEASE_MS = 30_000

/** Sends due deliveries; any number of processes may run it. A bug leaves the delivery to the next lease. */
export const createDeliverWebhooks = (deps: DeliverDeps): Worker =>
  createWorker<Delivery>({
    name: 'webhook',
    claim: (running) =>
      deps.deliveries.claimDue({
        ...LIMITS,
        most: LIMITS.most - running.length,
        now: deps.clock.now(),
        leaseMs: LEASE_MS,
        running,
      }),
    work: (delivery) => deliverOne(deps, delivery),
    onBug: deps.onBug,
    isDraining: deps.isDraining,
  })

async function deliverOne(deps: DeliverDeps, delivery: Delivery): Promise<undefined> {
  const at = deps.clock.now()
  const startedAt = monotonicMs()
  const outcome = await attempt(deps, delivery)
  const isAnswer = outcome.status !== undefined
  await deps.log.note(delivery, {
    at,
    tookMs: Math.round(monotonicMs() - startedAt),
    status: outcome.status,
    error: isAnswer ? undefined : outcome.why,
    answer: isAnswer ? (outcome.text ?? '') : '',
  })
  const result = await record(deps, delivery, outcome)
  deps.onReport?.({
    webhookId: delivery.webhookId,
    bookingId: delivery.bookingId,
    sequence: delivery.sequence,
    attempt: delivery.attempts,
    result,
    status: outcome.status,
    why: outcome.status === undefined ? outcome.why : undefined,
  })
}

type Attempt = SendOutcome | { readonly status: undefined; readonly why: 'unreadable' }

async function attempt({ sender, clock }: DeliverDeps, delivery: Delivery): Promise<Attempt> {
  const { target, payload } = delivery
  if (target === undefined) return { status: undefined, why: 'unreadable' }
  const id = buildMessageId(delivery.bookingId, delivery.sequence)
  const at = new Date(clock.now())
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'serai-webhooks/1',
    ...traceHeaders(),
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': target.secrets.map((secret) => new Webhook(secret).sign(id, at, payload)).join(' '),
  }
  return sender.send(target.url, headers, payload)
}

async function record(deps: DeliverDeps, delivery: Delivery, { status }: Attempt): Promise<DeliveryReport['result']> {
  const now = deps.clock.now()
  if (status !== undefined && status >= 200 && status < 300) {
    await deps.deliveries.delivered(delivery)
    return 'delivered'
  }
  if (status === 410 && (await deps.deliveries.disable(delivery, now))) return 'disabled'
  const dueAt = now + retryWaitMs(delivery.tries, deps.random ?? Math.random)
  const isLast = dueAt > delivery.since + RETRY_FOR_MS || isTestSubject(delivery.bookingId)
  if (delivery.target === undefined || isLast) {
    await deps.deliveries.giveUp(delivery, now)
    return 'given_up'
  }
  await deps.deliveries.postpone(delivery, dueAt, now)
  return 'retry'
}
