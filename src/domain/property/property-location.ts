import { uuidV5In } from '../../lib/crypto/ids.ts'

/** The space in which a property's id becomes the id of a location. Changing it changes every such id ever given out. */
const PROPERTY_NAMESPACE = '3f6c2b8e-1d54-4f0a-9c47-6b7a0e5d2a90'

/** The id under which a property can be chosen as a destination. */
export const propertyLocationId = uuidV5In(PROPERTY_NAMESPACE)
