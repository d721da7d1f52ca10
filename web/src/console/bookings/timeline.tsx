import type { ReactNode } from 'react'
import { formatVendorName } from '../../ui/badges.tsx'
import { Block } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { formatCount } from '../parts/format-count.ts'
import { Table } from '../parts/list-table.tsx'
import type { BookingFile } from './booking-file.ts'
import { formatMailOutcome } from './format-mail-outcome.ts'
import { formatVendorValue } from './format-vendor-value.ts'

type Step = {
  readonly key: string
  readonly at: string
  readonly kind: string
  readonly what: ReactNode
  readonly who: string
  readonly requestId: string | null
}

/** Everything that has happened to the booking, in chronological order. */
export function Timeline({ file }: { file: BookingFile }) {
  const steps = [
    ...eventSteps(file),
    ...readingSteps(file),
    ...callSteps(file),
    ...mailSteps(file),
    ...webhookSteps(file),
  ]
  steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return (
    <Block title="Timeline">
      <Table<Step>
        caption="Everything that has happened to the booking"
        columns={[
          { title: 'When', cell: ({ at }) => <When at={at} /> },
          { title: 'Kind', cell: ({ kind }) => kind, className: 'whitespace-nowrap' },
          { title: 'What', cell: ({ what }) => what },
          { title: 'Who', cell: ({ who }) => who },
          {
            title: 'Request',
            cell: ({ requestId }) =>
              requestId !== null && (
                <a className="link" href={`/console/requests/${encodeURIComponent(requestId)}`}>
                  <Code>{requestId}</Code>
                </a>
              ),
            className: 'md:min-w-60',
          },
        ]}
        rows={steps}
        rowKey={({ key }) => key}
      />
    </Block>
  )
}

/** The reason, unless it only repeats the event. */
function formatReason(type: string, reason: string | null): string {
  return reason === null || reason.toLowerCase() === type ? '' : ` (${reason})`
}

const formatType = (type: string) => type.replace('booking.', '').replaceAll('_', ' ')

const eventSteps = ({ events, account }: BookingFile): Step[] =>
  events.map((event) => ({
    key: `event ${event.sequence}`,
    at: event.at,
    kind: 'Event',
    what: (
      <>
        <strong>{formatType(event.type)}</strong>
        {formatReason(formatType(event.type), event.reason)}
      </>
    ),
    who:
      event.actor === null
        ? 'unknown'
        : event.actor.id === account?.id
          ? account.email
          : `${event.actor.kind} ${event.actor.id}`,
    requestId: event.request_id,
  }))

const readingSteps = ({ readings, booking }: BookingFile): Step[] =>
  readings.map((reading) => ({
    key: `reading ${reading.at}`,
    at: reading.at,
    kind: 'Reading',
    what: `${reading.outcome}${reading.vendor_says === null ? '' : `: ${formatVendorValue(reading.vendor_says)}`}`,
    who: formatVendorName(booking.vendor_id),
    requestId: null,
  }))

const callSteps = ({ vendor_calls: calls }: BookingFile): Step[] =>
  calls.map((call) => ({
    key: call.id,
    at: call.at,
    kind: 'Vendor call',
    what: `${call.operation}: ${call.status ?? call.fault ?? 'no response'} in ${call.took_ms} ms`,
    who: formatVendorName(call.vendor_id),
    requestId: call.request_id,
  }))

const mailSteps = ({ mails }: BookingFile): Step[] =>
  mails.map((mail) => ({
    key: `mail ${mail.sequence}`,
    at: mail.created_at,
    kind: 'Mail',
    what: `${mail.kind.replaceAll('_', ' ')}: ${formatMailOutcome(mail.outcome)}`,
    who: mail.sequence < 0 ? 'to the operator' : 'to the guest',
    requestId: null,
  }))

const webhookSteps = ({ deliveries }: BookingFile): Step[] =>
  deliveries.map((delivery) => ({
    key: `${delivery.webhook_id} ${delivery.id}`,
    at: delivery.created_at,
    kind: 'Webhook',
    what: `${delivery.body.type}: ${delivery.status}, ${formatCount(delivery.attempts.length, 'attempt')}`,
    who: `to ${delivery.webhook_id}`,
    requestId: null,
  }))
