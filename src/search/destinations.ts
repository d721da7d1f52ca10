import type { NamedPlace } from '../catalogue/names/describe-named.ts'
import { GRADES } from '../catalogue/names/find-names.ts'
import type { NamedProperty } from '../catalogue/names/property-names.ts'
import type { Location } from '../domain/property/location.ts'
import { propertyLocationId } from '../domain/property/property-location.ts'
import { memoize } from '../lib/async/memoize.ts'
import { isUuid } from '../lib/crypto/ids.ts'
import { foldText } from '../lib/text/fold-text.ts'
import type { Rows } from '../lists/run-in-memory.ts'
import type { Destination } from '../locations/destinations.ts'
import type { LocationIndex } from '../locations/location-index.ts'
import type { LocationTrait } from '../locations/location-rows.ts'
import type { Matches } from '../locations/rank.ts'

type PropertyDirectory = {
  readonly names: {
    readonly version: number
    find(text: string, limit: number, mayBeMisspelt: boolean): readonly NamedProperty[]
    findPropertyId(locationId: string): string | undefined
  }
  named(propertyIds: readonly string[]): Promise<ReadonlyMap<string, NamedPlace>>
  property(
    propertyId: string,
  ): Promise<{ readonly propertyId: string; readonly vendors: readonly unknown[] } | undefined>
  refresh(): Promise<void>
  namesSettled(): Promise<void>
}

export type Destinations = ReturnType<typeof createDestinations>

/** A guest who names a hotel also wants to see others nearby. */
const NEIGHBOURHOOD_KM = 5
/** Half of the first ten results; more only on request. */
const PROPERTIES_MAX = 5
const ASKED_PROPERTIES_MAX = 200
const NEIGHBOURHOODS_MAX = 60
/** Number of cities. */
const NEIGHBOURHOODS_KEPT = 500

/** Places of the index, and properties of the catalogue by name. */
export function createDestinations(places: LocationIndex, directory: PropertyDirectory) {
  const toLocation = (place: NamedPlace): Location => asLocation(places, place)

  async function propertyById(id: string): Promise<Location | undefined> {
    const propertyId = isUuid(id) ? directory.names.findPropertyId(id) : id
    // The current id: two properties may have been merged.
    const known = propertyId === undefined ? undefined : await directory.property(propertyId)
    if (known === undefined || known.vendors.length === 0) return undefined
    const place = (await directory.named([known.propertyId])).get(known.propertyId)
    return place && toLocation(place)
  }

  const findNeighbourhoods = createNeighbourhoods(places)

  const findProperties = createFindProperties(places, directory)

  return {
    /** Changes when the same text may get another result. */
    version: () => directory.names.version,

    /** Best match first; properties follow the places that match equally well. */
    async matches(text: string, wantsProperties: boolean): Promise<Rows<Destination>> {
      const found = places.matches(text)
      const mayBeMisspelt = found.isNear || found.length === 0
      const limit = wantsProperties ? ASKED_PROPERTIES_MAX : PROPERTIES_MAX
      const properties = await findProperties(text, limit, mayBeMisspelt)
      return properties.length === 0 ? found : mergeByGrade(found, properties)
    },
    trait: (destination: Destination, trait: LocationTrait): string | undefined =>
      typeof destination === 'number' ? places.trait(destination, trait) : destination[trait],
    at: (destination: Destination): Location =>
      typeof destination === 'number' ? places.at(destination) : destination,

    /** Accepts the id of a location or of a property. Reads the store last, because another process may have changed it. */
    async byId(id: string): Promise<ReturnType<LocationIndex['byId']> | Location> {
      const known = places.byId(id) ?? (await propertyById(id))
      if (known !== undefined) return known
      await directory.refresh()
      await directory.namesSettled()
      return propertyById(id)
    },
    nearby: places.nearby,

    /** Best known first; undefined if the location does not exist. */
    neighbourhoods: async (id: string): Promise<readonly Location[] | undefined> =>
      findNeighbourhoods(id) ?? ((await propertyById(id)) && []),
  }
}

function asLocation(places: LocationIndex, { propertyId, name, town, countryCode, point }: NamedPlace): Location {
  const country = places.countryName(countryCode) ?? countryCode
  return {
    id: propertyLocationId(propertyId),
    name: [name, town, country].filter((part) => part !== '').join(', '),
    type: 'property',
    countryCode,
    point,
    radiusKm: NEIGHBOURHOOD_KM,
    timezone: places.zoneAt(point, countryCode) ?? 'UTC',
    propertyId,
  }
}

type Located = Pick<NamedProperty, 'grade'> & { readonly location: Location }

function createFindProperties(places: LocationIndex, { names, named }: PropertyDirectory) {
  async function locate(hits: readonly NamedProperty[]): Promise<Located[]> {
    if (hits.length === 0) return []
    const described = await named(hits.map(({ propertyId }) => propertyId))
    return hits.flatMap(({ propertyId, grade }) => {
      const place = described.get(propertyId)
      return place === undefined ? [] : [{ grade, location: asLocation(places, place) }]
    })
  }

  /** Finds properties by the name shown in lists, which ends with the country. The name index does not hold it. */
  async function findByShownName(text: string): Promise<Located[]> {
    const end = text.lastIndexOf(',')
    if (end < 0) return []
    const folded = foldText(text)
    const located = await locate(names.find(text.slice(0, end), ASKED_PROPERTIES_MAX, false))
    return located.filter(({ location }) => foldText(location.name).startsWith(folded))
  }

  return async function findProperties(text: string, limit: number, mayBeMisspelt: boolean): Promise<Located[]> {
    const located = await locate(names.find(text, limit, mayBeMisspelt))
    return located.length > 0 ? located : (await findByShownName(text)).slice(0, limit)
  }
}

/** Cached, because finding them scans all places and the same cities are searched often. */
function createNeighbourhoods(places: LocationIndex): (id: string) => readonly Location[] | undefined {
  const cached = memoize(NEIGHBOURHOODS_KEPT, (id: string): readonly Location[] => {
    const place = places.byId(id)
    if (place?.type !== 'city') return []
    return places.nearby(place.point, place.radiusKm, ['neighbourhood'], NEIGHBOURHOODS_MAX)
  })
  return (id) => places.byId(id) && cached(id)
}

const NEAR = GRADES.indexOf('near')

/** Places keep their order. Properties of each grade follow the last place of that grade or a better one. */
function mergeByGrade(places: Matches, properties: readonly Located[]): Rows<Destination> {
  const grades = places.isNear ? places.grades().map(() => NEAR) : places.grades()
  const parts: Rows<Destination>[] = []
  let from = 0
  for (const [number, grade] of GRADES.entries()) {
    const last = grades.findLastIndex((place) => place <= number) + 1
    // More places of the same grade may follow those whose grade is known.
    const to = last === grades.length ? places.length : Math.max(from, last)
    parts.push(part(places, from, to))
    parts.push(properties.filter((property) => property.grade === grade).map(({ location }) => location))
    from = to
  }
  return concat([...parts, part(places, from, places.length)])
}

const part = (places: Matches, from: number, to: number): Rows<Destination> => ({
  length: to - from,
  slice: (start = 0, end = to - from) => places.slice(from + start, Math.min(to, from + end)),
})

function concat<T>(parts: readonly Rows<T>[]): Rows<T> {
  return {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    slice(start = 0, end = Number.POSITIVE_INFINITY) {
      let before = 0
      return parts.flatMap((rows) => {
        const [from, to] = [Math.max(0, start - before), Math.min(rows.length, end - before)]
        before += rows.length
        return from < to ? rows.slice(from, to) : []
      })
    },
  }
}
