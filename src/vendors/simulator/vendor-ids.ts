export const SIMULATOR_IDS = ['simulator_a', 'simulator_b'] as const
export type SimulatorId = (typeof SIMULATOR_IDS)[number]

/** What each vendor puts before our id to make its own. */
const PREFIX: Record<SimulatorId, string> = { simulator_a: 'a_', simulator_b: 'b_' }

export const vendorPropertyIdOf = (vendorId: SimulatorId, propertyId: string): string => PREFIX[vendorId] + propertyId

/** The property behind a vendor's id, or behind a bare one; undefined for an id of the other vendor. */
export function propertyIdOf(vendorId: SimulatorId, vendorPropertyId: string): string | undefined {
  if (vendorPropertyId.startsWith(PREFIX[vendorId])) return vendorPropertyId.slice(PREFIX[vendorId].length)
  const isForeign = Object.values(PREFIX).some((prefix) => vendorPropertyId.startsWith(prefix))
  return isForeign ? undefined : vendorPropertyId
}
