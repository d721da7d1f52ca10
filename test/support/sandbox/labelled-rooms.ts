import type { Place, WorldBed, WorldProperty, WorldRoom } from '../../../sandbox/world/contract.ts'
import { type SpellingHabit, spellRoom } from '../../../sandbox/world/rooms/spell-room.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import { groupRooms, type VendorRoom } from '../../../src/catalogue/rooms/group-rooms.ts'
import { readAttributes } from '../../../src/catalogue/rooms/read-attributes.ts'

/** Four vendors with a spelling habit each; two of them also send beds and size. */
const VENDORS: readonly { readonly id: string; readonly habit: SpellingHabit; beds(room: WorldRoom): string[] }[] = [
  { id: 'a', habit: 'commas', beds: ({ bedChoices }) => bedChoices.map(bedText) },
  { id: 'b', habit: 'own', beds: ({ bedChoices: [first = []] }) => first.map((bed) => bedText([bed])) },
  { id: 'c', habit: 'sentence', beds: () => [] },
  { id: 'd', habit: 'free', beds: () => [] },
]

const bedText = (beds: readonly WorldBed[]) =>
  beds.map(({ quantity, type }) => `${quantity} ${type} bed${quantity > 1 ? 's' : ''}`).join(' and ')

const RATE_WORDS = ['', ' - Room Only', ' - Breakfast Included', ' - Non Refundable', ' (Half Board) - Member Rate']

type LabelledRoom = VendorRoom & { readonly name: string; readonly truth: number }

/** The rooms of a property at all four vendors. */
export const roomsAtVendors = (property: WorldProperty): LabelledRoom[] =>
  VENDORS.flatMap(({ id, habit, beds }) =>
    property.rooms.map((room) => {
      const words = habit === 'free' ? RATE_WORDS[(property.key + room.number) % RATE_WORDS.length] : ''
      const name = `${spellRoom(habit, property, room)}${words}`
      const list = beds(room)
      const attributes = readAttributes({ name, beds: list, squareMeters: list.length === 0 ? 0 : room.squareMeters })
      return {
        key: `${id}:${room.number}`,
        vendorId: id,
        name,
        truth: room.number,
        isListed: true,
        attributes,
        groupId: undefined,
      }
    }),
  )

type RoomsScore = { right: number; readonly wrong: string[]; readonly missed: string[] }

/** Counts pairs of rooms that were matched correctly, wrongly, or not at all. */
export function scoreRoomMatching(properties: readonly WorldProperty[]): RoomsScore {
  const score: RoomsScore = { right: 0, wrong: [], missed: [] }
  for (const property of properties) {
    const rooms = roomsAtVendors(property)
    const groupByRoom = new Map(
      groupRooms(rooms).flatMap((group, index) => group.map((room) => [room, index] as const)),
    )
    rooms.forEach((a, index) => {
      for (const [other, b] of rooms.entries()) {
        if (other <= index || (a.vendorId === b.vendorId && a.truth === b.truth)) continue
        const isMatched = groupByRoom.get(index) === groupByRoom.get(other)
        const pair = `${property.key}: ${a.name} / ${b.name}`
        if (isMatched && a.truth === b.truth) score.right += 1
        else if (isMatched) score.wrong.push(pair)
        else if (a.truth === b.truth) score.missed.push(pair)
      }
    })
  }
  return score
}

export const propertiesIn = (places: readonly Place[], limit: number): WorldProperty[] =>
  createWorld({ places }).walk(() => true, 0, limit).properties
