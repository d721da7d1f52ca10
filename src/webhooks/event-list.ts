import type { BookingOwner } from '../domain/access.ts'
import { type StoredEvent, WEBHOOK_EVENTS } from '../domain/webhook.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql/run.ts'
import type { Charge } from '../lists/work.ts'
import type { EventStore } from './store/events.ts'

export const EVENT_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    type: { type: 'enum', values: WEBHOOK_EVENTS, filterable: true, nullable: false },
    object_id: { type: 'string', filterable: true, nullable: false },
    simulated: { type: 'boolean', filterable: true, nullable: false },
    created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

export const createListEvents =
  (events: Pick<EventStore, 'listing'>) =>
  async (owner: BookingOwner, plan: ListPlan, charge: Charge): Promise<ListPage<StoredEvent>> => {
    const { data, meta } = await runOnSql(plan, events.listing(owner), charge)
    return {
      data: data.map((row) => ({
        id: row.id,
        bookingId: row.booking_id,
        createdAt: row.created_at,
        payload: row.payload,
      })),
      meta,
    }
  }

export type ListEvents = ReturnType<typeof createListEvents>
