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

const MOST = 1_000

export type ReplayWebhooks = ReturnType<typeof createReplayWebhooks>

/** Sends events of any account's webhook again. */
export function createReplayWebhooks({ webhooks, log, clock }: Deps) {
  async function refuseOthers(webhookId: string): Promise<void> {
    const found = isWebhookId(webhookId) ? await webhooks.any(webhookId) : undefined
    if (found === undefined) throw new AppError('webhook_not_found', 'There is no such webhook.')
    if (found.isDisabled)
      throw new AppError('webhook_disabled', 'The webhook is switched off; its account has to switch it on first.')
  }
  return {
    /** Everything that was given up or is waiting; returns how many events. */
    async all(webhookId: string): Promise<number> {
      await refuseOthers(webhookId)
      return webhooks.replay(webhookId, clock.now(), MOST)
    },

    async one(webhookId: string, deliveryId: string): Promise<DeliveryRecord> {
      await refuseOthers(webhookId)
      const isThere = await log.replay(webhookId, deliveryId, clock.now())
      const found = isThere ? await log.get(webhookId, deliveryId) : undefined
      if (found === undefined)
        throw new AppError('delivery_not_found', 'There is no such delivery; they are kept for 7 days.')
      return found
    },
  }
}
