import type { components } from '../../../../packages/client/src/index.ts'

type Status = components['schemas']['BookingStatus']

/** Names for operators; guests see others. */
export const STATE_NAMES: Readonly<Record<Status, string>> = {
  pending: 'Pending',
  submitting: 'Being sent',
  confirmed: 'Confirmed',
  rejected: 'Rejected',
  in_doubt: 'In doubt',
  needs_review: 'Needs review',
  cancelling: 'Being cancelled',
  cancelled: 'Cancelled',
}

const COLOURS: Readonly<Record<Status, string>> = {
  pending: 'bg-accent-wash text-accent-strong',
  submitting: 'bg-accent-wash text-accent-strong',
  confirmed: 'bg-good-wash text-good',
  rejected: 'bg-bad-wash text-bad',
  in_doubt: 'bg-warn-wash text-warn',
  needs_review: 'bg-warn-wash text-warn',
  cancelling: 'bg-warn-wash text-warn',
  cancelled: 'bg-sunk text-muted',
}

export const BookingState = ({ status }: { status: Status }) => (
  <span className={`tag whitespace-nowrap ${COLOURS[status]}`}>{STATE_NAMES[status]}</span>
)
