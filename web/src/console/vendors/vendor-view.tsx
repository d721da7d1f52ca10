import { useQuery } from '@tanstack/react-query'
import { resultOf, serai } from '../../api/client.ts'
import { navigate, useAddress } from '../../browser/router.ts'
import { vendorName } from '../../ui/badges.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Block, ConsolePage } from '../parts/console-page.tsx'
import { Code, Facts, When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { CallBars } from './call-bars.tsx'
import {
  BreakerTag,
  type Calls,
  Environment,
  KINDS,
  milliseconds,
  number,
  REFRESH_MS,
  ratioOf,
  shareOf,
  type VendorDetail,
} from './words.tsx'

const RIGHT = 'text-right figures whitespace-nowrap'

/** One vendor with all that is known of it. */
export function VendorView({ vendorId }: { vendorId: string }) {
  const vendor = useQuery({
    queryKey: ['console', 'vendor', vendorId],
    queryFn: () => resultOf(serai.operator.vendor({ id: vendorId })),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  return (
    <ConsolePage
      title={vendorName(vendorId)}
      intro="Figures of all processes, at most a quarter of a minute old."
      actions={
        <a className="btn btn-quiet" href="/console/vendors">
          All vendors
        </a>
      }
    >
      {vendor.isPending && <p className="py-6 text-muted">Loading …</p>}
      {vendor.isError && <Failure error={vendor.error} onRetry={() => vendor.refetch()} />}
      {vendor.data !== undefined && <Shown vendor={vendor.data} />}
    </ConsolePage>
  )
}

function Shown({ vendor }: { vendor: VendorDetail }) {
  return (
    <div className="grid min-w-0 gap-4 xl:grid-cols-2">
      <Block title="State">
        <State vendor={vendor} />
      </Block>
      <Block title="Content">
        <Content content={vendor.content} />
      </Block>
      <div className="flex min-w-0 flex-col gap-4 xl:col-span-2">
        <CallsOf vendor={vendor} />
        <Block title="Breakers and limits of each process">
          <Table
            caption="Breakers and limits of each process"
            columns={BREAKERS}
            rows={vendor.breakers}
            rowKey={(breaker) => `${breaker.process} ${breaker.class}`}
          />
        </Block>
        <Block title="Searches and bookings of the last 30 days">
          <Looks accounts={vendor.accounts} />
        </Block>
      </div>
    </div>
  )
}

function State({ vendor: { environment, breaker, processes, quota, look_to_book: looks } }: { vendor: VendorDetail }) {
  const requests = number(quota.content_requests_today)
  return (
    <Facts
      rows={[
        ['Environment', <Environment key="environment" name={environment} />],
        ['State', processes === 0 ? 'No process reports' : <BreakerTag key="breaker" state={breaker} />],
        ['Processes', number(processes)],
        ['Asked for a pause', quota.held_until === null ? 'no' : <When key="held" at={quota.held_until} />],
        [
          'Readings of bookings',
          `${number(quota.readings_free)} free now, at most ${number(quota.readings_per_minute)} a minute`,
        ],
        [
          'Content requests',
          quota.content_requests_per_day === null
            ? `${requests} today, no limit is set`
            : `${requests} of ${number(quota.content_requests_per_day)} today`,
        ],
        ['Searches : bookings', ratioOf(looks)],
      ]}
    />
  )
}

function Content({ content }: { content: VendorDetail['content'] }) {
  const moment = (at: string | null, otherwise: string) => (at === null ? otherwise : <When at={at} />)
  return (
    <Facts
      rows={[
        ['Properties', number(content.properties)],
        ['No longer sold', number(content.dropped)],
        ['Rooms still to be read', number(content.without_rooms)],
        ['Last full reading', moment(content.full_at, 'never')],
        ['Last reading', moment(content.fresh_at, 'never')],
        ['Next reading', moment(content.next_at, 'none is due')],
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

/** Which window is shown is part of the address. */
function useWindow(): Window {
  const { query } = useAddress()
  return WINDOWS.find(([name]) => name === query.get('window')) ?? WINDOWS[0]
}

function CallsOf({ vendor }: { vendor: VendorDetail }) {
  const shown = useWindow()
  const { path } = useAddress()
  const [name, title, field] = shown
  const calls = vendor[field]
  const byOperation = vendor.operations
    .map((one) => ({ operation: one.operation, ...one[field] }))
    .filter((one) => one.calls > 0)
  return (
    <Block title="Calls">
      <fieldset className="mb-3 flex flex-wrap gap-2">
        <legend className="sr-only">Which calls</legend>
        {WINDOWS.map(([one, label]) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === name}
            className="btn btn-quiet aria-pressed:bg-accent-wash aria-pressed:text-accent-strong"
            onClick={() => navigate(`${path}?window=${one}`, { replace: true, keepScroll: true })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <div className="mb-4 flex flex-wrap items-end gap-x-8 gap-y-3">
        <Facts
          rows={[
            ['Calls', number(calls.calls)],
            ['Failed', `${number(calls.failures)} (${shareOf(calls)})`],
            ['Half within', milliseconds(calls.p50_ms)],
            ['95 % within', milliseconds(calls.p95_ms)],
          ]}
        />
        {name === 'hour' && <CallBars spans={vendor.recent} what="Calls in the last hour" />}
        {name === 'day' && <CallBars spans={vendor.hours} what="Calls in the last day" />}
        <Errors calls={calls} />
      </div>
      {byOperation.length === 0 ? (
        <p className="text-muted">Nothing was asked of this vendor.</p>
      ) : (
        <Table
          caption={`Calls by operation, ${title.toLowerCase()}`}
          columns={OPERATIONS}
          rows={byOperation}
          rowKey={({ operation }) => operation}
        />
      )}
    </Block>
  )
}

function Errors({ calls }: { calls: Calls }) {
  if (calls.errors.length === 0) return <p className="text-muted">No errors.</p>
  return <Facts rows={calls.errors.map(({ kind, calls: count }) => [KINDS[kind], number(count)] as const)} />
}

type OperationRow = Calls & { readonly operation: string }

const OPERATIONS: readonly Column<OperationRow>[] = [
  { title: 'Operation', cell: ({ operation }) => <Code>{operation}</Code> },
  { title: 'Calls', className: RIGHT, cell: ({ calls }) => number(calls) },
  { title: 'Failed', className: RIGHT, cell: (row) => shareOf(row) },
  { title: 'Half within', className: RIGHT, cell: ({ p50_ms }) => milliseconds(p50_ms) },
  { title: '95 % within', className: RIGHT, cell: ({ p95_ms }) => milliseconds(p95_ms) },
  {
    title: 'Errors',
    cell: ({ errors }) => errors.map(({ kind, calls }) => `${KINDS[kind]}: ${number(calls)}`).join('; ') || 'none',
  },
]

const BREAKERS: readonly Column<VendorDetail['breakers'][number]>[] = [
  { title: 'Process', cell: ({ process }) => <Code>{process}</Code> },
  { title: 'Class', cell: (breaker) => <Code>{breaker.class}</Code> },
  { title: 'State', cell: ({ state }) => <BreakerTag state={state} closed="Closed" /> },
  { title: 'Since', cell: ({ since }) => <When at={since} /> },
  {
    title: 'Calls now',
    className: RIGHT,
    cell: ({ calls_under_way, calls_at_once }) => `${number(calls_under_way)} of ${number(calls_at_once)}`,
  },
  { title: 'Reported', cell: ({ seen_at }) => <When at={seen_at} /> },
]

function Looks({ accounts }: { accounts: VendorDetail['accounts'] }) {
  if (accounts.length === 0) return <p className="text-muted">Nobody has searched or booked at this vendor.</p>
  return (
    <Table
      caption="Searches and bookings of each account in the last 30 days"
      columns={LOOKS}
      rows={accounts}
      rowKey={({ account_id }) => account_id}
    />
  )
}

const LOOKS: readonly Column<VendorDetail['accounts'][number]>[] = [
  {
    title: 'Account',
    cell: ({ account_id }) => (account_id === 'guests' ? 'Guests of the page' : <Code>{account_id}</Code>),
  },
  { title: 'Searches', className: RIGHT, cell: ({ searches }) => number(searches) },
  { title: 'Bookings', className: RIGHT, cell: ({ bookings }) => number(bookings) },
  { title: 'Searches : bookings', className: RIGHT, cell: (looks) => ratioOf(looks) },
]
