import { useI18n } from '../../i18n/i18n.tsx'
import { Block } from '../parts/console-page.tsx'
import { countOf } from '../parts/count-of.ts'
import { Code, Facts, When } from '../parts/facts.tsx'
import { Table } from '../parts/list-table.tsx'
import type { BookingFile } from './booking-file.ts'
import { said } from './said.ts'

type Booking = BookingFile['booking']
type Discrepancy = Booking['discrepancies'][number]

export function StayBlock({ booking }: { booking: Booking }) {
  const { money } = useI18n()
  const { net, contact, property, room } = booking
  return (
    <Block title="Stay">
      <Facts
        rows={[
          ['Property', `${property.name}, ${property.address}`],
          ['Dates', `${booking.check_in} to ${booking.check_out}, ${countOf(booking.nights, 'night')}`],
          ['Room', `${booking.rooms.length} × ${room.name}`],
          ['Guests', booking.guests.map((one) => `${one.given_name} ${one.family_name}`).join(', ') || 'erased'],
          ['Contact', [contact.email, contact.phone].filter(Boolean).join(', ') || 'none'],
          ['Special requests', booking.special_requests || null],
          [
            'Price',
            <span key="price">
              {money(booking.total_price, booking.currency)}{' '}
              <a className="link" href={`/console/selling?booking=${encodeURIComponent(booking.booking_id)}`}>
                How it came about
              </a>
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
          ['Booking', <Code key="id">{booking.booking_id}</Code>],
          ['Our reference', <Code key="ours">{booking.reference}</Code>],
          ['Vendor', booking.vendor_id],
          ['Its reference', booking.vendor_reference && <Code>{booking.vendor_reference}</Code>],
          ['The property’s number', confirmation.property && <Code>{confirmation.property}</Code>],
          ['The client’s reference', booking.client_reference && <Code>{booking.client_reference}</Code>],
          [
            'Account',
            account === null ? `a guest of the page (${booking.account_id})` : `${account.name}, ${account.email}`,
          ],
          ['Made', <When key="made" at={booking.created_at} />],
        ]}
      />
    </Block>
  )
}

/** What was agreed beside what the vendor says, where that is something else; and every look at the vendor. */
export function AgreedBlock({ file: { booking, readings } }: { file: BookingFile }) {
  const { discrepancies } = booking
  return (
    <Block title="Agreed, and said by the vendor">
      {discrepancies.length === 0 ? (
        <p className="text-muted">The vendor has never said anything else than was agreed.</p>
      ) : (
        <Table<Discrepancy>
          caption="Differences between what was agreed and what the vendor says"
          columns={[
            { title: 'What', cell: ({ code }) => code.replaceAll('_', ' ') },
            { title: 'Agreed', cell: ({ booked }) => said(booked) },
            { title: 'The vendor says', cell: ({ vendor_says }) => said(vendor_says) },
            { title: 'Since', cell: ({ since }) => <When at={since} /> },
            { title: 'Until', cell: ({ until }) => (until === null ? 'it still says so' : <When at={until} />) },
          ]}
          rows={discrepancies}
          rowKey={({ code, since }) => `${code} ${since}`}
        />
      )}
      <p className="mt-2 text-muted">
        {readings.length === 0
          ? 'It was not read again at the vendor yet.'
          : `It was read again at the vendor ${readings.length === 1 ? 'once' : `${readings.length} times`}.`}
      </p>
    </Block>
  )
}
