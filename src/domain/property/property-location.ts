import { uuidV5In } from '../../lib/crypto/ids.ts'

/** Must never change: clients store the ids derived from it. */
const PROPERTY_NAMESPACE = '3f6c2b8e-1d54-4f0a-9c47-6b7a0e5d2a90'

/** Id of a property as a destination. */
export const propertyLocationId = uuidV5In(PROPERTY_NAMESPACE)
