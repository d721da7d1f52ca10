export const SIMULATOR_IDS = ['simulator_a', 'simulator_b'] as const
export type SimulatorId = (typeof SIMULATOR_IDS)[number]

/** What each vendor puts before our id to make its own. */
const PREFIX: Record<SimulatorId, string> = { simulator_a: 'a_', simulator_b: 'b_' }

export const vendorPropertyIdOf = (vendorId: SimulatorId, propertyId: string): string => PREFIX[vendorId] + propertyId

/** Undefined for an id that this vendor never gives. */
export function propertyIdOf(vendorId: SimulatorId, vendorPropertyId: string): string | undefined {
  const propertyId = vendorPropertyId.slice(PREFIX[vendorId].length)
  return vendorPropertyId.startsWith(PREFIX[vendorId]) && /^[A-Za-z0-9_-]{1,64}$/.test(propertyId)
    ? propertyId
    : undefined
}
