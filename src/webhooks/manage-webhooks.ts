import { AppError, type FieldError, invalidRequest } from '../domain/errors.ts'
import { WEBHOOK_EVENTS, WEBHOOK_STATUSES, WEBHOOKS_MAX, type Webhook, type WebhookEvent } from '../domain/webhook.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runInMemory } from '../lists/run-in-memory.ts'
import type { Changed, WebhookChanges, WebhookStore } from './store/webhooks.ts'

export const WEBHOOK_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    url: { type: 'string', sortable: true, filterable: true, nullable: false },
    status: { type: 'enum', values: WEBHOOK_STATUSES, sortable: true, filterable: true, nullable: false },
    created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['asc'] },
})

type Deps = {
  readonly webhooks: WebhookStore
  readonly clock: Clock
  readonly ids: Ids
  /** Undefined if events can be sent to this URL. */
  checkTarget(url: string): Promise<FieldError | undefined>
}

export type NewWebhookOrder = {
  readonly url: string
  readonly events: readonly WebhookEvent[] | undefined
  readonly description: string
}

export type ManageWebhooks = ReturnType<typeof createManageWebhooks>

/** The caller's own webhooks. */
export function createManageWebhooks({ webhooks, clock, ids, checkTarget }: Deps) {
  const show = async (accountId: string, id: string): Promise<Webhook> =>
    requireFound(isWebhookId(id) ? await webhooks.get(accountId, id, clock.now()) : undefined)

  const refuseBadTarget = async (url: string | undefined): Promise<void> => {
    const error = url === undefined ? undefined : await checkTarget(url)
    if (error !== undefined) throw invalidRequest([error])
  }

  return {
    show,

    async create(accountId: string, { url, events = WEBHOOK_EVENTS, description }: NewWebhookOrder) {
      await refuseBadTarget(url)
      const order = { id: ids.prefixed('whk'), url, events: [...new Set(events)], description }
      const added = await webhooks.add(accountId, order, WEBHOOKS_MAX, clock.now())
      if (added === undefined) throw tooMany()
      return added
    },

    /** At most ten, oldest first. */
    all: (accountId: string): Promise<readonly Webhook[]> => webhooks.list(accountId, clock.now()),

    async list(accountId: string, plan: ListPlan): Promise<ListPage<Webhook>> {
      return runInMemory(plan, await webhooks.list(accountId, clock.now()), (webhook, field) =>
        field === 'created_at' ? new Date(webhook.createdAt).toISOString() : webhook[field as 'id' | 'url' | 'status'],
      )
    },

    async update(accountId: string, id: string, changes: WebhookChanges): Promise<Webhook> {
      await show(accountId, id)
      await refuseBadTarget(changes.url)
      return requireFound(await webhooks.update(accountId, id, changes, clock.now()))
    },

    async rotateSecret(accountId: string, id: string) {
      await show(accountId, id)
      return requireFound(await webhooks.rotateSecret(accountId, id, clock.now()))
    },

    async remove(accountId: string, id: string): Promise<void> {
      if (!isWebhookId(id) || !(await webhooks.remove(accountId, id))) throw noSuchWebhook()
    },
  }
}

/** Ids of any other form are never issued. PostgreSQL rejects a NUL. */
export const isWebhookId = (id: string): boolean => /^whk_[a-z0-9]+$/.test(id)

function requireFound<T extends object>(found: Changed<T>): T {
  if (found === 'unreadable')
    throw new AppError(
      'webhook_disabled',
      'The address and secret of this webhook can no longer be read. Delete it and register it again.',
    )
  if (found === undefined) throw noSuchWebhook()
  return found
}

const noSuchWebhook = () => new AppError('webhook_not_found', 'There is no such webhook. Use the id of one of yours.')

const tooMany = () =>
  invalidRequest([
    {
      field: 'url',
      code: 'too_many',
      message: `An account can have at most ${WEBHOOKS_MAX} webhooks. Delete an unused one first.`,
    },
  ])
