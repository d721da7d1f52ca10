import { systemClock } from '../../../src/lib/time/clock.ts'
import { createVendors } from '../../../src/vendors/registry.ts'

/** Vendors whose "no such booking" is not proof: an operator resolves bookings that they never had. */
export async function listVendorsWithoutFinalAbsence(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const { vendors, close } = await createVendors(environment, { clock: systemClock })
  await close()
  return vendors.filter(({ capabilities }) => !capabilities.absenceIsFinal).map(({ id }) => id)
}
