import type { WorldRoom } from '../contract.ts'
import { ASPECT, createRandom, hash, type Random } from '../hash.ts'
import type { Traits } from '../property/traits.ts'

/** Names that expensive hotels use for a grade of their own. */
const OWN_GRADES = ['Signature', 'Heritage', 'Imperial', 'Marquise', 'Belvedere']

/** Some hotels use their own word for deluxe. */
export function ownGrade({ rootKey, stars }: Traits): string | undefined {
  const random = createRandom(hash(rootKey, ASPECT.roomNames, 1))
  return stars >= 4 && random.chance(0.25) ? random.pick(OWN_GRADES) : undefined
}

/**
 * Rooms that resemble another of the property but are worth more: the same with a view, a balcony or wheelchair access,
 * and a room named like a suite. They come last, so that the numbers of the other rooms do not change.
 */
export function createVariants(traits: Traits, rooms: readonly WorldRoom[]): WorldRoom[] {
  if (traits.kind === 'hostel' || traits.kind === 'apartment') return []
  const random = createRandom(hash(traits.rootKey, ASPECT.roomNames))
  const plain = rooms.filter(({ name }) => !/View|Balcony|Suite|Villa/.test(name))
  const variants = [
    ...withView(plain, random),
    ...maybeChange(plain, random, 0.12, (room) => ({
      name: `${room.name} with Balcony`,
      amenities: [...new Set([...room.amenities, 'balcony' as const])],
      factor: scaleFactor(room, 1.07),
    })),
    ...maybeChange(plain, random, 0.1, (room) => ({
      name: `${room.name}, Accessible`,
      amenities: [...new Set([...room.amenities, 'wheelchair' as const])],
    })),
    ...executiveRoom(rooms),
  ]
  return variants.map((room, index) => ({
    ...room,
    number: rooms.length + index + 1,
    count: Math.max(1, Math.round(room.count / 3)),
  }))
}

const withView = (plain: readonly WorldRoom[], random: Random): WorldRoom[] =>
  maybeChange(plain, random, 0.4, (room) => ({
    name: `${room.name} with ${room.view.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())}`,
    factor: scaleFactor(room, 1.12),
  }))

function maybeChange(
  plain: readonly WorldRoom[],
  random: Random,
  chance: number,
  change: (room: WorldRoom) => Partial<WorldRoom>,
): WorldRoom[] {
  const isDrawn = random.chance(chance)
  const room = plain.length === 0 ? undefined : random.pick(plain)
  return isDrawn && room !== undefined ? [{ ...room, ...change(room) }] : []
}

function executiveRoom(rooms: readonly WorldRoom[]): WorldRoom[] {
  const suite = rooms.find(({ name }) => name === 'Executive Suite')
  if (suite === undefined) return []
  const room: WorldRoom = {
    ...suite,
    name: 'Executive King Room',
    squareMeters: Math.round(suite.squareMeters * 0.6),
    bedChoices: [[{ type: 'king', quantity: 1 }]],
    adultsMax: 2,
    childrenMax: 1,
    sleeps: 2,
    factor: scaleFactor(suite, 0.6),
  }
  return [room]
}

const scaleFactor = ({ factor }: WorldRoom, multiplier: number) =>
  Math.max(1, Math.round(factor * multiplier * 1000) / 1000)
