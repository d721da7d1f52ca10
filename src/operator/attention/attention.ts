import type { Actor } from '../../domain/actor.ts'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { defineList } from '../../lists/definition.ts'
import type { ListPage } from '../../lists/meta.ts'
import type { ListPlan } from '../../lists/plan.ts'
import { runInMemory } from '../../lists/run-in-memory.ts'
import type { AttentionMarkStore } from '../store/attention-marks.ts'
import { findEnough } from './find-enough.ts'

/** What an operator has to look at, the most urgent first. */
export const ATTENTION_KINDS = [
  'needs_review',
  'in_doubt',
  'discrepancy',
  'breaker_open',
  'webhook_failing',
  'mail_failed',
  'content_late',
] as const
type AttentionKind = (typeof ATTENTION_KINDS)[number]

/** The one thing that helps most: which operation, or which view of the console. */
export const ATTENTION_ACTIONS = ['resolve', 'read', 'mark_done', 'replay', 'send_mail', 'open_vendor'] as const
type AttentionAction = (typeof ATTENTION_ACTIONS)[number]

export type AttentionEntry = {
  /** The same as long as it is the same matter: its kind and what it is about. */
  readonly id: string
  readonly kind: AttentionKind
  readonly since: number
  /** When it last became worse; what is marked as settled comes back after that. Otherwise `since`. */
  readonly asOf?: number
  readonly title: string
  readonly whatHappened: string
  readonly whatToDo: string
  readonly action: AttentionAction
  readonly bookingId?: string
  readonly vendorId?: string
  readonly accountId?: string
  readonly webhookId?: string
  /** The mail about the booking, by its sequence. */
  readonly mailSequence?: number
}

/** Finds entries of its kinds, at most `most`, in the order in which they are urgent. */
export type AttentionSource = (now: number, most: number) => Promise<readonly AttentionEntry[]>

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

/** A mark must not hide that nobody knows how a booking ends. */
const OPEN_BOOKINGS: readonly AttentionKind[] = ['needs_review', 'in_doubt']

/** Of each source; more at once is nothing that a person can work through. */
const MOST = 200

type Deps = {
  readonly sources: readonly AttentionSource[]
  readonly marks: AttentionMarkStore
  readonly clock: Clock
}

export type Attention = ReturnType<typeof createAttention>

/** What needs an operator now, without what an operator has settled. */
export function createAttention({ sources, marks, clock }: Deps) {
  async function current(): Promise<AttentionEntry[]> {
    const now = clock.now()
    const unmarked = async (found: readonly AttentionEntry[]) => {
      const marked = await marks.among(found.map(({ id }) => id))
      return found.filter((entry) => (marked.get(entry.id) ?? Number.NEGATIVE_INFINITY) < asOf(entry))
    }
    const open = await Promise.all(sources.map((source) => findEnough(MOST, (most) => source(now, most), unmarked)))
    // Within a kind the source has put first what is most urgent.
    return open.flat().sort((a, b) => ATTENTION_KINDS.indexOf(a.kind) - ATTENTION_KINDS.indexOf(b.kind))
  }

  return {
    list: async (plan: ListPlan): Promise<ListPage<AttentionEntry>> => runInMemory(plan, await current(), fieldOf),

    /** Takes an entry off the list, until it becomes worse. */
    async markDone(entryId: string, actor: Actor, reason: string): Promise<AttentionEntry> {
      const entry = (await current()).find(({ id }) => id === entryId)
      if (entry === undefined)
        throw new AppError('not_possible', 'There is no such entry any more: it was settled, or has settled itself.')
      if (OPEN_BOOKINGS.includes(entry.kind))
        throw new AppError('not_possible', 'Only the outcome of the booking settles this: read or resolve the booking.')
      await marks.set({ entryId, since: asOf(entry), at: clock.now(), actor, reason })
      return entry
    },

    /** The same for an entry that need not be on the list. */
    settle: (entryId: string, actor: Actor, reason: string): Promise<void> =>
      marks.set({ entryId, since: clock.now(), at: clock.now(), actor, reason }),
  }
}

const asOf = ({ asOf: at, since }: AttentionEntry) => at ?? since

function fieldOf({ id, kind, since, bookingId, vendorId, accountId }: AttentionEntry, field: string): unknown {
  const fields = { id, kind, since, booking_id: bookingId, vendor_id: vendorId, account_id: accountId }
  return fields[field as keyof typeof fields]
}
