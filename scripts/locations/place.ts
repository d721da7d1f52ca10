import type { LocationType } from '../../src/domain/property/location.ts'

/** A place on its way into the index. Sources create it; later steps add data that needs all places. */
export type Place = {
  /** The source's own key, from which the public id is derived; never changes. */
  readonly key: string
  readonly type: LocationType
  name: string
  readonly countryCode: string
  /** GeoNames first-level code with its country, "FR.93"; empty if unknown. */
  readonly regionCode: string
  /** GeoNames second-level code with country and region, to distinguish places of the same name. */
  readonly countyCode: string
  /** City of an airport, landmark, station or neighbourhood. */
  detail: string
  readonly lat: number
  readonly lon: number
  readonly population: number
  timezone: string
  radiusKm: number
  importance: number
  /** Names equivalent to the first: the short form, the local name, common spellings. */
  readonly names: string[]
  readonly aliases: string[]
  readonly codes: string[]
  /** The code is a prefix of its city's name (MAD, Madrid), so a user who types it means the city first. */
  readonly codeIsCityName: boolean
}

type PlaceFields = Pick<Place, 'key' | 'type' | 'name' | 'countryCode' | 'lat' | 'lon'> & Partial<Place>

export function createPlace(given: PlaceFields): Place {
  return {
    regionCode: '',
    countyCode: '',
    detail: '',
    population: 0,
    timezone: '',
    radiusKm: 1,
    importance: 0,
    names: [],
    aliases: [],
    codes: [],
    codeIsCityName: false,
    ...given,
  }
}

/** A search around a city should reach its suburbs, not the next city. */
export function cityRadiusKm(population: number): number {
  if (population < 5_000) return 4
  if (population < 20_000) return 6
  if (population < 100_000) return 8
  if (population < 500_000) return 12
  if (population < 2_000_000) return 18
  return population < 5_000_000 ? 25 : 30
}
