import { LRUCache } from 'lru-cache'
import { daysBetween, type PlainDate } from '../../src/lib/time/plain-date.ts'
import type { Allotment, WorldRoom } from '../world/contract.ts'
import { ASPECT, hash, share } from '../world/hash.ts'

/** Sold-out nights come in runs, as during a fair: this many nights in a row share one draw. */
const RUN_NIGHTS = 5
/** Share of runs in which the whole property, or one kind of room, is sold out. */
const PROPERTY_FULL = 0.02
const ROOM_FULL = 0.055

/** Rooms that are still free, in memory. What other sellers have taken is drawn from a hash, what we sold is counted. */
export function createAllotment(): Allotment {
  /** By property, then by room and night: a property without bookings costs one look-up. */
  const taken = new Map<number, Map<string, number>>()

  const leftOf = (propertyKey: number, room: WorldRoom, night: PlainDate): number => {
    const ours = taken.get(propertyKey)?.get(slotOf(room, night)) ?? 0
    return Math.max(0, unsold(propertyKey, room, night) - ours)
  }
  const left: Allotment['left'] = (propertyKey, room, nights) => {
    let fewest = nights.length === 0 ? 0 : room.count
    for (const night of nights) {
      fewest = Math.min(fewest, leftOf(propertyKey, room, night))
      if (fewest === 0) return 0
    }
    return fewest
  }
  const add = (propertyKey: number, room: WorldRoom, nights: readonly PlainDate[], count: number) => {
    const slots = taken.get(propertyKey) ?? new Map<string, number>()
    for (const night of nights) {
      const slot = slotOf(room, night)
      const now = (slots.get(slot) ?? 0) + count
      if (now > 0) slots.set(slot, now)
      else slots.delete(slot)
    }
    if (slots.size > 0) taken.set(propertyKey, slots)
    else taken.delete(propertyKey)
  }

  return {
    left,
    take(propertyKey, room, nights, count) {
      if (!isCount(count) || repeats(nights) || left(propertyKey, room, nights) < count) return false
      add(propertyKey, room, nights, count)
      return true
    },
    giveBack(propertyKey, room, nights, count) {
      if (isCount(count)) add(propertyKey, room, nights, -count)
    },
  }
}

const isCount = (count: number) => Number.isInteger(count) && count > 0
/** A night named twice would be checked once and taken twice. */
const repeats = (nights: readonly PlainDate[]) => new Set(nights).size !== nights.length
const slotOf = (room: WorldRoom, night: PlainDate) => `${room.number} ${night}`

/** How many rooms other sellers left. In busy months they leave fewer. */
function unsold(propertyKey: number, room: WorldRoom, night: PlainDate): number {
  const day = dayOf(night)
  const run = Math.floor((day + (hash(propertyKey, ASPECT.presold) % RUN_NIGHTS)) / RUN_NIGHTS)
  const busy = busyness(Number(night.slice(5, 7)))
  if (share(propertyKey, ASPECT.presold, run) < PROPERTY_FULL * busy) return 0
  const roomSeed = hash(propertyKey, ASPECT.presold, room.number)
  if (share(roomSeed, run) < ROOM_FULL * busy) return 0
  const sold = Math.min(0.95, 0.75 * busy * share(roomSeed, day, 1))
  return Math.max(1, Math.ceil(room.count * (1 - sold)))
}

const busyness = (month: number) =>
  month === 7 || month === 8 || month === 12 ? 1.35 : month === 1 || month === 11 ? 0.7 : 1

const days = new LRUCache<PlainDate, number>({ max: 2_000 })
function dayOf(night: PlainDate): number {
  const known = days.get(night)
  if (known !== undefined) return known
  const day = daysBetween('1970-01-01', night)
  days.set(night, day)
  return day
}
