import { statements } from '../migration.ts'

/**
 * How far an area was read where the vendor has more than are read of one. And fees that were noted for cancellations which
 * failed: they are no longer kept, because a later cancellation by the vendor would have charged them.
 */
export const reachAndFees = statements(
  () => `
    alter table content_areas add column reach_km double precision;
    update bookings set cancel_fee_minor = null, sold_fee_minor = null where state = 'confirmed'`,
)
