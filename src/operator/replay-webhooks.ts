import { AppError } from '../domain/errors.ts'
import type { DeliveryRecord } from '../domain/webhook.ts'
import type { Clock } from '../lib/time/clock.ts'
import { isWebhookId } from '../webhooks/manage-webhooks.ts'
import type { FailingWebhookStore } from '../webhooks/store/failing.ts'
import type { WebhookLog } from '../webhooks/store/log.ts'

type Deps = {
  readonly webhooks: Pick<FailingWebhookStore, 'any' | 'replay'>
  readonly log: Pick<WebhookLog, 'get' | 'replay'>
  readonly clock: Clock
}

const EVENTS_MAX = 1_000

export type ReplayWebhooks = ReturnType<typeof createReplayWebhooks>

/** Resends events of any account's webhook. */
export function createReplayWebhooks({ webhooks, log, clock }: Deps) {
  async function requireEnabled(webhookId: string): Promise<void> {
    const found = isWebhookId(webhookId) ? await webhooks.any(webhookId) : undefined
    if (found === undefined) throw new AppError('webhook_not_found', 'There is no such webhook.')
    if (found.isDisabled)
      throw new AppError('webhook_disabled', 'The webhook is disabled; its account must enable it first.')
  }
  return {
    /** Resends failed and pending events. Returns their number. */
    async replayAll(webhookId: string): Promise<number> {
      await requireEnabled(webhookId)
      return webhooks.replay(webhookId, clock.now(), EVENTS_MAX)
    },

    async replayDelivery(webhookId: string, deliveryId: string): Promise<DeliveryRecord> {
      await requireEnabled(webhookId)
      const isQueued = await log.replay(webhookId, deliveryId, clock.now())
      const found = isQueued ? await log.get(webhookId, deliveryId) : undefined
      if (found === undefined)
        throw new AppError('delivery_not_found', 'There is no such delivery. Deliveries are kept for 7 days.')
      return found
    },
  }
}
