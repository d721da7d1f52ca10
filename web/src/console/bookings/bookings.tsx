import { type FormEvent, useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { serai } from '../../api/client.ts'
import { navigate, useAddress } from '../../browser/router.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { formatVendorName } from '../../ui/badges.tsx'
import { BookingState, STATE_NAMES } from '../parts/booking-state.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { formatCount } from '../parts/format-count.ts'
import { type Column, ListTable } from '../parts/list-table.tsx'
import type { SectionProps } from '../section-props.ts'
import { BookingView } from './booking-view.tsx'

type Booking = components['schemas']['OperatorBooking']
type Answer = components['schemas']['OperatorBookingList']

/** Bookings of all accounts, or one of them. */
export default function BookingsSection({ rest: [id] }: SectionProps) {
  return id === undefined ? <BookingSearch /> : <BookingView id={id} />
}

const COLUMNS: readonly Column<Booking>[] = [
  {
    title: 'Booking',
    cell: ({ booking_id: id, reference, vendor_reference }) => (
      <>
        <a
          className="link font-mono text-xs whitespace-nowrap"
          href={`/console/bookings/${encodeURIComponent(id)}`}
          aria-label={`Booking ${reference}`}
        >
          {reference}
        </a>
        {vendor_reference !== null && (
          <span className="block text-muted">
            <Code>{vendor_reference}</Code>
          </span>
        )}
      </>
    ),
  },
  {
    title: 'Status',
    cell: (booking) => (
      <span className="flex flex-col items-start gap-1">
        <BookingState booking={booking} />
      </span>
    ),
  },
  { title: 'Property', className: 'md:min-w-44', cell: ({ property }) => property.name },
  {
    title: 'Stay',
    className: 'figures',
    cell: (booking) => (
      <>
        <span className="whitespace-nowrap">{booking.check_in} to</span>{' '}
        <span className="whitespace-nowrap">{booking.check_out}</span>
      </>
    ),
  },
  {
    title: 'Lead guest',
    cell: ({ guests: [lead] }) => (lead === undefined ? '' : `${lead.given_name} ${lead.family_name}`),
  },
  { title: 'Vendor', cell: ({ vendor_id }) => formatVendorName(vendor_id) },
  { title: 'Price', cell: (booking) => <Price booking={booking} />, className: 'text-right whitespace-nowrap' },
  { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
]

function Price({ booking }: { booking: Booking }) {
  const { money } = useI18n()
  return <span className="figures">{money(booking.total_price, booking.currency)}</span>
}

function BookingSearch() {
  const { query } = useAddress()
  const q = query.get('q') ?? ''
  const status = query.get('status') ?? ''
  return (
    <ConsolePage title="Bookings" intro="Bookings of all accounts, newest first.">
      <SearchForm key={`${q} ${status}`} q={q} status={status} />
      <ListTable<Booking, Answer>
        caption="Bookings"
        queryKey={['console', 'bookings', q, status]}
        read={(paging) =>
          serai.operator.bookings({
            ...paging,
            ...(q === '' ? {} : { q }),
            ...(status === '' ? {} : { filters: [`status:==<${status}`] }),
          })
        }
        columns={COLUMNS}
        rowKey={({ booking_id }) => booking_id}
        empty={q === '' && status === '' ? 'No bookings yet.' : 'No bookings found.'}
        note={({ looked_at: range }) => range && <SearchedRange range={range} />}
      />
    </ConsolePage>
  )
}

function SearchForm({ q, status }: { q: string; status: string }) {
  const [text, setText] = useState(q)
  const [state, setState] = useState(status)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const chosen = new URLSearchParams({ ...(text.trim() && { q: text.trim() }), ...(state && { status: state }) })
    navigate(`/console/bookings${chosen.size === 0 ? '' : `?${chosen}`}`, { keepScroll: true })
  }
  return (
    <search>
      <form className="mb-4 flex flex-wrap items-end gap-3" onSubmit={submit}>
        <label className="min-w-60 flex-1">
          <span className="field-label">Reference, guest, e-mail, property or date</span>
          <input
            className="field"
            type="search"
            maxLength={100}
            value={text}
            onChange={(e) => setText(e.target.value)}
          />
        </label>
        <label>
          <span className="field-label">Status</span>
          <select className="field" value={state} onChange={(event) => setState(event.target.value)}>
            <option value="">Any status</option>
            {Object.entries(STATE_NAMES).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="btn btn-primary">
          Find
        </button>
      </form>
    </search>
  )
}

function SearchedRange({ range }: { range: NonNullable<Answer['looked_at']> }) {
  return (
    <p className="mb-2 text-muted">
      {range.all
        ? `Searched ${range.bookings === 1 ? 'the only booking' : `all ${formatCount(range.bookings, 'booking')}`}.`
        : `Searched the newest ${formatCount(range.bookings, 'booking')}`}
      {!range.all && range.back_to !== null && (
        <>
          , back to <When at={range.back_to} />. Search by our reference to find older ones.
        </>
      )}
    </p>
  )
}
