import type { Actor } from '../../domain/actor.ts'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { defineList } from '../../lists/definition.ts'
import type { ListPage } from '../../lists/meta.ts'
import type { ListPlan } from '../../lists/plan.ts'
import { runInMemory } from '../../lists/run-in-memory.ts'
import type { AttentionMarkStore } from '../store/attention-marks.ts'
import { findEnough } from './find-enough.ts'

/** Most urgent first. */
export const ATTENTION_KINDS = [
  'commits_lost',
  'needs_review',
  'payment',
  'in_doubt',
  'discrepancy',
  'breaker_open',
  'condition_refused',
  'vendor_refuses_us',
  'operation_failing',
  'webhook_failing',
  'mail_failed',
  'content_late',
  'exchange_rates',
  'vendor_drift',
] as const
type AttentionKind = (typeof ATTENTION_KINDS)[number]

/** The most useful next step: an operation, or a view of the console. */
export const ATTENTION_ACTIONS = [
  'resolve',
  'read',
  'mark_done',
  'replay',
  'send_mail',
  'open_vendor',
  'open_exchange_rates',
  'open_reconciliation',
  'open_payment',
] as const
type AttentionAction = (typeof ATTENTION_ACTIONS)[number]

export type AttentionEntry = {
  /** Stable; consists of the kind and the subject. */
  readonly id: string
  readonly kind: AttentionKind
  readonly since: number
  /** Last time it got worse; defaults to `since`. An entry marked as settled before that reappears. */
  readonly worsenedAt?: number
  readonly title: string
  readonly whatHappened: string
  readonly whatToDo: string
  readonly action: AttentionAction
  readonly bookingId?: string
  readonly vendorId?: string
  readonly accountId?: string
  readonly webhookId?: string
  readonly mailSequence?: number
}

/** Finds at most `limit` entries, most urgent first. */
export type AttentionSource = (now: number, limit: number) => Promise<readonly AttentionEntry[]>

export const ATTENTION_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    kind: { type: 'enum', values: ATTENTION_KINDS, sortable: true, filterable: true, nullable: false },
    since: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    booking_id: { type: 'string', filterable: true },
    vendor_id: { type: 'string', sortable: true, filterable: true },
    account_id: { type: 'string', filterable: true },
  },
  tiebreaker: 'id',
  ranked: true,
})

/** Cannot be marked as settled, because outcomes of bookings are unknown. */
const OPEN_OUTCOMES: readonly AttentionKind[] = ['commits_lost', 'needs_review', 'in_doubt']

/** Per source. */
const ENTRIES_MAX = 200

type Deps = {
  readonly sources: readonly AttentionSource[]
  readonly marks: AttentionMarkStore
  readonly clock: Clock
}

export type Attention = ReturnType<typeof createAttention>

/** Entries that need an operator, without those marked as settled. */
export function createAttention({ sources, marks, clock }: Deps) {
  async function current(): Promise<AttentionEntry[]> {
    const now = clock.now()
    const removeMarked = async (found: readonly AttentionEntry[]) => {
      const marked = await marks.findSince(found.map(({ id }) => id))
      return found.filter((entry) => (marked.get(entry.id) ?? Number.NEGATIVE_INFINITY) < lastWorsened(entry))
    }
    const open = await Promise.all(
      sources.map((source) => findEnough(ENTRIES_MAX, (limit) => source(now, limit), removeMarked)),
    )
    // Each source sorts its own entries by urgency.
    return open.flat().sort((a, b) => ATTENTION_KINDS.indexOf(a.kind) - ATTENTION_KINDS.indexOf(b.kind))
  }

  return {
    list: async (plan: ListPlan): Promise<ListPage<AttentionEntry>> => runInMemory(plan, await current(), readField),

    /** Hides the entry until it gets worse. */
    async markDone(entryId: string, actor: Actor, reason: string): Promise<AttentionEntry> {
      const entry = (await current()).find(({ id }) => id === entryId)
      if (entry === undefined)
        throw new AppError('not_possible', 'The entry no longer exists: it was marked as settled, or resolved itself.')
      if (OPEN_OUTCOMES.includes(entry.kind))
        throw new AppError(
          'not_possible',
          'This entry cannot be marked as settled. Read or resolve the booking, or reconcile.',
        )
      await marks.set({ entryId, since: lastWorsened(entry), at: clock.now(), actor, reason })
      return entry
    },

    /** Marks an entry as settled, even if it is not on the list. */
    settle: (entryId: string, actor: Actor, reason: string): Promise<void> =>
      marks.set({ entryId, since: clock.now(), at: clock.now(), actor, reason }),
  }
}

const lastWorsened = ({ worsenedAt, since }: AttentionEntry) => worsenedAt ?? since

function readField({ id, kind, since, bookingId, vendorId, accountId }: AttentionEntry, field: string): unknown {
  const fields = { id, kind, since, booking_id: bookingId, vendor_id: vendorId, account_id: accountId }
  return fields[field as keyof typeof fields]
}
