import { AppError, invalidRequest } from '../../domain/errors.ts'
import type { Catalogue } from '../catalogue.ts'
import { isPropertyId } from '../properties/property-id.ts'
import type { RoomsCurated } from '../rooms/curate-rooms.ts'
import type { VendorRef } from '../store/catalogue.ts'
import type { Curated, Said } from './curate-matches.ts'
import type { InspectedMatch } from './inspect-matches.ts'

export type DecideMatches = ReturnType<typeof createDecideMatches>

type Deps = Pick<Catalogue, 'split' | 'join' | 'keepSeparate' | 'inspect'> & {
  readonly rooms: Pick<Catalogue['rooms'], 'split' | 'join'>
  /** Makes this process see the change at once; others follow the store. */
  refresh(): Promise<unknown>
}

/** An operator's decisions by the API: as the catalogue's own, with refusals as problems. Each returns the property as it is now. */
export function createDecideMatches(catalogue: Deps) {
  async function show(propertyId: string): Promise<InspectedMatch> {
    const found = isPropertyId(propertyId) ? await catalogue.inspect.show(propertyId) : undefined
    if (found === undefined)
      throw new AppError('property_not_found', 'There is no property with this id in the catalogue.')
    return found
  }

  /** `decide` is given the ids that the properties have now. */
  async function decided(
    propertyIds: readonly string[],
    decide: (...ids: string[]) => Promise<Curated | RoomsCurated>,
  ): Promise<InspectedMatch> {
    const found = await Promise.all(propertyIds.map(show))
    const result = await decide(...found.map(({ propertyId }) => propertyId))
    if (!result.ok) throw invalidRequest([{ field: 'property_id', code: 'not_possible', message: result.why }])
    await catalogue.refresh()
    return show(propertyIds[0] ?? '')
  }

  return {
    show,
    split: (propertyId: string, ref: VendorRef, said: Said) =>
      decided([propertyId], (id = '') => catalogue.split(id, ref, said)),
    join: (propertyId: string, other: string, said: Said) =>
      decided([propertyId, other], (id = '', otherId = '') => catalogue.join(id, otherId, said)),
    keepSeparate: (propertyId: string, other: string, said: Said) =>
      decided([propertyId, other], (id = '', otherId = '') => catalogue.keepSeparate(id, otherId, said)),
    splitRoom: (propertyId: string, room: { readonly vendorId: string; readonly roomKey: string }, said: Said) =>
      decided([propertyId], (id = '') => catalogue.rooms.split(id, room, said)),
    joinRooms: (propertyId: string, keep: string, gone: string, said: Said) =>
      decided([propertyId], (id = '') => catalogue.rooms.join(id, keep, gone, said)),
  }
}
