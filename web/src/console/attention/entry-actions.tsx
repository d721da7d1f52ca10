import { resultOf, serai } from '../../api/client.ts'
import { askVendor, replayWebhook, sendMail } from '../bookings/actions.ts'
import { ResolveButton } from '../bookings/resolve-button.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import type { Entry } from './entry.ts'

type Props = { entry: Entry; isDone: boolean; onDone(what: string): void }

/** Only their outcome takes them off the list. */
const ENDS_BY_ITSELF: readonly Entry['kind'][] = ['needs_review', 'in_doubt']

/** The one button that helps most, where to look closer, and taking the entry off the list. */
export function EntryActions({ entry, isDone, onDone }: Props) {
  return (
    <div className="mt-3 flex flex-wrap items-start gap-2">
      {!isDone && <MainAction entry={entry} onDone={onDone} />}
      {entry.booking_id !== null && (
        <a className="btn btn-quiet" href={`/console/bookings/${encodeURIComponent(entry.booking_id)}`}>
          Open the booking
        </a>
      )}
      {!isDone && entry.action !== 'mark_done' && !ENDS_BY_ITSELF.includes(entry.kind) && (
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
          Look at the vendor
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
        text: 'It leaves this list, and comes back if it becomes worse. Nothing else is changed.',
        reason: true,
      }}
      run={async (reason) => {
        await resultOf(serai.operator.attentionDone({ id: entry.id, reason }))
        return 'Marked as settled.'
      }}
      onDone={onDone}
    />
  )
}
