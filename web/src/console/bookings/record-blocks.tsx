import { ActionButton } from '../parts/action-button.tsx'
import { Block } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { formatCount } from '../parts/format-count.ts'
import { Table } from '../parts/list-table.tsx'
import { replayDelivery, sendMail } from './actions.ts'
import type { BookingFile } from './booking-file.ts'
import { formatMailOutcome } from './format-mail-outcome.ts'

type Call = BookingFile['vendor_calls'][number]
type Delivery = BookingFile['deliveries'][number]
type Mail = BookingFile['mails'][number]

export function VendorCallsBlock({ calls }: { calls: readonly Call[] }) {
  return (
    <Block title="Calls to the vendor">
      {calls.length === 0 && (
        <p className="text-muted">No calls stored. Calls are kept for 30 days; simulated bookings have none.</p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {calls.map((call) => (
          <li key={call.id} className="py-1">
            <CallDetails call={call} />
          </li>
        ))}
      </ul>
    </Block>
  )
}

function CallDetails({ call }: { call: Call }) {
  const outcome = call.status ?? call.fault ?? 'no response'
  return (
    <details>
      <summary className="min-h-9 py-1.5">
        <When at={call.at} /> · <strong>{call.operation}</strong> · {outcome} · {call.took_ms} ms
      </summary>
      <div className="flex flex-col gap-2 pb-3 pl-4">
        <p>
          <Code>
            {call.method} {call.path}
          </Code>
        </p>
        <p className="text-muted">
          Request <Code>{call.request_id}</Code>
        </p>
        <BodyText title="Sent" text={call.request} />
        <BodyText title="Received" text={call.response} />
      </div>
    </details>
  )
}

/** Personal data and secrets are removed before storing. */
function BodyText({ title, text }: { title: string; text: string | null }) {
  return (
    <div>
      <h3 className="text-sm">{title}</h3>
      {text === null ? (
        <p className="text-muted">Empty or hidden: only operators who may see net prices can see bodies.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard
        <pre tabIndex={0} className="max-h-80 overflow-auto rounded-md bg-sunk p-3 text-xs whitespace-pre-wrap">
          {prettyPrint(text)}
        </pre>
      )}
    </div>
  )
}

/** Returns truncated JSON unchanged. */
function prettyPrint(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export function DeliveriesBlock(props: { deliveries: readonly Delivery[]; onDone(what: string): void }) {
  return (
    <Block title="Webhooks">
      {props.deliveries.length === 0 ? (
        <p className="text-muted">No deliveries stored. Deliveries are kept for 7 days.</p>
      ) : (
        <Table<Delivery>
          caption="Webhook deliveries of the booking"
          columns={[
            { title: 'When', cell: ({ created_at }) => <When at={created_at} /> },
            { title: 'Event', cell: ({ body }) => body.type },
            { title: 'To', cell: ({ webhook_id }) => <Code>{webhook_id}</Code> },
            { title: 'Status', cell: (delivery) => formatDeliveryStatus(delivery) },
            {
              title: 'Action',
              cell: (delivery) => (
                <ActionButton
                  label={`Send again: ${delivery.body.type}`}
                  run={() => replayDelivery(delivery.webhook_id, delivery.id)}
                  onDone={props.onDone}
                />
              ),
            },
          ]}
          rows={props.deliveries}
          rowKey={({ webhook_id, id }) => `${webhook_id} ${id}`}
        />
      )}
    </Block>
  )
}

function formatDeliveryStatus({ status, attempts }: Delivery): string {
  const last = attempts.at(-1)
  const result = last && (last.status ?? last.error ?? 'no response')
  return `${status}, ${formatCount(attempts.length, 'attempt')}${result === undefined ? '' : `, last result: ${result}`}`
}

type MailsProps = { mails: readonly Mail[]; bookingId: string; onDone(what: string): void }

export function MailsBlock({ mails, bookingId, onDone }: MailsProps) {
  return (
    <Block title="Mails">
      {mails.length === 0 ? (
        <p className="text-muted">No mails stored. Mails are kept for 7 days.</p>
      ) : (
        <Table<Mail>
          caption="Mails about the booking"
          columns={[
            { title: 'When', cell: ({ created_at }) => <When at={created_at} /> },
            { title: 'About', cell: ({ kind }) => kind.replaceAll('_', ' ') },
            { title: 'To', cell: ({ sequence }) => (sequence < 0 ? 'the operator' : 'the guest') },
            {
              title: 'Outcome',
              cell: ({ outcome, error }) => (error === null ? formatMailOutcome(outcome) : `${outcome} (${error})`),
            },
            {
              title: 'Action',
              cell: ({ sequence, outcome }) =>
                outcome === 'failed' && (
                  <ActionButton label="Try again" run={() => sendMail(bookingId, sequence)} onDone={onDone} />
                ),
            },
          ]}
          rows={mails}
          rowKey={({ sequence }) => String(sequence)}
        />
      )}
    </Block>
  )
}
