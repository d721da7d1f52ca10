import { useQuery } from '@tanstack/react-query'
import { callApi, serai } from '../../api/client.ts'
import { formatVendorName } from '../../ui/badges.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import type { SectionProps } from '../section-props.ts'
import { CallBars } from './call-bars.tsx'
import {
  BreakerTag,
  Environment,
  FailureRate,
  formatLookToBook,
  formatMilliseconds,
  formatNumber,
  REFRESH_MS,
  type Vendor,
} from './vendor-format.tsx'
import { VendorView } from './vendor-view.tsx'

export default function VendorsSection({ rest: [vendorId] }: SectionProps) {
  return vendorId === undefined ? <Overview /> : <VendorView vendorId={vendorId} />
}

function Overview() {
  const vendors = useQuery({
    queryKey: ['console', 'vendors'],
    queryFn: () => callApi(serai.operator.vendors({ page_size: 100 })),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  return (
    <ConsolePage
      title="Vendors"
      intro="Calls to each vendor in the last hour, counted by all processes. An operation is failing if a fifth of its calls fail."
    >
      {vendors.isPending && <p className="py-6 text-muted">Loading …</p>}
      {vendors.isError && <Failure error={vendors.error} onRetry={() => vendors.refetch()} />}
      {vendors.data?.data.length === 0 && (
        <p className="py-6 text-muted">No vendor is connected. Run “serai vendors list” to see the settings of each.</p>
      )}
      {vendors.data !== undefined && vendors.data.data.length > 0 && (
        <Table
          caption="Vendors and their calls in the last hour"
          columns={COLUMNS}
          rows={vendors.data.data}
          rowKey={({ vendor_id }) => vendor_id}
        />
      )}
    </ConsolePage>
  )
}

const NUMBER_CELL = 'text-right figures whitespace-nowrap'

const COLUMNS: readonly Column<Vendor>[] = [
  {
    title: 'Vendor',
    cell: ({ vendor_id, environment }) => (
      <div className="flex flex-col items-start gap-1">
        <a className="link font-semibold whitespace-nowrap" href={`/console/vendors/${vendor_id}`}>
          {formatVendorName(vendor_id)}
        </a>
        <Environment name={environment} />
      </div>
    ),
  },
  {
    title: 'State',
    cell: ({ breaker, processes, quota }) => (
      <div className="flex flex-col items-start gap-1">
        {processes === 0 ? (
          <span className="tag bg-warn-wash text-warn">No process reporting</span>
        ) : (
          <BreakerTag state={breaker} />
        )}
        {quota.held_until !== null && (
          <span className="text-xs text-warn">
            paused until <When at={quota.held_until} />
          </span>
        )}
      </div>
    ),
  },
  { title: 'Last hour', cell: ({ recent }) => <CallBars spans={recent} what="Calls in the last hour" /> },
  { title: 'Calls', className: NUMBER_CELL, cell: ({ last_hour }) => formatNumber(last_hour.calls) },
  {
    title: 'Failed',
    className: NUMBER_CELL,
    cell: ({ last_hour }) => <FailureRate calls={last_hour} />,
  },
  {
    title: 'Failing operations',
    cell: ({ failing_operations }) =>
      failing_operations.length === 0 ? (
        <span className="text-muted">none</span>
      ) : (
        <ul className="text-bad">
          {failing_operations.map(({ operation, period, calls, failures }) => (
            <li key={operation}>
              <strong>{operation}</strong> {Math.round((failures / calls) * 100)} % of {formatNumber(calls)}
              {period === 'day' && ' in the last day'}
            </li>
          ))}
        </ul>
      ),
  },
  {
    title: 'Median, 95 %',
    className: NUMBER_CELL,
    cell: ({ last_hour }) => (
      <>
        {formatMilliseconds(last_hour.p50_ms)}
        <span className="block text-muted">{formatMilliseconds(last_hour.p95_ms)}</span>
      </>
    ),
  },
  { title: 'Searches : bookings', className: NUMBER_CELL, cell: ({ look_to_book }) => formatLookToBook(look_to_book) },
  {
    title: 'Content',
    cell: ({ content }) => (
      <div className="flex min-w-40 flex-col">
        <span className="figures">{formatNumber(content.properties)} properties</span>
        <span className="text-xs text-muted">
          {content.fresh_at === null ? 'not fully read yet' : <When at={content.fresh_at} />}
        </span>
        {content.late_since !== null && (
          <span className="text-xs font-semibold text-bad">
            late since <When at={content.late_since} />
          </span>
        )}
      </div>
    ),
  },
]
