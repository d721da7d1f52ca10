import { callApi, serai } from '../../api/client.ts'
import { askVendor, replayWebhook, sendMail } from '../bookings/actions.ts'
import { ResolveButton } from '../bookings/resolve-button.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import type { Entry } from './entry.ts'

type Props = { entry: Entry; isDone: boolean; onDone(what: string): void }

/** Only an outcome removes these from the list. */
const SETTLED_BY_OUTCOME: readonly Entry['kind'][] = ['commits_lost', 'needs_review', 'in_doubt']

/** The most helpful action, a link to details, and marking the entry as settled. */
export function EntryActions({ entry, isDone, onDone }: Props) {
  return (
    <div className="mt-3 flex flex-wrap items-start gap-2">
      {!isDone && <MainAction entry={entry} onDone={onDone} />}
      {entry.booking_id !== null && (
        <a className="btn btn-quiet" href={`/console/bookings/${encodeURIComponent(entry.booking_id)}`}>
          Open the booking
        </a>
      )}
      {!isDone && entry.action !== 'mark_done' && !SETTLED_BY_OUTCOME.includes(entry.kind) && (
        <MarkDone entry={entry} look="quiet" onDone={onDone} />
      )}
    </div>
  )
}

function MainAction({ entry, onDone }: Omit<Props, 'isDone'>) {
  const { booking_id: bookingId, webhook_id: webhookId, vendor_id: vendorId } = entry
  switch (entry.action) {
    case 'read':
      return (
        <ActionButton
          label="Ask the vendor now"
          look="primary"
          run={() => askVendor(bookingId ?? '')}
          onDone={onDone}
        />
      )
    case 'resolve':
      return <ResolveButton bookingId={bookingId ?? ''} look="primary" onDone={onDone} />
    case 'send_mail':
      return (
        <ActionButton
          label="Send the mail again"
          look="primary"
          run={() => sendMail(bookingId ?? '', entry.mail_sequence)}
          onDone={onDone}
        />
      )
    case 'replay':
      return (
        <ActionButton
          label="Send all events again"
          look="primary"
          run={() => replayWebhook(webhookId ?? '')}
          onDone={onDone}
        />
      )
    case 'open_vendor':
      return (
        <a className="btn btn-primary" href={`/console/vendors/${encodeURIComponent(vendorId ?? '')}`}>
          Open the vendor
        </a>
      )
    case 'open_exchange_rates':
      return (
        <a className="btn btn-primary" href="/console/rates">
          Open the exchange rates
        </a>
      )
    case 'open_reconciliation':
      return (
        <a className="btn btn-primary" href="/console/reconciliation">
          Compare with the vendors
        </a>
      )
    default:
      return <MarkDone entry={entry} look="primary" onDone={onDone} />
  }
}

function MarkDone({ entry, look, onDone }: Omit<Props, 'isDone'> & { look: 'primary' | 'quiet' }) {
  return (
    <ActionButton
      label="Mark as settled"
      look={look}
      confirm={{
        title: 'Mark as settled',
        text: 'The entry leaves this list and returns if it gets worse. Nothing else changes.',
        reason: true,
      }}
      run={async (reason) => {
        await callApi(serai.operator.attentionDone({ id: entry.id, reason }))
        return 'Marked as settled.'
      }}
      onDone={onDone}
    />
  )
}
