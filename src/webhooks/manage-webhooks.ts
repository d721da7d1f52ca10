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
  /** Why events cannot be sent to this address; undefined when they can. */
  checkTarget(url: string): Promise<FieldError | undefined>
}

export type NewWebhookOrder = {
  readonly url: string
  readonly events: readonly WebhookEvent[] | undefined
  readonly description: string
}

export type ManageWebhooks = ReturnType<typeof createManageWebhooks>

/** A caller's own webhooks; anybody else's do not exist. */
export function createManageWebhooks({ webhooks, clock, ids, checkTarget }: Deps) {
  const show = async (accountId: string, id: string): Promise<Webhook> =>
    existing(isWebhookId(id) ? await webhooks.get(accountId, id, clock.now()) : undefined)

  const refuseBadTarget = async (url: string | undefined): Promise<void> => {
    const complaint = url === undefined ? undefined : await checkTarget(url)
    if (complaint !== undefined) throw invalidRequest([complaint])
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

    /** At most ten, the oldest first. */
    all: (accountId: string): Promise<readonly Webhook[]> => webhooks.list(accountId, clock.now()),

    async list(accountId: string, plan: ListPlan): Promise<ListPage<Webhook>> {
      return runInMemory(plan, await webhooks.list(accountId, clock.now()), (webhook, field) =>
        field === 'created_at' ? new Date(webhook.createdAt).toISOString() : webhook[field as 'id' | 'url' | 'status'],
      )
    },

    async update(accountId: string, id: string, changes: WebhookChanges): Promise<Webhook> {
      await show(accountId, id)
      await refuseBadTarget(changes.url)
      return existing(await webhooks.update(accountId, id, changes, clock.now()))
    },

    async rotateSecret(accountId: string, id: string) {
      await show(accountId, id)
      return existing(await webhooks.rotateSecret(accountId, id, clock.now()))
    },

    async remove(accountId: string, id: string): Promise<void> {
      if (!isWebhookId(id) || !(await webhooks.remove(accountId, id))) throw noSuchWebhook()
    },
  }
}

/** Anything else was never given out, and PostgreSQL cannot read a NUL. */
export const isWebhookId = (id: string): boolean => /^whk_[a-z0-9]+$/.test(id)

function existing<T extends object>(found: Changed<T>): T {
  if (found === 'unreadable')
    throw new AppError(
      'webhook_disabled',
      'The address and secret of this webhook can no longer be read. Delete it and register it again.',
    )
  if (found === undefined) throw noSuchWebhook()
  return found
}

const noSuchWebhook = () => new AppError('webhook_not_found', 'There is no such webhook; use the id of one of yours.')

const tooMany = () =>
  invalidRequest([
    {
      field: 'url',
      code: 'too_many',
      message: `An account has at most ${WEBHOOKS_MAX} webhooks; delete one you no longer need first.`,
    },
  ])
