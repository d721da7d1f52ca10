import { deriveKeyring } from '../lib/crypto/keyring.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import { createDeliverWebhooks } from '../webhooks/deliver-webhooks.ts'
import { createListEvents } from '../webhooks/event-list.ts'
import { createManageDeliveries } from '../webhooks/manage-deliveries.ts'
import { createManageWebhooks } from '../webhooks/manage-webhooks.ts'
import { addWebhookMetrics } from '../webhooks/metrics.ts'
import { testPayload } from '../webhooks/present.ts'
import { createWebhookDeliveryStore } from '../webhooks/store/deliveries.ts'
import { createEventStore } from '../webhooks/store/events.ts'
import { createWebhookLog } from '../webhooks/store/log.ts'
import { createWebhookStore } from '../webhooks/store/webhooks.ts'
import { createWebhookSender } from '../webhooks/webhook-sender.ts'
import type { Core } from './core.ts'

const KEPT_MS = 7 * DAY_MS

export function composeWebhooks({ config, clock, ids, log, registry, database }: Core, isDraining: () => boolean) {
  const keys = deriveKeyring(config.secrets, 'webhooks')
  const sender = createWebhookSender({ allowPrivateTargets: config.allowPrivateWebhookTargets })
  const sent = createWebhookLog(database, keys)
  const events = createEventStore(database)
  const webhooks = createWebhookStore(database, keys)
  const manageWebhooks = createManageWebhooks({ webhooks, checkTarget: sender.checkTarget, clock, ids })
  const deliveries = createWebhookDeliveryStore(database, keys)
  const metrics = addWebhookMetrics(registry)
  const worker = createDeliverWebhooks({
    deliveries,
    log: sent,
    sender,
    clock,
    isDraining,
    onReport: (report) => {
      metrics.onReport(report)
      log.debug(report, 'webhook delivery')
    },
    onBug: (error) => log.error({ err: error }, 'unexpected error while delivering a webhook'),
  })
  return {
    deliveryLog: sent,
    manageWebhooks,
    listEvents: createListEvents(events),
    manageDeliveries: createManageDeliveries({ webhooks: manageWebhooks, log: sent, testPayload, clock, ids }),
    deliver: worker.runAll,
    job: worker.runBriefly,
    /** Deletes a batch of old deliveries and events; returns their number. */
    deleteOld: async () => (await deliveries.deleteOld(clock.now() - KEPT_MS)) + (await events.deleteOld(clock.now())),
    async close() {
      await worker.drain()
      await sender.close()
    },
  }
}
