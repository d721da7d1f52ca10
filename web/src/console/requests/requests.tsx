import { type FormEvent, Fragment, useState } from 'react'
import { serai } from '../../api/client.ts'
import { navigate, useAddress } from '../../browser/router.ts'
import { TextField } from '../../ui/text-field.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { type Column, ListTable } from '../parts/list-table.tsx'
import type { SectionProps } from '../section-props.ts'
import { FindForm } from './find-form.tsx'
import { type RequestEntry, RequestView } from './request-view.tsx'

export default function RequestsSection({ rest: [requestId] }: SectionProps) {
  return requestId === undefined ? <Overview /> : <RequestView requestId={requestId} />
}

const STATUSES = [
  ['errors', 'Errors', '400'],
  ['server', 'Server errors (5xx)', '500'],
  ['all', 'All', '0'],
] as const

function Overview() {
  const { query } = useAddress()
  const [name, , from] = STATUSES.find(([option]) => option === query.get('status')) ?? STATUSES[0]
  const operation = query.get('operation') ?? ''
  const account = query.get('account') ?? ''
  const filters = [
    `status:>=<${from}`,
    ...(operation === '' ? [] : [`operation:==<${operation}`]),
    ...(account === '' ? [] : [`account_id:==<${account}`]),
  ]
  return (
    <ConsolePage
      title="Requests"
      intro="API calls with operation, time and outcome, without bodies. Kept for 7 days, bookings and errors for 30. Successful location searches are sampled."
    >
      <FindForm />
      <FilterForm key={`${name} ${operation} ${account}`} {...{ name, operation, account }} />
      <ListTable
        caption="Requests, newest first"
        queryKey={['console', 'requests', ...filters]}
        read={(paging) => serai.operator.requests({ ...paging, filters })}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={name === 'all' ? 'No requests stored.' : 'No errors stored.'}
      />
    </ConsolePage>
  )
}

type Filter = { name: string; operation: string; account: string }

function FilterForm(initial: Filter) {
  const [filter, setFilter] = useState(initial)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    const { name, operation, account } = filter
    const query = new URLSearchParams({ status: name, operation: operation.trim(), account: account.trim() })
    navigate(`/console/requests?${query}`, { keepScroll: true })
  }
  return (
    <form className="mb-4 flex flex-wrap items-end gap-3" onSubmit={apply}>
      <div>
        <label htmlFor="status" className="field-label">
          Show
        </label>
        <select
          id="status"
          className="field"
          value={filter.name}
          onChange={(event) => setFilter({ ...filter, name: event.target.value })}
        >
          {STATUSES.map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <TextField
        id="operation"
        label="Operation"
        value={filter.operation}
        onValue={(operation) => setFilter({ ...filter, operation })}
        error={undefined}
        autoComplete="off"
      />
      <TextField
        id="account"
        label="Account id"
        value={filter.account}
        onValue={(account) => setFilter({ ...filter, account })}
        error={undefined}
        autoComplete="off"
      />
      <button type="submit" className="btn btn-quiet">
        Apply
      </button>
    </form>
  )
}

/** Breaks only after a dot or underscore. */
function OperationName({ name }: { name: string }) {
  return (
    <code className="font-mono text-xs">
      {name.split(/(?<=[._])/).map((part) => (
        <Fragment key={part}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  )
}

const COLUMNS: readonly Column<RequestEntry>[] = [
  { title: 'When', cell: ({ at }) => <When at={at} /> },
  {
    title: 'Request',
    cell: ({ request_id }) => (
      <a className="link" href={`/console/requests/${encodeURIComponent(request_id)}`}>
        <Code>{request_id}</Code>
      </a>
    ),
  },
  { title: 'Operation', cell: ({ operation }) => <OperationName name={operation} /> },
  {
    title: 'Status',
    className: 'figures',
    cell: ({ status, code }) => (
      <>
        <span className={status >= 500 ? 'font-semibold text-bad' : ''}>{status}</span>
        {code !== null && <span className="ml-2 text-muted">{code}</span>}
      </>
    ),
  },
  {
    title: 'Duration',
    className: 'text-right figures whitespace-nowrap',
    cell: ({ took_ms }) => `${took_ms.toLocaleString('en-GB')} ms`,
  },
  { title: 'Account', cell: ({ account_id }) => account_id !== null && <Code>{account_id}</Code> },
]
