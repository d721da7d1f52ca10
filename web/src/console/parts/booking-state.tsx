import type { components } from '../../../../packages/client/src/index.ts'
import { useIsSimulated } from '../../bookings/use-is-simulated.ts'
import { SimulatedTag } from '../../ui/badges.tsx'

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

type Props = { booking: { readonly status: Status; readonly simulated: boolean } }

/** Status, and a mark if no hotel knows of the booking. The caller arranges the two. */
export function BookingState({ booking: { status, simulated } }: Props) {
  const isSimulated = useIsSimulated({ simulated })
  return (
    <>
      <span className={`tag whitespace-nowrap ${COLOURS[status]}`}>{STATE_NAMES[status]}</span>
      {isSimulated && <SimulatedTag />}
    </>
  )
}
