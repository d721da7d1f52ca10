import type { VendorWorld, WorldProperty } from '../../world/contract.ts'
import { describeDetails, describeProperty } from './describe-property.ts'
import { invalidData, ok, type Said } from './vendor-words.ts'

const RECORDS_MAX = 1000
/** The world was made on this day and has not changed since. */
const LAST_UPDATE = '2026-01-01'

export type ContentAnswers = {
  hotels(query: URLSearchParams): Said
  details(codes: string): Said
}

/** `from`–`to` as every list of the Content API takes them. */
export function pageOf(query: URLSearchParams): { from: number; to: number } | Said {
  const from = Number(query.get('from') ?? 1)
  const to = Number(query.get('to') ?? 100)
  if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 1 && to >= from)) return invalidData('Invalid range')
  if (to - from + 1 > RECORDS_MAX)
    return invalidData(`The number of elements in response are limited to ${RECORDS_MAX}`)
  return { from, to }
}

export function createContentAnswers(world: VendorWorld): ContentAnswers {
  const feed = createFeed(world)
  const described = (property: WorldProperty, query: URLSearchParams, fields?: ReadonlySet<string>) =>
    describeProperty(property, world.view(property), { fields, language: query.get('language') ?? '' })
  const known = (codes: readonly string[]) =>
    [...new Set(codes)].flatMap((code) => world.byVendorId(Number(code)) ?? [])

  return {
    hotels(query) {
      const page = pageOf(query)
      if ('status' in page) return page
      const { from, to } = page
      const codes = query.get('codes')?.split(',')
      if (codes !== undefined) {
        const properties = known(codes)
        const fields = fieldsOf(query)
        const hotels = properties.slice(from - 1, to).flatMap((property) => described(property, query, fields) ?? [])
        return ok({ from, to, total: properties.length, hotels })
      }
      const since = query.get('lastUpdateTime')
      if (since !== null && since > LAST_UPDATE) return ok({ from, to, total: 0 })
      const { properties, total } = feed.read(from, to - from + 1)
      return ok({ from, to, total, hotels: properties.flatMap((property) => described(property, query) ?? []) })
    },
    details(codes) {
      const hotels = known(codes.split(',')).flatMap(
        (property) => describeDetails(property, world.view(property)) ?? [],
      )
      const [only] = hotels
      // One code asked for gives an object, several a list.
      if (!codes.includes(','))
        return only === undefined ? invalidData('The hotel does not exist', 404) : ok({ hotel: only })
      return ok({ hotels })
    },
  }
}

/** The fields that are asked for; undefined for all of them. */
function fieldsOf(query: URLSearchParams): ReadonlySet<string> | undefined {
  const fields = query.get('fields') ?? 'all'
  return fields === 'all' ? undefined : new Set(fields.split(','))
}

/**
 * Hotelbeds counts records, the world counts properties: where each page of records began is kept, so that a feed read
 * in order never walks the same properties twice.
 */
function createFeed(world: VendorWorld) {
  const starts = new Map([[1, 0]])
  let counted: number | undefined

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
      if (page.done) counted = next - 1
      else starts.set(next, page.position)
      // While the end has not been seen the total is an estimate, and never one that would stop a reader early.
      return { properties: page.properties, total: counted ?? Math.max(world.size(), next) }
    },
  }
}
