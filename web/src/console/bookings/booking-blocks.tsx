import { useI18n } from '../../i18n/i18n.tsx'
import { formatVendorName } from '../../ui/badges.tsx'
import { Block } from '../parts/console-page.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Code, Facts, When } from '../parts/facts.tsx'
import { formatCount } from '../parts/format-count.ts'
import { Table } from '../parts/list-table.tsx'
import type { BookingFile } from './booking-file.ts'
import { formatVendorValue } from './format-vendor-value.ts'

type Booking = BookingFile['booking']
type Discrepancy = Booking['discrepancies'][number]

export function StayFactsBlock({ booking }: { booking: Booking }) {
  const { money } = useI18n()
  const { net, contact, property, room } = booking
  return (
    <Block title="Stay">
      <Facts
        rows={[
          ['Property', `${property.name}, ${property.address}`],
          ['Dates', `${booking.check_in} to ${booking.check_out}, ${formatCount(booking.nights, 'night')}`],
          ['Room', `${booking.rooms.length} × ${room.name}`],
          ['Guests', booking.guests.map((guest) => `${guest.given_name} ${guest.family_name}`).join(', ') || 'erased'],
          ['Contact', [contact.email, contact.phone].filter(Boolean).join(', ') || 'none'],
          ['Special requests', booking.special_requests || null],
          [
            'Price',
            <span key="price">
              {money(booking.total_price, booking.currency)}{' '}
              {/* Only accounts that see net prices may see the breakdown. */}
              {net && (
                <a className="link" href={`/console/selling?booking=${encodeURIComponent(booking.booking_id)}`}>
                  Price breakdown
                </a>
              )}
            </span>,
          ],
          ['Net', net && money(net.total, net.currency)],
          [
            'Due at the property',
            booking.due_at_property > 0 ? money(booking.due_at_property, booking.currency) : null,
          ],
        ]}
      />
    </Block>
  )
}

export function ReferencesBlock({ file: { booking, account } }: { file: BookingFile }) {
  const { confirmation } = booking
  return (
    <Block title="References">
      <Facts
        rows={[
          ['Booking', <Copyable key="id" what="booking id" text={booking.booking_id} />],
          ['Our reference', <Copyable key="ours" what="our reference" text={booking.reference} />],
          ['Vendor', formatVendorName(booking.vendor_id)],
          [
            'Vendor reference',
            booking.vendor_reference && <Copyable what="vendor reference" text={booking.vendor_reference} />,
          ],
          [
            'Property confirmation',
            confirmation.property && <Copyable what="property confirmation" text={confirmation.property} />,
          ],
          ['Vendor cancellation', booking.cancellation?.vendor_reference],
          ['Client reference', booking.client_reference && <Code>{booking.client_reference}</Code>],
          [
            'Account',
            account === null ? (
              `page guest (${booking.account_id})`
            ) : (
              <a key="account" className="link" href={`/console/accounts/${account.id}`}>
                {account.name}, {account.email}
              </a>
            ),
          ],
          ['Created', <When key="created" at={booking.created_at} />],
        ]}
      />
    </Block>
  )
}

/** Discrepancies between the agreed terms and the vendor's report, and the number of readings. */
export function AgreedBlock({ file: { booking, readings } }: { file: BookingFile }) {
  const { discrepancies } = booking
  return (
    <Block title="Agreed terms and vendor’s report">
      {discrepancies.length === 0 ? (
        <p className="text-muted">The vendor has never reported anything different.</p>
      ) : (
        <Table<Discrepancy>
          caption="Differences between the agreed terms and the vendor’s report"
          columns={[
            { title: 'Discrepancy', cell: ({ code }) => code.replaceAll('_', ' ') },
            { title: 'Agreed', cell: ({ booked }) => formatVendorValue(booked) },
            { title: 'Vendor reports', cell: ({ vendor_says }) => formatVendorValue(vendor_says) },
            { title: 'Since', cell: ({ since }) => <When at={since} /> },
            { title: 'Until', cell: ({ until }) => (until === null ? 'ongoing' : <When at={until} />) },
          ]}
          rows={discrepancies}
          rowKey={({ code, since }) => `${code} ${since}`}
        />
      )}
      <p className="mt-2 text-muted">
        {readings.length === 0
          ? 'It has not been re-read at the vendor yet.'
          : `It was re-read at the vendor ${readings.length === 1 ? 'once' : `${readings.length} times`}.`}
      </p>
    </Block>
  )
}
