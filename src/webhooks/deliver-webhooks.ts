import { Webhook } from 'standardwebhooks'
import { isTestSubject, messageIdOf, RETRY_FOR_MS, retryWaitMs } from '../domain/webhook.ts'
import { type Clock, monotonicMs } from '../lib/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../lib/time/durations.ts'
import type { Delivery, WebhookDeliveryStore } from './store/deliveries.ts'
import type { WebhookLog } from './store/log.ts'
import type { SendOutcome, WebhookSender } from './webhook-sender.ts'

/** How one attempt went. Holds neither address nor payload, so it may be logged. */
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
  /** True once the process is ending: what is under way is finished, nothing more is begun. */
  isDraining?(): boolean
  onReport?(report: DeliveryReport): void
  onBug(error: unknown, delivery: Delivery | undefined): void
}

const AT_ONCE = 16
const AT_ONCE_PER_WEBHOOK = 4
const AT_ONCE_PER_ACCOUNT = 6
/** Well above the sender's ten seconds: only a process that is gone loses its lease. */
const LEASE_MS = 30_000
/** While slow receivers are waited for, how often other deliveries are claimed. */
const LOOK_AGAIN_MS = 500
const ROUND_MS = 30_000
const KEEP_MS = 7 * DAY_MS
const CLEAN_EVERY_MS = HOUR_MS

/**
 * Sends what is due until nothing is, or for half a minute; returns how many it tried. Any number of processes may
 * run it at the same time.
 */
export function createDeliverWebhooks(deps: DeliverDeps): () => Promise<number> {
  let cleanAt = 0
  return async function deliverWebhooks() {
    const tried = await deliverRound(deps)
    const now = deps.clock.now()
    if (now >= cleanAt) {
      cleanAt = now + CLEAN_EVERY_MS
      while ((await deps.deliveries.deleteOld(now - KEEP_MS)) > 0);
    }
    return tried
  }
}

async function deliverRound(deps: DeliverDeps): Promise<number> {
  const startedAt = monotonicMs()
  const running = new Map<Promise<void>, Delivery>()
  let tried = 0
  for (;;) {
    const late = deps.isDraining?.() === true || monotonicMs() - startedAt > ROUND_MS
    const busy = [...running.values()]
    const claimed = late || busy.length >= AT_ONCE ? [] : await claimMore(deps, busy)
    for (const delivery of claimed) {
      const done = deliverContained(deps, delivery).finally(() => running.delete(done))
      running.set(done, delivery)
    }
    tried += claimed.length
    // Deliveries that were running during the claim may have made room for more, so one more claim is made.
    if (running.size === 0 && (late || busy.length === 0)) return tried
    if (claimed.length === 0 && running.size > 0) await firstOf(running.keys())
  }
}

/** A slow receiver only uses its own share of the capacity, and so do all receivers of one account together. */
function claimMore(deps: DeliverDeps, busy: readonly Delivery[]): Promise<Delivery[]> {
  return deps.deliveries.claimDue({
    now: deps.clock.now(),
    leaseMs: LEASE_MS,
    most: AT_ONCE - busy.length,
    mostPerWebhook: AT_ONCE_PER_WEBHOOK,
    mostPerAccount: AT_ONCE_PER_ACCOUNT,
    busy: countBy(busy, ({ webhookId }) => webhookId),
    busyAccounts: countBy(busy, ({ accountId }) => accountId),
  })
}

const countBy = (deliveries: readonly Delivery[], idOf: (delivery: Delivery) => string): Map<string, number> =>
  new Map([...Map.groupBy(deliveries, idOf)].map(([id, all]) => [id, all.length]))

async function firstOf(running: Iterable<Promise<void>>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, LOOK_AGAIN_MS)
  await Promise.race([promise, ...running])
  clearTimeout(timer)
}

/** One delivery's bug must not hold up the others; its lease runs out and it is tried again. */
async function deliverContained(deps: DeliverDeps, delivery: Delivery): Promise<void> {
  try {
    await deliverOne(deps, delivery)
  } catch (error) {
    deps.onBug(error, delivery)
  }
}

async function deliverOne(deps: DeliverDeps, delivery: Delivery): Promise<void> {
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
  const id = messageIdOf(delivery.bookingId, delivery.sequence)
  const at = new Date(clock.now())
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'serai-webhooks/1',
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
