import { useQuery } from '@tanstack/react-query'
import { resultOf, serai } from '../../api/client.ts'
import { vendorName } from '../../ui/badges.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import type { SectionProps } from '../section-props.ts'
import { CallBars } from './call-bars.tsx'
import { VendorView } from './vendor-view.tsx'
import { BreakerTag, Environment, milliseconds, number, REFRESH_MS, ratioOf, shareOf, type Vendor } from './words.tsx'

export default function VendorsSection({ rest: [vendorId] }: SectionProps) {
  return vendorId === undefined ? <Overview /> : <VendorView vendorId={vendorId} />
}

function Overview() {
  const vendors = useQuery({
    queryKey: ['console', 'vendors'],
    queryFn: () => resultOf(serai.operator.vendors({ page_size: 100 })),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  return (
    <ConsolePage title="Vendors" intro="How each vendor answers, by what all processes have counted in the last hour.">
      {vendors.isPending && <p className="py-6 text-muted">Loading …</p>}
      {vendors.isError && <Failure error={vendors.error} onRetry={() => vendors.refetch()} />}
      {vendors.data?.data.length === 0 && (
        <p className="py-6 text-muted">No vendor is connected. “serai vendors list” names the settings of each.</p>
      )}
      {vendors.data !== undefined && vendors.data.data.length > 0 && (
        <Table
          caption="Vendors and how they did in the last hour"
          columns={COLUMNS}
          rows={vendors.data.data}
          rowKey={({ vendor_id }) => vendor_id}
        />
      )}
    </ConsolePage>
  )
}

const RIGHT = 'text-right figures whitespace-nowrap'

const COLUMNS: readonly Column<Vendor>[] = [
  {
    title: 'Vendor',
    cell: ({ vendor_id, environment }) => (
      <div className="flex flex-col items-start gap-1">
        <a className="link font-semibold whitespace-nowrap" href={`/console/vendors/${vendor_id}`}>
          {vendorName(vendor_id)}
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
          <span className="tag bg-warn-wash text-warn">No process reports</span>
        ) : (
          <BreakerTag state={breaker} />
        )}
        {quota.held_until !== null && (
          <span className="text-xs text-warn">
            asked for a pause until <When at={quota.held_until} />
          </span>
        )}
      </div>
    ),
  },
  { title: 'Last hour', cell: ({ recent }) => <CallBars spans={recent} what="Calls in the last hour" /> },
  { title: 'Calls', className: RIGHT, cell: ({ last_hour }) => number(last_hour.calls) },
  {
    title: 'Failed',
    className: RIGHT,
    cell: ({ last_hour }) => (
      <span className={last_hour.failures > 0 ? 'font-semibold text-bad' : ''}>{shareOf(last_hour)}</span>
    ),
  },
  { title: 'Half within', className: RIGHT, cell: ({ last_hour }) => milliseconds(last_hour.p50_ms) },
  { title: '95 % within', className: RIGHT, cell: ({ last_hour }) => milliseconds(last_hour.p95_ms) },
  { title: 'Searches : bookings', className: RIGHT, cell: ({ look_to_book }) => ratioOf(look_to_book) },
  {
    title: 'Content',
    cell: ({ content }) => (
      <div className="flex min-w-40 flex-col">
        <span className="figures">{number(content.properties)} properties</span>
        <span className="text-xs text-muted">
          {content.fresh_at === null ? 'not read to its end yet' : <When at={content.fresh_at} />}
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
