import { callApi, serai } from '../../api/client.ts'
import { formatVendorName } from '../../ui/badges.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { AdoptButton } from './adopt-button.tsx'
import type { Difference } from './difference.ts'

type Props = { from: string; differences: readonly Difference[]; onDone(what: string): void }

/** Bookings that the vendor and the database see differently, each with its proposal. */
export function DifferenceTable({ from, differences, onDone }: Props) {
  const columns: readonly Column<Difference>[] = [
    ...COLUMNS,
    { title: 'Proposal', cell: (difference) => <Actions from={from} difference={difference} onDone={onDone} /> },
  ]
  const rowKey = (row: Difference) => `${row.vendor_id} ${row.reference} ${row.vendor_reference}`
  return <Table caption="Differences" columns={columns} rows={differences} rowKey={rowKey} />
}

const COLUMNS: readonly Column<Difference>[] = [
  { title: 'Vendor', cell: ({ vendor_id }) => formatVendorName(vendor_id) },
  { title: 'Booking', cell: (difference) => <Reference {...difference} /> },
  {
    title: 'Stay',
    cell: ({ property_name: name, check_in: checkIn, check_out: checkOut }) =>
      name === null ? '' : `${name}, ${checkIn ?? '?'} to ${checkOut ?? '?'}`,
  },
  { title: 'Here', cell: ({ our_status: status }) => status?.replaceAll('_', ' ') ?? 'unknown' },
  { title: 'There', cell: ({ vendor_status: status }) => status?.replaceAll('_', ' ') ?? 'not found' },
]

const Reference = ({ booking_id: id, reference, vendor_reference: vendorReference }: Difference) => (
  <>
    {id === null ? reference : <a href={`/console/bookings/${encodeURIComponent(id)}`}>{reference}</a>}
    {vendorReference !== null && <span className="block text-xs text-muted">{vendorReference}</span>}
  </>
)

type ActionProps = { from: string; difference: Difference; onDone(what: string): void }

function Actions({ from, difference, onDone }: ActionProps) {
  const { proposal, vendor_id, reference } = difference
  if (proposal === 'review')
    return (
      <ActionButton
        label="Read it again"
        confirm={{ title: 'Read the booking again', text: 'The vendor is asked about it at once.', reason: true }}
        run={async (reason) => {
          const order = { from, vendor_id, reference, reason, action: 'review' as const }
          await callApi(serai.operator.reconciliationCarryOut(order))
          return `${reference} is read again. Its page shows the outcome.`
        }}
        onDone={onDone}
      />
    )
  return (
    <div className="flex flex-wrap gap-2">
      {proposal === 'adopt' && <AdoptButton from={from} difference={difference} onDone={onDone} />}
      <ActionButton
        label="Cancel at the vendor"
        look="danger"
        confirm={{
          title: `Cancel ${reference} at the vendor`,
          text: 'The vendor’s terms apply, and it may charge a fee. Nothing is charged to an account.',
          reason: true,
        }}
        run={async (reason) => {
          const order = { from, vendor_id, reference, reason, action: 'cancel' as const }
          await callApi(serai.operator.reconciliationCarryOut(order))
          return `${reference} is cancelled at the vendor.`
        }}
        onDone={onDone}
      />
    </div>
  )
}
