import { LRUCache } from 'lru-cache'
import { daysBetween, type PlainDate } from '../../src/lib/time/plain-date.ts'
import type { Allotment, WorldRoom } from '../world/contract.ts'
import { ASPECT, hash, hashShare } from '../world/hash.ts'

/** Consecutive nights that share one sold-out draw, as during a trade fair. */
const RUN_NIGHTS = 5
/** Share of runs in which the whole property, or one kind of room, is sold out. */
const PROPERTY_SOLD_OUT_SHARE = 0.02
const ROOM_SOLD_OUT_SHARE = 0.055

/** In-memory count of free rooms. Rooms taken by other sellers are drawn from a hash; our own sales are counted. */
export function createAllotment(): Allotment {
  /** By property, then by room and night, so that a property without bookings costs one lookup. */
  const taken = new Map<number, Map<string, number>>()

  const countLeft = (propertyKey: number, room: WorldRoom, night: PlainDate): number => {
    const takenByUs = taken.get(propertyKey)?.get(slotKey(room, night)) ?? 0
    return Math.max(0, countUnsold(propertyKey, room, night) - takenByUs)
  }
  const left: Allotment['left'] = (propertyKey, room, nights) => {
    let fewest = nights.length === 0 ? 0 : room.count
    for (const night of nights) {
      fewest = Math.min(fewest, countLeft(propertyKey, room, night))
      if (fewest === 0) return 0
    }
    return fewest
  }
  const add = (propertyKey: number, room: WorldRoom, nights: readonly PlainDate[], count: number) => {
    const slots = taken.get(propertyKey) ?? new Map<string, number>()
    for (const night of nights) {
      const slot = slotKey(room, night)
      const total = (slots.get(slot) ?? 0) + count
      if (total > 0) slots.set(slot, total)
      else slots.delete(slot)
    }
    if (slots.size > 0) taken.set(propertyKey, slots)
    else taken.delete(propertyKey)
  }

  return {
    left,
    take(propertyKey, room, nights, count) {
      if (!isPositiveInteger(count) || hasDuplicates(nights) || left(propertyKey, room, nights) < count) return false
      add(propertyKey, room, nights, count)
      return true
    },
    giveBack(propertyKey, room, nights, count) {
      if (isPositiveInteger(count)) add(propertyKey, room, nights, -count)
    },
  }
}

const isPositiveInteger = (count: number) => Number.isInteger(count) && count > 0
/** A repeated night would be checked once and taken twice. */
const hasDuplicates = (nights: readonly PlainDate[]) => new Set(nights).size !== nights.length
const slotKey = (room: WorldRoom, night: PlainDate) => `${room.number} ${night}`

/** Number of rooms that other sellers left. They leave fewer in busy months. */
function countUnsold(propertyKey: number, room: WorldRoom, night: PlainDate): number {
  const day = dayNumber(night)
  const run = Math.floor((day + (hash(propertyKey, ASPECT.presold) % RUN_NIGHTS)) / RUN_NIGHTS)
  const demand = demandFactor(Number(night.slice(5, 7)))
  if (hashShare(propertyKey, ASPECT.presold, run) < PROPERTY_SOLD_OUT_SHARE * demand) return 0
  const roomSeed = hash(propertyKey, ASPECT.presold, room.number)
  if (hashShare(roomSeed, run) < ROOM_SOLD_OUT_SHARE * demand) return 0
  const sold = Math.min(0.95, 0.75 * demand * hashShare(roomSeed, day, 1))
  return Math.max(1, Math.ceil(room.count * (1 - sold)))
}

const demandFactor = (month: number) =>
  month === 7 || month === 8 || month === 12 ? 1.35 : month === 1 || month === 11 ? 0.7 : 1

const days = new LRUCache<PlainDate, number>({ max: 2_000 })
function dayNumber(night: PlainDate): number {
  const known = days.get(night)
  if (known !== undefined) return known
  const day = daysBetween('1970-01-01', night)
  days.set(night, day)
  return day
}
