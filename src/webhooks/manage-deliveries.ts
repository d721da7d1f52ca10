import { AppError } from '../domain/errors.ts'
import { DELIVERY_STATUSES, type DeliveryRecord, type Webhook } from '../domain/webhook.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql/run.ts'
import type { Charge } from '../lists/work.ts'
import type { ManageWebhooks } from './manage-webhooks.ts'
import type { WebhookLog } from './store/log.ts'

export const DELIVERY_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    booking_id: { type: 'string', filterable: true, nullable: false },
    status: { type: 'enum', values: DELIVERY_STATUSES, sortable: true, filterable: true, nullable: false },
    created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

type Deps = {
  readonly webhooks: Pick<ManageWebhooks, 'show'>
  readonly log: WebhookLog
  readonly clock: Clock
  readonly ids: Ids
  testPayload(webhookId: string, at: number): string
}

export type ManageDeliveries = ReturnType<typeof createManageDeliveries>

/** Deliveries to the caller's own webhooks. */
export function createManageDeliveries({ webhooks, log, clock, ids, testPayload }: Deps) {
  const show = async (accountId: string, id: string, deliveryId: string): Promise<DeliveryRecord> => {
    await webhooks.show(accountId, id)
    const found = await log.get(id, deliveryId)
    if (found === undefined) throw noSuchDelivery()
    return found
  }

  return {
    show,

    async list(accountId: string, id: string, plan: ListPlan, charge: Charge): Promise<ListPage<DeliveryRecord>> {
      await webhooks.show(accountId, id)
      const page = await runOnSql(plan, log.listing(id), charge)
      return { ...page, data: await log.records(page.data) }
    },

    /** Queues a test event, which is tried only once. */
    async sendTest(accountId: string, id: string): Promise<DeliveryRecord> {
      refuseDisabled(await webhooks.show(accountId, id))
      const now = clock.now()
      const deliveryId = await log.addTest(id, ids.prefixed('t').replace(/^t_/, ''), testPayload(id, now), now)
      return show(accountId, id, deliveryId ?? '')
    },

    async replay(accountId: string, id: string, deliveryId: string): Promise<DeliveryRecord> {
      refuseDisabled(await webhooks.show(accountId, id))
      if (!(await log.replay(id, deliveryId, clock.now()))) throw noSuchDelivery()
      return show(accountId, id, deliveryId)
    },
  }
}

function refuseDisabled({ status }: Webhook): void {
  if (status !== 'disabled') return
  throw new AppError('webhook_disabled', 'This webhook is disabled. Update it with "enabled": true first.')
}

const noSuchDelivery = () =>
  new AppError(
    'delivery_not_found',
    'There is no such delivery. Deliveries are kept for 7 days and listed under the webhook.',
  )
