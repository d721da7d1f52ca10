import { AppError, invalidRequest } from '../../domain/errors.ts'
import type { Catalogue } from '../catalogue.ts'
import { isPropertyId } from '../properties/property-id.ts'
import type { RoomsCurated } from '../rooms/curate-rooms.ts'
import type { VendorRef } from '../store/catalogue.ts'
import type { PairComparison } from './compare-pair.ts'
import type { Curated, DecisionNote } from './curate-matches.ts'
import type { InspectedMatch } from './inspect-matches.ts'

export type DecideMatches = ReturnType<typeof createDecideMatches>

type Deps = Pick<Catalogue, 'split' | 'join' | 'confirm' | 'keepSeparate' | 'postpone' | 'comparePair' | 'inspect'> & {
  readonly rooms: Pick<Catalogue['rooms'], 'split' | 'join'>
  /** Shows the change to this process immediately; other processes follow the store. */
  refresh(): Promise<unknown>
}

/** Operator decisions through the API, with refusals as problems. Each returns the updated property. */
export function createDecideMatches(catalogue: Deps) {
  async function show(propertyId: string): Promise<InspectedMatch> {
    const found = isPropertyId(propertyId) ? await catalogue.inspect.show(propertyId) : undefined
    if (found === undefined)
      throw new AppError('property_not_found', 'There is no property with this id in the catalogue.')
    return found
  }

  /** `decide` receives the current ids of the properties. */
  async function applyDecision(
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
    split: (propertyId: string, ref: VendorRef, note: DecisionNote) =>
      applyDecision([propertyId], (id = '') => catalogue.split(id, ref, note)),
    join: (propertyId: string, other: string, note: DecisionNote) =>
      applyDecision([propertyId, other], (id = '', otherId = '') => catalogue.join(id, otherId, note)),
    confirm: (propertyId: string, ref: VendorRef, note: DecisionNote) =>
      applyDecision([propertyId], (id = '') => catalogue.confirm(id, ref, note)),
    postpone: (propertyId: string, other: string) =>
      applyDecision([propertyId, other], (id = '', otherId = '') => catalogue.postpone(id, otherId)),
    async compare(propertyId: string, other: string): Promise<PairComparison> {
      const [one, two] = await Promise.all([propertyId, other].map(show))
      return catalogue.comparePair(one?.propertyId ?? '', two?.propertyId ?? '')
    },
    keepSeparate: (propertyId: string, other: string, note: DecisionNote) =>
      applyDecision([propertyId, other], (id = '', otherId = '') => catalogue.keepSeparate(id, otherId, note)),
    splitRoom: (
      propertyId: string,
      room: { readonly vendorId: string; readonly roomKey: string },
      note: DecisionNote,
    ) => applyDecision([propertyId], (id = '') => catalogue.rooms.split(id, room, note)),
    joinRooms: (propertyId: string, keep: string, gone: string, note: DecisionNote) =>
      applyDecision([propertyId], (id = '') => catalogue.rooms.join(id, keep, gone, note)),
  }
}
