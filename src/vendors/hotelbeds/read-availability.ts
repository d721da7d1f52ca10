import type { Reading } from '../call.ts'
import type { AvailabilityAnswer } from '../contract.ts'
import { type DecodeFrame, decodeAvailability, hotelsOf } from './decode.ts'
import { fail } from './failure.ts'

/** Reads an availability answer; on a thread of its own where it is long, so everything it needs is in the frame. */
export const read: Reading['read'] = ({ body, items }, frame): AvailabilityAnswer => {
  const hotels = hotelsOf(body) ?? fail('malformed', 'none', 'no list of hotels')
  return decodeAvailability(items ?? hotels, frame as DecodeFrame)
}

export const readingOf = (frame: DecodeFrame): Reading => ({ module: import.meta.url, read, frame })
