import type { components } from '../../../../packages/client/src/index.ts'
import { serai } from '../../api/client.ts'
import { ConsolePage } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { type Column, ListTable } from '../parts/list-table.tsx'

type Entry = components['schemas']['AuditEntry']

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'When', cell: ({ at }) => <When at={at} /> },
  {
    title: 'Who',
    cell: ({ actor }) => (
      <>
        {actor.kind} <Code>{actor.id}</Code>
      </>
    ),
  },
  { title: 'Action', cell: ({ action }) => <Code>{action}</Code> },
  { title: 'Subject', cell: ({ subject }) => <Code>{subject}</Code> },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Outcome', cell: ({ outcome }) => outcome ?? 'unknown: the process ended before it was recorded' },
  {
    title: 'Request',
    cell: ({ request_id }) =>
      request_id !== null && (
        <a className="link" href={`/console/requests/${encodeURIComponent(request_id)}`}>
          <Code>{request_id}</Code>
        </a>
      ),
  },
]

export default function AuditSection() {
  return (
    <ConsolePage
      title="Audit log"
      intro="Actions of operators in the console, the API and the command line. Entries are never changed or deleted."
    >
      <ListTable
        caption="Actions of operators, newest first"
        queryKey={['console', 'audit']}
        read={(paging) => serai.operator.audit(paging)}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty="No actions yet."
      />
    </ConsolePage>
  )
}
