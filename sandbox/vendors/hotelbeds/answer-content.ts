import type { VendorWorld, WorldProperty } from '../../world/contract.ts'
import { describeDetails, describeHotel } from './describe-property.ts'
import { invalidData, type Reply, success } from './vendor-words.ts'

const RECORDS_MAX = 1000
/** The world was created on this day and has not changed since. */
const LAST_UPDATE = '2026-01-01'

export type ContentAnswers = {
  hotels(query: URLSearchParams): Reply
  details(codes: string): Reply
}

/** Reads `from` and `to`, which every list of the Content API accepts. */
export function readPage(query: URLSearchParams): { from: number; to: number } | Reply {
  const from = Number(query.get('from') ?? 1)
  const to = Number(query.get('to') ?? 100)
  if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 1 && to >= from)) return invalidData('Invalid range')
  if (to - from + 1 > RECORDS_MAX)
    return invalidData(`The number of elements in response are limited to ${RECORDS_MAX}`)
  return { from, to }
}

export function createContentAnswers(world: VendorWorld): ContentAnswers {
  const feed = createFeed(world)
  const describe = (property: WorldProperty, query: URLSearchParams, fields?: ReadonlySet<string>) =>
    describeHotel(property, world.view(property), { fields, language: query.get('language') ?? '' })
  const findHotels = (codes: readonly string[]) =>
    [...new Set(codes)].flatMap((code) => world.byVendorId(Number(code)) ?? [])

  return {
    hotels(query) {
      const page = readPage(query)
      if ('status' in page) return page
      const { from, to } = page
      const codes = query.get('codes')?.split(',')
      if (codes !== undefined) {
        const properties = findHotels(codes)
        const fields = readFields(query)
        const hotels = properties.slice(from - 1, to).flatMap((property) => describe(property, query, fields) ?? [])
        return success({ from, to, total: properties.length, hotels })
      }
      const since = query.get('lastUpdateTime')
      if (since !== null && since > LAST_UPDATE) return success({ from, to, total: 0 })
      const { properties, total } = feed.read(from, to - from + 1)
      return success({ from, to, total, hotels: properties.flatMap((property) => describe(property, query) ?? []) })
    },
    details(codes) {
      const hotels = findHotels(codes.split(',')).flatMap(
        (property) => describeDetails(property, world.view(property)) ?? [],
      )
      const [only] = hotels
      // A single code returns an object, several return a list.
      if (!codes.includes(','))
        return only === undefined ? invalidData('The hotel does not exist', 404) : success({ hotel: only })
      return success({ hotels })
    },
  }
}

/** Requested fields; undefined for all. */
function readFields(query: URLSearchParams): ReadonlySet<string> | undefined {
  const fields = query.get('fields') ?? 'all'
  return fields === 'all' ? undefined : new Set(fields.split(','))
}

/**
 * Hotelbeds counts records, the world counts properties. The start of each page of records is stored, so that a feed
 * read in order never walks the same properties twice.
 */
function createFeed(world: VendorWorld) {
  const starts = new Map([[1, 0]])
  let total: number | undefined

  return {
    read(from: number, count: number): { properties: WorldProperty[]; total: number } {
      let record = Math.max(...[...starts.keys()].filter((start) => start <= from))
      let position = starts.get(record) ?? 0
      while (record < from) {
        const step = world.walk(position, Math.min(RECORDS_MAX, from - record))
        position = step.position
        record += step.properties.length
        if (step.done) return { properties: [], total: record - 1 }
        starts.set(record, position)
      }
      const page = world.walk(position, count)
      const next = from + page.properties.length
      if (page.done) total = next - 1
      else starts.set(next, page.position)
      // Until the end is known, the total is an estimate that never stops a reader early.
      return { properties: page.properties, total: total ?? Math.max(world.size(), next) }
    },
  }
}
