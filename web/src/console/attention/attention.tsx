import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { resultOf, serai } from '../../api/client.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Done } from '../parts/action-button.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { When } from '../parts/facts.tsx'
import type { Entry } from './entry.ts'
import { EntryActions } from './entry-actions.tsx'
import { Tasks } from './tasks.tsx'

const REFRESH_MS = 30_000
const SHOWN = 100

const NAMES: Readonly<Record<Entry['kind'], string>> = {
  needs_review: 'Needs review',
  in_doubt: 'Outcome unknown',
  discrepancy: 'Vendor differs',
  breaker_open: 'Vendor fails',
  webhook_failing: 'Webhook fails',
  mail_failed: 'Mail not sent',
  content_late: 'Content is late',
}
const URGENT: readonly Entry['kind'][] = ['needs_review', 'in_doubt']

/** What needs an operator, the most urgent first. */
export default function AttentionSection() {
  const client = useQueryClient()
  const list = useQuery({
    queryKey: ['console', 'attention'],
    queryFn: () => resultOf(serai.operator.attention({ page: 1, page_size: SHOWN })),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  // What was settled here stays in its place, with what was done, until the view is left.
  const [done, setDone] = useState<ReadonlyMap<string, { entry: Entry; what: string; place: number }>>(new Map())
  const entries = withSettled(list.data?.data ?? [], done)
  const settle = (entry: Entry, what: string) => {
    setDone(new Map([...done, [entry.id, { entry, what, place: entries.indexOf(entry) }]]))
    void client.invalidateQueries({ queryKey: ['console'] })
  }
  return (
    <ConsolePage
      title="Attention"
      intro="What needs an operator, the most urgent first. Simulated bookings are not listed."
    >
      {list.isPending && <p className="text-muted">Loading …</p>}
      {/* Also shown above a list that was read before, because that list may be out of date. */}
      {list.isError && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.isSuccess && entries.length === 0 && (
        <EmptyState title="Nothing needs you" text="Every booking is settled, and everything was delivered." />
      )}
      <ul className="flex flex-col gap-3">
        {entries.map((entry) => (
          <li key={entry.id}>
            <EntryCard entry={entry} what={done.get(entry.id)?.what} onDone={(what) => settle(entry, what)} />
          </li>
        ))}
      </ul>
      <Rest shown={SHOWN} total={list.data?.meta.total_count ?? 0} />
      <Tasks />
    </ConsolePage>
  )
}

function withSettled(open: readonly Entry[], done: ReadonlyMap<string, { entry: Entry; place: number }>): Entry[] {
  const entries = open.filter(({ id }) => !done.has(id))
  for (const { entry, place } of [...done.values()].sort((a, b) => a.place - b.place)) entries.splice(place, 0, entry)
  return entries
}

type CardProps = { entry: Entry; what: string | undefined; onDone(what: string): void }

function EntryCard({ entry, what, onDone }: CardProps) {
  const colours = URGENT.includes(entry.kind) ? 'bg-bad-wash text-bad' : 'bg-warn-wash text-warn'
  return (
    <article className="card p-4" data-entry={entry.id}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        <span className={`tag ${colours}`}>{NAMES[entry.kind]}</span>
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

function Rest({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null
  return <p className="mt-3 text-muted">{`And ${total - shown} more, which follow as these are settled.`}</p>
}
