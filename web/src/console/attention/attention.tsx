import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Done } from '../parts/action-button.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { When } from '../parts/facts.tsx'
import type { Entry } from './entry.ts'
import { EntryActions } from './entry-actions.tsx'
import { Tasks } from './tasks.tsx'

const REFRESH_MS = 30_000
const MAX_ENTRIES = 100

const KIND_NAMES: Readonly<Record<Entry['kind'], string>> = {
  commits_lost: 'Bookings missing',
  needs_review: 'Needs review',
  in_doubt: 'Outcome unknown',
  discrepancy: 'Discrepancy',
  breaker_open: 'Vendor failing',
  condition_refused: 'Condition rejected',
  vendor_refuses_us: 'Vendor refuses us',
  operation_failing: 'Operation failing',
  webhook_failing: 'Webhook failing',
  mail_failed: 'Mail not sent',
  content_late: 'Content overdue',
  exchange_rates: 'Exchange rates',
  vendor_drift: 'Responses changed',
  payment: 'Payment',
}
const URGENT_KINDS: readonly Entry['kind'][] = ['commits_lost', 'needs_review', 'in_doubt']

export default function AttentionSection() {
  const client = useQueryClient()
  const list = useQuery({
    queryKey: ['console', 'attention'],
    queryFn: () => callApi(serai.operator.attention({ page: 1, page_size: MAX_ENTRIES })),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  // Settled entries stay in place with their result until the view is left.
  const [done, setDone] = useState<ReadonlyMap<string, { entry: Entry; what: string; place: number }>>(new Map())
  const entries = mergeSettled(list.data?.data ?? [], done)
  const settle = (entry: Entry, what: string) => {
    setDone(new Map([...done, [entry.id, { entry, what, place: entries.indexOf(entry) }]]))
    void client.invalidateQueries({ queryKey: ['console'] })
  }
  return (
    <ConsolePage
      title="Attention"
      intro="Items that need an operator, most urgent first. Simulated bookings are not listed."
    >
      {list.isPending && <p className="text-muted">Loading …</p>}
      {/* Also shown above an older list, which may be out of date. */}
      {list.isError && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.isSuccess && entries.length === 0 && (
        <EmptyState
          title="Nothing needs attention"
          text="No booking has been unsettled for more than a minute, and no delivery has failed."
        />
      )}
      <ul className="flex flex-col gap-3">
        {entries.map((entry) => (
          <li key={entry.id}>
            <EntryCard entry={entry} what={done.get(entry.id)?.what} onDone={(what) => settle(entry, what)} />
          </li>
        ))}
      </ul>
      <MoreEntries shown={MAX_ENTRIES} total={list.data?.meta.total_count ?? 0} />
      <Tasks />
    </ConsolePage>
  )
}

function mergeSettled(open: readonly Entry[], done: ReadonlyMap<string, { entry: Entry; place: number }>): Entry[] {
  const entries = open.filter(({ id }) => !done.has(id))
  for (const { entry, place } of [...done.values()].sort((a, b) => a.place - b.place)) entries.splice(place, 0, entry)
  return entries
}

type CardProps = { entry: Entry; what: string | undefined; onDone(what: string): void }

function EntryCard({ entry, what, onDone }: CardProps) {
  const colours = URGENT_KINDS.includes(entry.kind) ? 'bg-bad-wash text-bad' : 'bg-warn-wash text-warn'
  return (
    <article className="card p-4" data-entry={entry.id}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        <span className={`tag ${colours}`}>{KIND_NAMES[entry.kind]}</span>
        <span>
          since <When at={entry.since} />
        </span>
      </p>
      <h2 className="mt-1 text-lg">{entry.title}</h2>
      <p className="max-w-[90ch]">{entry.what_happened}</p>
      <p className="mt-1 max-w-[90ch] text-muted">{entry.what_to_do}</p>
      {what !== undefined && (
        <div className="mt-3">
          <Done what={what} />
        </div>
      )}
      <EntryActions entry={entry} isDone={what !== undefined} onDone={onDone} />
    </article>
  )
}

function MoreEntries({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null
  return <p className="mt-3 text-muted">{`${total - shown} more will appear as these are settled.`}</p>
}
