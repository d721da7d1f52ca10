import { systemClock } from '../../../src/lib/time/clock.ts'
import { createVendors } from '../../../src/vendors/registry.ts'

/** The vendors whose "no such booking" is no proof: bookings they never had end with a person. */
export async function vendorsInDoubtOfAbsence(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const { vendors, close } = await createVendors(environment, { clock: systemClock })
  await close()
  return vendors.filter(({ capabilities }) => !capabilities.absenceIsFinal).map(({ id }) => id)
}
