import type { Difference } from '../../booking/reconcile/find-differences.ts'
import type { Reconciliation } from '../../booking/reconcile/reconcile.ts'
import { momentOrNull } from '../../http/present/moment.ts'

const textOrNull = (text: string | undefined): string | null => text || null

export const presentDifference = ({ vendorId, reference, proposal, bookingId, ours, listed }: Difference) => ({
  vendor_id: vendorId,
  reference,
  vendor_reference: textOrNull(listed?.vendorReference),
  proposal,
  booking_id: textOrNull(bookingId),
  our_status: textOrNull(ours),
  vendor_status: textOrNull(listed?.state),
  property_name: textOrNull(listed?.propertyName),
  check_in: textOrNull(listed?.checkIn),
  check_out: textOrNull(listed?.checkOut),
})

export const presentReconciliation = ({
  from,
  isBehind,
  neededFrom,
  repeatsEndAt,
  vendors,
  differences,
}: Reconciliation) => ({
  from,
  is_behind: isBehind,
  needed_from: textOrNull(neededFrom),
  repeats_end_at: momentOrNull(repeatsEndAt),
  vendors: vendors.map(({ vendorId, status, listed }) => ({ vendor_id: vendorId, status, listed })),
  differences: differences.map(presentDifference),
})
