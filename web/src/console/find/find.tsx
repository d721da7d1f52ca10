import { useQuery } from '@tanstack/react-query'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { useAddress } from '../../browser/router.ts'
import { Failure } from '../../ui/failure.tsx'
import { BookingState } from '../parts/booking-state.tsx'
import { Block, ConsolePage } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { formatCount } from '../parts/format-count.ts'
import { type Column, Table } from '../parts/list-table.tsx'

type Found = components['schemas']['Found']

/** Bookings, accounts and requests for the text of the search box. */
export default function FindSection() {
  const { query } = useAddress()
  const text = (query.get('q') ?? '').trim()
  const found = useQuery({
    queryKey: ['console', 'find', text],
    queryFn: () => callApi(serai.operator.find({ q: text })),
    enabled: text !== '',
    staleTime: 0,
  })
  return (
    <ConsolePage title={text === '' ? 'Search' : `Search for “${text}”`}>
      {text === '' && (
        <p className="text-muted">
          Search for a reference (ours, the vendor’s or the property’s), a guest, an account, or a request id.
        </p>
      )}
      {text !== '' && found.isPending && <p className="py-6 text-muted">Searching …</p>}
      {found.isError && <Failure error={found.error} onRetry={() => found.refetch()} />}
      {found.data !== undefined && <Results found={found.data} />}
    </ConsolePage>
  )
}

function Results({ found: { bookings, accounts, requests, looked_at: range } }: { found: Found }) {
  const count = bookings.length + accounts.length + requests.length
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="text-muted">
        {count === 0 ? 'Nothing found.' : `${formatCount(count, 'result')}.`}
        {range !== null &&
          !range.all &&
          ` Guests were searched in the newest ${formatCount(range.bookings, 'booking')}.`}
      </p>
      {bookings.length > 0 && (
        <Block title="Bookings">
          <Table caption="Bookings" columns={BOOKINGS} rows={bookings} rowKey={({ booking_id }) => booking_id} />
        </Block>
      )}
      {accounts.length > 0 && (
        <Block title="Accounts">
          <Table caption="Accounts" columns={ACCOUNTS} rows={accounts} rowKey={({ id }) => id} />
        </Block>
      )}
      {requests.length > 0 && (
        <Block title="Requests">
          <Table caption="Requests" columns={REQUESTS} rows={requests} rowKey={({ id }) => id} />
        </Block>
      )}
    </div>
  )
}

const BOOKINGS: readonly Column<Found['bookings'][number]>[] = [
  {
    title: 'Booking',
    cell: ({ booking_id, reference }) => (
      <a className="link font-mono text-xs" href={`/console/bookings/${encodeURIComponent(booking_id)}`}>
        {reference}
      </a>
    ),
  },
  { title: 'Vendor reference', cell: ({ vendor_reference }) => vendor_reference && <Code>{vendor_reference}</Code> },
  {
    title: 'Status',
    cell: (booking) => (
      <span className="flex flex-col items-start gap-1">
        <BookingState booking={booking} />
      </span>
    ),
  },
  { title: 'Property', cell: ({ property_name }) => property_name },
  { title: 'Check-in', className: 'figures whitespace-nowrap', cell: ({ check_in }) => check_in },
  { title: 'Lead guest', cell: ({ lead_guest }) => lead_guest ?? 'erased' },
]

const ACCOUNTS: readonly Column<Found['accounts'][number]>[] = [
  {
    title: 'E-mail',
    cell: ({ id, email }) => (
      <a className="link" href={`/console/accounts/${id}`}>
        {email}
      </a>
    ),
  },
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Role', cell: ({ role }) => role },
]

const REQUESTS: readonly Column<Found['requests'][number]>[] = [
  {
    title: 'Request',
    cell: ({ request_id }) => (
      <a className="link" href={`/console/requests/${encodeURIComponent(request_id)}`}>
        <Code>{request_id}</Code>
      </a>
    ),
  },
  { title: 'When', cell: ({ at }) => <When at={at} /> },
  { title: 'Operation', cell: ({ operation }) => <Code>{operation}</Code> },
  { title: 'Status', className: 'figures', cell: ({ status }) => status },
]
