import { uuidV5In } from '../../lib/crypto/ids.ts'

/** Must never change: clients store the ids derived from it. */
const PROPERTY_NAMESPACE = '3f6c2b8e-1d54-4f0a-9c47-6b7a0e5d2a90'

/** Id of a property as a destination. */
export const propertyLocationId = uuidV5In(PROPERTY_NAMESPACE)

/** Id of a location, or a property's own id for the surroundings of that property. */
export const DESTINATION_ID = /^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|prp_[0-9a-z]{1,60})$/
