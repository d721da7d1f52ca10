import type { Catalogue } from '../catalogue/catalogue.ts'
import type { PropertySource } from './property-source.ts'

/** The catalogue as a search sees it. */
export function catalogueSource(catalogue: Catalogue): PropertySource {
  return {
    async around(circle, limit, context, patienceMs) {
      const { circle: seen, candidates, visits } = await catalogue.around(circle, limit, context, patienceMs)
      const unreached = new Map(
        visits.flatMap(({ vendorId, status }) =>
          status === 'timeout' || status === 'error' ? [[vendorId, status] as const] : [],
        ),
      )
      return { radiusKm: seen.radiusKm, candidates, unreached }
    },
    summaries: (propertyIds) => catalogue.summaries(propertyIds),
    async vendorsOf(propertyId) {
      return (await catalogue.property(propertyId))?.vendors ?? []
    },
    async content(propertyId) {
      const found = await catalogue.propertyContent(propertyId)
      if (found === undefined) return undefined
      const rooms = new Map(
        found.contents.flatMap((content) =>
          content.rooms.map((room) => [`${content.vendorId} ${room.id}`, room] as const),
        ),
      )
      return { merged: found.merged, roomOf: (vendorId, roomId) => rooms.get(`${vendorId} ${roomId}`) }
    },
  }
}
