import { uuidV5In } from '../lib/crypto/ids.ts'

/** Changing it changes every location id ever issued. */
const LOCATION_NAMESPACE = '5d0c8f3a-7f0e-4c53-9d0b-2f4f8a6f1c11'

export const makeLocationId = uuidV5In(LOCATION_NAMESPACE)
