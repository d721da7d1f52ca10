import type { PropertySummary } from '../../domain/property/property-summary.ts'
import type { Point } from '../../lib/geo.ts'
import type { CatalogueStore } from '../store/catalogue.ts'

/** A property as shown in a list of destinations. */
export type NamedPlace = {
  readonly propertyId: string
  readonly name: string
  readonly town: string
  readonly countryCode: string
  readonly point: Point
}

/** Town and country are from the first vendor that has them. */
export async function describeNamed(
  store: Pick<CatalogueStore, 'names'>,
  readSummaries: (propertyIds: readonly string[]) => Promise<ReadonlyMap<string, PropertySummary>>,
  propertyIds: readonly string[],
): Promise<ReadonlyMap<string, NamedPlace>> {
  if (propertyIds.length === 0) return new Map()
  const [summaries, rows] = await Promise.all([readSummaries(propertyIds), store.names(propertyIds)])
  const byProperty = Map.groupBy(rows, (row) => row.property_id)
  return new Map(
    propertyIds.flatMap((propertyId) => {
      const summary = summaries.get(propertyId)
      const sold = byProperty.get(propertyId)
      if (summary === undefined || sold === undefined) return []
      const town = sold.find(({ city }) => city !== '')?.city ?? ''
      const countryCode = sold.find((row) => row.country_code !== '')?.country_code ?? ''
      const { name, location } = summary
      return [[propertyId, { propertyId, name, town, countryCode, point: location }]]
    }),
  )
}
