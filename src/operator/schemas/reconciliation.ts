import { type Static, Type } from 'typebox'
import { Reason } from '../../accounts/schemas/audit.ts'
import { PROPOSALS } from '../../booking/reconcile/find-differences.ts'
import { dataEnvelope } from '../../http/schemas/answer.ts'
import { nullable, optionalOrNull } from '../../http/schemas/or-null.ts'
import { Count, Day, Moment, TextOrNull } from '../../http/schemas/scalars.ts'

const Proposal = Type.Enum([...PROPOSALS], {
  title: 'ReconciliationProposal',
  description:
    '`adopt`: the vendor has it, we do not. `cancel`: the vendor still has what is rejected or cancelled here, or has it twice. `review`: confirmed here, but not at the vendor.',
})

const DifferenceSchema = Type.Object(
  {
    vendor_id: Type.String(),
    reference: Type.String({ description: 'Our reference at the vendor.' }),
    vendor_reference: TextOrNull,
    proposal: Proposal,
    booking_id: TextOrNull,
    our_status: TextOrNull,
    vendor_status: nullable(Type.String(), 'Null if the vendor does not list it.'),
    property_name: TextOrNull,
    check_in: nullable(Day, 'First night, as the vendor lists it.'),
    check_out: nullable(Day, 'Day of departure, as the vendor lists it.'),
  },
  { title: 'ReconciliationDifference' },
)

const ReconciliationSchema = Type.Object(
  {
    from: Day,
    is_behind: Type.Boolean({
      description:
        'Commits may be lost: each booking is looked up at its vendor before it is sent, until a reconciliation has ended.',
    }),
    needed_from: nullable(Day, 'A reconciliation must begin on this day or before to be complete.'),
    repeats_end_at: nullable(
      Moment,
      'Until then no reconciliation is complete: a client may repeat a booking that only a vendor without a list has.',
    ),
    vendors: Type.Array(
      Type.Object(
        {
          vendor_id: Type.String(),
          status: Type.Enum(['listed', 'no_list', 'failed'], {
            description:
              '`no_list`: this vendor cannot list bookings, so those confirmed here were looked up one by one.',
          }),
          listed: { ...Count, description: 'Bookings of ours at the vendor.' },
        },
        { title: 'ReconciledVendor' },
      ),
    ),
    differences: Type.Array(DifferenceSchema),
  },
  { title: 'Reconciliation' },
)
export const ReconciliationResponse = dataEnvelope('ReconciliationAnswer', ReconciliationSchema)
export const DifferenceResponse = dataEnvelope('ReconciliationDifferenceAnswer', DifferenceSchema)

export const ReconcileRequest = Type.Object(
  {
    from: Day,
    end: optionalOrNull(Type.Boolean(), 'Ends the state of being behind, whatever differences are left.'),
  },
  { title: 'ReconcileRequest' },
)
export type ReconcileBody = Static<typeof ReconcileRequest>

export const CarryOutRequest = Type.Object(
  {
    from: Day,
    vendor_id: Type.String(),
    reference: Type.String(),
    action: Proposal,
    account_id: optionalOrNull(Type.String(), 'Owner of an adopted booking.'),
    reason: Reason,
  },
  { title: 'CarryOutRequest' },
)
export type CarryOutBody = Static<typeof CarryOutRequest>
