import type { AmenitySlug } from '../../../src/domain/property/amenity.ts'
import type { WorldProperty, WorldRoom } from '../contract.ts'
import { ASPECT, createRandom, hash } from '../hash.ts'
import type { Traits } from './traits.ts'

type Picture = WorldProperty['pictures'][number]

/** Eight to fourteen pictures, the best first. Kinds are those of `draw-picture.ts`. */
export function listPictures(
  traits: Traits,
  amenities: ReadonlySet<AmenitySlug>,
  rooms: readonly WorldRoom[],
): Picture[] {
  const random = createRandom(hash(traits.rootKey, ASPECT.pictures))
  const facade: Picture = { kind: `facade_${traits.setting}`, caption: 'Exterior' }
  const pool = amenities.has('outdoor_pool') || amenities.has('indoor_pool')
  const album: Picture[] = pool && random.chance(0.35) ? [{ kind: 'pool', caption: 'Pool' }, facade] : [facade]
  const best = rooms.find(({ adultsMax }) => adultsMax > 1) ?? rooms[0]
  album.push({ kind: `room_${bedKind(best)}`, caption: best?.name ?? 'Room' })
  album.push({ kind: 'lobby', caption: 'Lobby' })
  if (pool && album[0] === facade) album.push({ kind: 'pool', caption: 'Pool' })
  for (const room of rooms.filter((other) => other !== best).slice(0, 4))
    album.push({ kind: `room_${bedKind(room)}_${room.number}`, caption: room.name })
  album.push({ kind: 'bathroom', caption: 'Bathroom' })
  if (amenities.has('restaurant')) album.push({ kind: 'restaurant', caption: 'Restaurant' })
  if (amenities.has('breakfast')) album.push({ kind: 'breakfast', caption: 'Breakfast' })
  if (amenities.has('bar')) album.push({ kind: 'bar', caption: 'Bar' })
  if (amenities.has('spa')) album.push({ kind: 'spa', caption: 'Spa' })
  album.push({ kind: `view_${traits.setting}`, caption: 'View from the property' })
  album.push({ kind: `facade_${traits.setting}_night`, caption: 'Exterior in the evening' })
  return album.slice(0, 14)
}

function bedKind(room: WorldRoom | undefined): string {
  const first = room?.bedChoices[0]?.[0]
  if (first === undefined) return 'double'
  if (first.type === 'bunk') return 'bunk'
  if (first.quantity > 1) return 'twin'
  if (first.type === 'single') return 'single'
  return /Suite|Villa|Loft/.test(room?.name ?? '') ? 'suite' : 'double'
}
