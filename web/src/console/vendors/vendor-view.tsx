import { useQuery } from '@tanstack/react-query'
import { callApi, serai } from '../../api/client.ts'
import { navigate, useAddress } from '../../browser/router.ts'
import { formatVendorName } from '../../ui/badges.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Block, ConsolePage } from '../parts/console-page.tsx'
import { Code, Facts, When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { CallBars } from './call-bars.tsx'
import {
  BreakerTag,
  type Calls,
  Environment,
  ERROR_KIND_NAMES,
  FailureRate,
  formatFailureRate,
  formatLookToBook,
  formatMilliseconds,
  formatNumber,
  REFRESH_MS,
  type VendorDetail,
} from './vendor-format.tsx'

const NUMBER_CELL = 'text-right figures whitespace-nowrap'

export function VendorView({ vendorId }: { vendorId: string }) {
  const vendor = useQuery({
    queryKey: ['console', 'vendor', vendorId],
    queryFn: () => callApi(serai.operator.vendor({ id: vendorId })),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  return (
    <ConsolePage
      title={formatVendorName(vendorId)}
      intro="Figures from all processes, at most 15 seconds old."
      actions={
        <a className="btn btn-quiet" href="/console/vendors">
          All vendors
        </a>
      }
    >
      {vendor.isPending && <p className="py-6 text-muted">Loading …</p>}
      {vendor.isError && <Failure error={vendor.error} onRetry={() => vendor.refetch()} />}
      {vendor.data !== undefined && <LoadedVendor vendor={vendor.data} />}
    </ConsolePage>
  )
}

function LoadedVendor({ vendor }: { vendor: VendorDetail }) {
  return (
    <div className="grid min-w-0 gap-4 xl:grid-cols-2">
      <Block title="State">
        <State vendor={vendor} />
      </Block>
      <Block title="Content">
        <Content content={vendor.content} />
      </Block>
      <div className="flex min-w-0 flex-col gap-4 xl:col-span-2">
        <CallsBlock vendor={vendor} />
        <Block title="Breakers and limits of each process">
          <Table
            caption="Breakers and limits of each process"
            columns={BREAKER_COLUMNS}
            rows={vendor.breakers}
            rowKey={(breaker) => `${breaker.process} ${breaker.class}`}
          />
        </Block>
        <Block title="Searches and bookings of the last 30 days">
          <LookToBookTable accounts={vendor.accounts} />
        </Block>
      </div>
    </div>
  )
}

function State({ vendor: { environment, breaker, processes, quota, look_to_book: looks } }: { vendor: VendorDetail }) {
  const requests = formatNumber(quota.content_requests_today)
  return (
    <Facts
      rows={[
        ['Environment', <Environment key="environment" name={environment} />],
        ['State', processes === 0 ? 'No process reporting' : <BreakerTag key="breaker" state={breaker} />],
        ['Processes', formatNumber(processes)],
        ['Paused until', quota.held_until === null ? 'not paused' : <When key="held" at={quota.held_until} />],
        [
          'Readings of bookings',
          `${formatNumber(quota.readings_free)} free now, at most ${formatNumber(quota.readings_per_minute)} a minute`,
        ],
        [
          'Content requests',
          quota.content_requests_per_day === null
            ? `${requests} today, no limit`
            : `${requests} of ${formatNumber(quota.content_requests_per_day)} today`,
        ],
        ...quota.calls.map(({ kind, window_seconds: seconds, allowed, used }): [string, string] => [
          `Limit of ${kind} calls`,
          `${formatNumber(used)} of ${formatNumber(allowed)} in ${describeWindow(seconds)}`,
        ]),
        ['Searches : bookings', formatLookToBook(looks)],
      ]}
    />
  )
}

const describeWindow = (seconds: number): string =>
  ({ 1: 'this second', 60: 'this minute', 86400: 'this day' })[seconds] ?? `${seconds} s`

function Content({ content }: { content: VendorDetail['content'] }) {
  const moment = (at: string | null, otherwise: string) => (at === null ? otherwise : <When at={at} />)
  return (
    <Facts
      rows={[
        ['Properties', formatNumber(content.properties)],
        ['No longer sold', formatNumber(content.dropped)],
        ['Properties without rooms yet', formatNumber(content.without_rooms)],
        ['Last full reading', moment(content.full_at, 'never')],
        ['Last reading', moment(content.fresh_at, 'never')],
        ['Next reading', moment(content.next_at, 'not scheduled')],
        [
          'Late since',
          content.late_since === null ? (
            'not late'
          ) : (
            <strong key="late" className="text-bad">
              <When at={content.late_since} />
            </strong>
          ),
        ],
        ['Last failure', content.failure],
      ]}
    />
  )
}

const WINDOWS = [
  ['hour', 'Last hour', 'last_hour'],
  ['day', 'Last day', 'last_day'],
  ['week', 'Last week', 'last_week'],
] as const
type Window = (typeof WINDOWS)[number]

/** The window is part of the address. */
function useWindow(): Window {
  const { query } = useAddress()
  return WINDOWS.find(([name]) => name === query.get('window')) ?? WINDOWS[0]
}

function CallsBlock({ vendor }: { vendor: VendorDetail }) {
  const shown = useWindow()
  const { path } = useAddress()
  const [name, title, field] = shown
  const calls = vendor[field]
  const byOperation = vendor.operations
    .map((operation) => ({ operation: operation.operation, ...operation[field] }))
    .filter((row) => row.calls > 0)
  return (
    <Block title="Calls">
      <fieldset className="mb-3 flex flex-wrap gap-2">
        <legend className="sr-only">Which calls</legend>
        {WINDOWS.map(([option, label]) => (
          <button
            key={option}
            type="button"
            aria-pressed={option === name}
            className="btn btn-quiet aria-pressed:bg-accent-wash aria-pressed:text-accent-strong"
            onClick={() => navigate(`${path}?window=${option}`, { replace: true, keepScroll: true })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <div className="mb-4 flex flex-wrap items-end gap-x-8 gap-y-3">
        <Facts
          rows={[
            ['Calls', formatNumber(calls.calls)],
            ['Failed', `${formatNumber(calls.failures)} (${formatFailureRate(calls)})`],
            ['Median', formatMilliseconds(calls.p50_ms)],
            ['95th percentile', formatMilliseconds(calls.p95_ms)],
          ]}
        />
        {name === 'hour' && <CallBars spans={vendor.recent} what="Calls in the last hour" />}
        {name === 'day' && <CallBars spans={vendor.hours} what="Calls in the last day" />}
        <Errors calls={calls} />
      </div>
      {byOperation.length === 0 ? (
        <p className="text-muted">No calls to this vendor.</p>
      ) : (
        <Table
          caption={`Calls by operation, ${title.toLowerCase()}`}
          columns={OPERATION_COLUMNS}
          rows={byOperation}
          rowKey={({ operation }) => operation}
        />
      )}
    </Block>
  )
}

function Errors({ calls }: { calls: Calls }) {
  if (calls.errors.length === 0) return <p className="text-muted">No errors.</p>
  return (
    <Facts
      rows={calls.errors.map(({ kind, calls: count }) => [ERROR_KIND_NAMES[kind], formatNumber(count)] as const)}
    />
  )
}

type OperationRow = Calls & { readonly operation: string }

const OPERATION_COLUMNS: readonly Column<OperationRow>[] = [
  { title: 'Operation', cell: ({ operation }) => <Code>{operation}</Code> },
  { title: 'Calls', className: NUMBER_CELL, cell: ({ calls }) => formatNumber(calls) },
  { title: 'Failed', className: NUMBER_CELL, cell: (row) => <FailureRate calls={row} /> },
  { title: 'Median', className: NUMBER_CELL, cell: ({ p50_ms }) => formatMilliseconds(p50_ms) },
  { title: '95th percentile', className: NUMBER_CELL, cell: ({ p95_ms }) => formatMilliseconds(p95_ms) },
  {
    title: 'Errors',
    cell: ({ errors }) =>
      errors.map(({ kind, calls }) => `${ERROR_KIND_NAMES[kind]}: ${formatNumber(calls)}`).join('; ') || 'none',
  },
]

const BREAKER_COLUMNS: readonly Column<VendorDetail['breakers'][number]>[] = [
  { title: 'Process', className: 'md:whitespace-nowrap', cell: ({ process }) => <Code>{process}</Code> },
  { title: 'Class', className: 'md:whitespace-nowrap', cell: (breaker) => <Code>{breaker.class}</Code> },
  { title: 'State', cell: ({ state }) => <BreakerTag state={state} closed="Closed" /> },
  { title: 'Since', cell: ({ since }) => <When at={since} /> },
  {
    title: 'Calls now',
    className: NUMBER_CELL,
    cell: ({ calls_under_way, calls_at_once }) => `${formatNumber(calls_under_way)} of ${formatNumber(calls_at_once)}`,
  },
  { title: 'Reported', cell: ({ seen_at }) => <When at={seen_at} /> },
]

function LookToBookTable({ accounts }: { accounts: VendorDetail['accounts'] }) {
  if (accounts.length === 0) return <p className="text-muted">No searches or bookings with this vendor.</p>
  return (
    <Table
      caption="Searches and bookings of each account in the last 30 days"
      columns={LOOK_TO_BOOK_COLUMNS}
      rows={accounts}
      rowKey={({ account_id }) => account_id}
    />
  )
}

const LOOK_TO_BOOK_COLUMNS: readonly Column<VendorDetail['accounts'][number]>[] = [
  {
    title: 'Account',
    cell: ({ account_id }) => (account_id === 'guests' ? 'Page guests' : <Code>{account_id}</Code>),
  },
  { title: 'Searches', className: NUMBER_CELL, cell: ({ searches }) => formatNumber(searches) },
  { title: 'Bookings', className: NUMBER_CELL, cell: ({ bookings }) => formatNumber(bookings) },
  { title: 'Searches : bookings', className: NUMBER_CELL, cell: (looks) => formatLookToBook(looks) },
]
