import type { PlainDate } from '../../../src/lib/time/plain-date.ts'
import { toInstant } from '../../../src/lib/time/zoned-time.ts'
import type { StandInSettings } from '../../server/settings.ts'
import type { WorldProperty, WorldRate } from '../../world/contract.ts'
import { hash, hashShare, hashText } from '../../world/hash.ts'
import { readSetting } from './settings.ts'

/** Cancelling costs this part of the price from `at` on. */
type LadderStep = { readonly at: number; readonly part: number }
export type Ladder = {
  readonly tag: 'RFN' | 'NRFN'
  readonly steps: readonly LadderStep[]
  readonly isPublished: boolean
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A time in the distant past, as in the vendor's own example. */
const LONG_AGO = Date.parse('2022-01-02T00:00:00Z')

const NOTHING_REFUNDED: Ladder = { tag: 'NRFN', steps: [{ at: 0, part: 1 }], isPublished: false }

/** Times are GMT and need not match the end of a day at the property. */
export function createLadder(
  settings: Readonly<StandInSettings>,
  property: WorldProperty,
  rate: WorldRate,
  checkIn: PlainDate,
  isBound: boolean,
): Ladder {
  if (isBound) return NOTHING_REFUNDED
  const seed = hash(property.key, hashText(rate.plan))
  const arrival = toInstant(checkIn, property.checkInTime, property.place.timezone)
  if (!rate.refundable) {
    if (hashShare(seed, 61) >= readSetting(settings, 'ladderedNonRefundable')) return NOTHING_REFUNDED
    if (hashShare(seed, 62) >= settings.partialRefunds)
      return { tag: 'NRFN', steps: [{ at: LONG_AGO, part: 1 }], isPublished: true }
    const steps = [
      { at: LONG_AGO, part: 0.3 },
      { at: arrival - 7 * DAY_MS, part: 1 },
    ]
    return { tag: 'NRFN', steps, isPublished: true }
  }
  const precision = hasDateOnly(property) ? DAY_MS : 1
  const at = Math.floor((arrival - rate.freeCancelHours * HOUR_MS) / precision) * precision
  if (property.key % 3 !== 0 || rate.freeCancelHours < 48)
    return { tag: 'RFN', steps: [{ at, part: 1 }], isPublished: true }
  const last = Math.floor((arrival - DAY_MS) / precision) * precision
  // Not in chronological order, because the vendor does not guarantee one.
  const steps = [
    { at: last, part: 1 },
    { at, part: 0.5 },
  ]
  return { tag: 'RFN', steps, isPublished: true }
}

const hasDateOnly = ({ key }: WorldProperty): boolean => key % 7 === 0

/** `NRFN` overrides the ladder: the penalty is the full price. */
export function partAt({ tag, steps }: Ladder, now: number): number {
  if (tag === 'NRFN') return 1
  const passed = steps.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
  return passed.at(-1)?.part ?? 0
}

/** Wire format for a room of this price. Some ladders are percentages, which have no currency. */
export function presentLadder(
  ladder: Ladder,
  property: WorldProperty,
  amount: (part: number) => number,
  currency: string,
) {
  const isPercent = ladder.tag === 'NRFN' && property.key % 2 === 0
  const infos = ladder.steps.map(({ at, part }) => ({
    cancelTime: formatTime(at, property),
    ...(isPercent ? { amount: part * 100, type: 'percentage' } : { amount: amount(part), currency, type: 'amount' }),
    timezone: 'GMT',
  }))
  return { cancelPolicyInfos: ladder.isPublished ? infos : null, hotelRemarks: [], refundableTag: ladder.tag }
}

function formatTime(at: number, property: WorldProperty): string {
  const iso = new Date(at).toISOString()
  if (hasDateOnly(property) && at % DAY_MS === 0) return iso.slice(0, 10)
  return property.key % 5 === 0 ? `${iso.slice(0, 19)}Z` : iso.slice(0, 19).replace('T', ' ')
}
