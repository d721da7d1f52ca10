import type { Reading } from '../call.ts'
import type { AvailabilityAnswer, AvailabilityQuery } from '../contract.ts'
import { decodeAvailability, propertiesOf } from './decode.ts'

type Frame = { readonly query: AvailabilityQuery; readonly now: number }

/** Reads an availability answer; on a thread of its own where it is long, so everything it needs is in the frame. */
export const read: Reading['read'] = (reply, frame): AvailabilityAnswer => {
  const { query, now } = frame as Frame
  return decodeAvailability(propertiesOf(reply), query, now)
}

export const readingOf = (frame: Frame): Reading => ({ module: import.meta.url, read, frame })
