import { statements } from '../migration.ts'

/**
 * How far an area was read where the vendor has more than are read of one. And fees that were noted for cancellations which
 * failed: they are no longer kept, because a later cancellation by the vendor would have charged them.
 */
export const reachAndFees = statements(
  () => `
    update bookings set cancel_fee_minor = null, sold_fee_minor = null
      where state = 'confirmed' and (cancel_fee_minor is not null or sold_fee_minor is not null);
    alter table content_areas add column reach_km double precision`,
)
