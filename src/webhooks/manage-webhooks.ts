import { AppError, type FieldError, invalidRequest } from '../domain/errors.ts'
import { WEBHOOK_EVENTS, WEBHOOK_STATUSES, WEBHOOKS_MAX, type Webhook, type WebhookEvent } from '../domain/webhook.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runInMemory } from '../lists/run-in-memory.ts'
import type { ChangeAt, Changed, WebhookChanges, WebhookStore } from './store/webhooks.ts'

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

type ToChange = Omit<ChangeAt, 'now'>

export type ManageWebhooks = ReturnType<typeof createManageWebhooks>

/** The caller's own webhooks. */
export function createManageWebhooks({ webhooks, clock, ids, checkTarget }: Deps) {
  const show = async (accountId: string, id: string): Promise<Webhook> =>
    requireFound(isWebhookId(id) ? await webhooks.get(accountId, id, clock.now()) : undefined)

  const requireMatching = async ({ accountId, id, precondition }: ToChange): Promise<void> => {
    const webhook = await show(accountId, id)
    precondition?.(webhook)
  }

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

    async update(which: ToChange, changes: WebhookChanges): Promise<Webhook> {
      await requireMatching(which)
      await refuseBadTarget(changes.url)
      return requireFound(await webhooks.update({ ...which, now: clock.now() }, changes))
    },

    async rotateSecret(which: ToChange) {
      await requireMatching(which)
      return requireFound(await webhooks.rotateSecret({ ...which, now: clock.now() }))
    },

    async remove(which: ToChange): Promise<void> {
      if (!isWebhookId(which.id) || !(await webhooks.remove({ ...which, now: clock.now() }))) throw noSuchWebhook()
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
