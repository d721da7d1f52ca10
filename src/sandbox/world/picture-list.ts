import type { AmenitySlug } from '../../domain/amenity.ts'
import type { WorldProperty, WorldRoom } from './contract.ts'
import { ASPECT, createRandom, hash } from './hash.ts'
import type { Traits } from './traits.ts'

type Picture = WorldProperty['pictures'][number]

/** The album of a house: eight to fourteen pictures, the best first. Kinds are those the painter knows. */
export function picturesOf(traits: Traits, house: ReadonlySet<AmenitySlug>, rooms: readonly WorldRoom[]): Picture[] {
  const random = createRandom(hash(traits.rootKey, ASPECT.pictures))
  const facade: Picture = { kind: `facade_${traits.setting}`, caption: 'The house from outside' }
  const pool = house.has('outdoor_pool') || house.has('indoor_pool')
  const album: Picture[] = pool && random.chance(0.35) ? [{ kind: 'pool', caption: 'Pool' }, facade] : [facade]
  const best = rooms.find(({ adultsMax }) => adultsMax > 1) ?? rooms[0]
  album.push({ kind: `room_${bedKind(best)}`, caption: best?.name ?? 'Room' })
  album.push({ kind: 'lobby', caption: 'Lobby' })
  if (pool && album[0] === facade) album.push({ kind: 'pool', caption: 'Pool' })
  for (const room of rooms.filter((other) => other !== best).slice(0, 4))
    album.push({ kind: `room_${bedKind(room)}_${room.number}`, caption: room.name })
  album.push({ kind: 'bathroom', caption: 'Bathroom' })
  if (house.has('restaurant')) album.push({ kind: 'restaurant', caption: 'Restaurant' })
  if (house.has('breakfast')) album.push({ kind: 'breakfast', caption: 'Breakfast' })
  if (house.has('bar')) album.push({ kind: 'bar', caption: 'Bar' })
  if (house.has('spa')) album.push({ kind: 'spa', caption: 'Spa' })
  album.push({ kind: `view_${traits.setting}`, caption: 'View from the house' })
  album.push({ kind: `facade_${traits.setting}_night`, caption: 'The house in the evening' })
  return album.slice(0, 14)
}

/** Which bed the painter puts into the picture. */
function bedKind(room: WorldRoom | undefined): string {
  const first = room?.bedChoices[0]?.[0]
  if (first === undefined) return 'double'
  if (first.type === 'bunk') return 'bunk'
  if (first.quantity > 1) return 'twin'
  if (first.type === 'single') return 'single'
  return /Suite|Villa|Loft/.test(room?.name ?? '') ? 'suite' : 'double'
}
