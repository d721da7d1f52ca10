import type { WorldRoom } from '../contract.ts'
import { ASPECT, createRandom, hash, type Random } from '../hash.ts'
import type { Traits } from '../property/traits.ts'

/** Words by which expensive hotels call a grade of their own. */
const OWN_GRADES = ['Signature', 'Heritage', 'Imperial', 'Marquise', 'Belvedere']

/** Some hotels have a word of their own for what others call deluxe. */
export function ownGrade({ rootKey, stars }: Traits): string | undefined {
  const random = createRandom(hash(rootKey, ASPECT.roomNames, 1))
  return stars >= 4 && random.chance(0.25) ? random.pick(OWN_GRADES) : undefined
}

/**
 * Rooms that are like another of the property and yet worth more: the same with a view, with a balcony or for wheelchairs, and a
 * room that is called like a suite. They come last, so that the other rooms stay as they are.
 */
export function variantsOf(traits: Traits, rooms: readonly WorldRoom[]): WorldRoom[] {
  if (traits.kind === 'hostel' || traits.kind === 'apartment') return []
  const random = createRandom(hash(traits.rootKey, ASPECT.roomNames))
  const plain = rooms.filter(({ name }) => !/View|Balcony|Suite|Villa/.test(name))
  const made = [
    ...withView(plain, random),
    ...changed(plain, random, 0.12, (room) => ({
      name: `${room.name} with Balcony`,
      amenities: [...new Set([...room.amenities, 'balcony' as const])],
      factor: factorOf(room, 1.07),
    })),
    ...changed(plain, random, 0.1, (room) => ({
      name: `${room.name}, Accessible`,
      amenities: [...new Set([...room.amenities, 'wheelchair' as const])],
    })),
    ...executiveRoom(rooms),
  ]
  return made.map((room, at) => ({
    ...room,
    number: rooms.length + at + 1,
    count: Math.max(1, Math.round(room.count / 3)),
  }))
}

const withView = (plain: readonly WorldRoom[], random: Random): WorldRoom[] =>
  changed(plain, random, 0.4, (room) => ({
    name: `${room.name} with ${room.view.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())}`,
    factor: factorOf(room, 1.12),
  }))

function changed(
  plain: readonly WorldRoom[],
  random: Random,
  chance: number,
  change: (room: WorldRoom) => Partial<WorldRoom>,
): WorldRoom[] {
  const isMade = random.chance(chance)
  const room = plain.length === 0 ? undefined : random.pick(plain)
  return isMade && room !== undefined ? [{ ...room, ...change(room) }] : []
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
    factor: factorOf(suite, 0.6),
  }
  return [room]
}

const factorOf = ({ factor }: WorldRoom, times: number) => Math.max(1, Math.round(factor * times * 1000) / 1000)
