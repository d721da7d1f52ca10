import { useQuery } from '@tanstack/react-query'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { Failure } from '../../ui/failure.tsx'
import { When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'

const REFRESH_MS = 30_000

type TaskCount = components['schemas']['TaskCount']

const NAMES: Readonly<Record<TaskCount['kind'], string>> = {
  settle: 'Settle bookings',
  read: 'Read bookings again',
  list: 'Read vendors’ lists of bookings',
  webhook: 'Deliver webhooks',
  mail: 'Send mails',
  content: 'Read content',
  match: 'Match properties',
  rates: 'Renew exchange rates',
  payment: 'Collect and refund payments',
}

/** Background work that is overdue or failing, by kind. */
export function Tasks() {
  const tasks = useQuery({
    queryKey: ['console', 'tasks'],
    queryFn: () => callApi(serai.operator.tasks()),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  return (
    <section className="mt-6">
      <h2 className="mb-2 text-lg">Background work</h2>
      {tasks.isPending && <p className="text-muted">Loading …</p>}
      {tasks.isError && <Failure error={tasks.error} onRetry={() => tasks.refetch()} />}
      {tasks.isSuccess && (
        <Table
          caption="Background work that is overdue or failing"
          columns={COLUMNS}
          rows={tasks.data}
          rowKey={({ kind }) => kind}
        />
      )}
    </section>
  )
}

const RIGHT = 'text-right figures whitespace-nowrap'

const COLUMNS: readonly Column<TaskCount>[] = [
  { title: 'Kind', cell: ({ kind }) => NAMES[kind] },
  { title: 'Overdue', className: RIGHT, cell: ({ overdue }) => overdue },
  { title: 'Oldest was due', cell: ({ overdue_since: since }) => since !== null && <When at={since} /> },
  { title: 'Failing', className: RIGHT, cell: ({ failing }) => <Failing count={failing} /> },
  { title: 'Failing since', cell: ({ failing_since: since }) => since !== null && <When at={since} /> },
]

const Failing = ({ count }: { count: number }) => (
  <span className={count > 0 ? 'font-semibold text-bad' : ''}>{count}</span>
)
