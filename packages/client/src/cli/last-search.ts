import type { BookRequest, Room, Search } from '../generated/api-types.ts'
import type { Simulation } from '../methods.ts'
import { CommandError, EXIT } from './exit-codes.ts'
import { LAST_SEARCH_FILE, readPrivate, writePrivate } from './files.ts'
import { readCredentials } from './session.ts'

export type ShownRoom = Pick<Room, 'booking_info'> & { readonly name: string }
type LastSearch = {
  readonly url: string
  readonly searchId: string
  readonly simulate: Simulation | null
  /** True also without --simulate: a test key always simulates. */
  readonly isSimulated: boolean
  readonly properties: readonly string[]
  /** Rooms as they were shown, by property, so that their numbers stay valid. */
  readonly rooms: Readonly<Record<string, readonly ShownRoom[]>>
  /** Orders that were sent, by the room and the options of the command. */
  readonly orders: Readonly<Record<string, BookRequest>>
}

export function saveLastSearch(search: Search, simulate: Simulation | undefined): void {
  const last: LastSearch = {
    url: readCredentials().url ?? '',
    searchId: search.search_id,
    simulate: simulate ?? null,
    isSimulated: search.simulated,
    properties: search.availability.map(({ property_id: id }) => id),
    rooms: {},
    orders: {},
  }
  writePrivate(LAST_SEARCH_FILE, last)
}

export function readLastSearch(): LastSearch {
  const last = readPrivate<LastSearch>(LAST_SEARCH_FILE)
  if (last?.orders === undefined || last.url !== readCredentials().url)
    throw new CommandError('No search yet. Run serai-api search PLACE first.', EXIT.usage)
  return last
}

export function saveShownRooms(last: LastSearch, propertyId: string, rooms: readonly Room[]): void {
  const shown = rooms.map(({ name, booking_info }) => ({ name, booking_info }))
  writePrivate(LAST_SEARCH_FILE, { ...last, rooms: { ...last.rooms, [propertyId]: shown } })
}

/** Stored before sending: only the same order again is certain not to book twice. */
export function saveOrder(key: string, order: BookRequest): void {
  const last = readLastSearch()
  writePrivate(LAST_SEARCH_FILE, { ...last, orders: { ...last.orders, [key]: order } })
}

/** For a refused order; the next attempt starts with a new check. */
export function removeOrder(key: string): void {
  const last = readLastSearch()
  const { [key]: _, ...orders } = last.orders
  writePrivate(LAST_SEARCH_FILE, { ...last, orders })
}

/** `3` is the third property of the last search, `3.2` its second room; anything else is a property id. */
export function resolvePosition(last: LastSearch, text: string): { propertyId: string; room: number } {
  const [, property, room] = /^(\d{1,4})(?:\.(\d{1,3}))?$/.exec(text) ?? []
  if (property === undefined) return { propertyId: text, room: 1 }
  const propertyId = last.properties[Number(property) - 1]
  if (propertyId === undefined)
    throw new CommandError(`The last search found only ${last.properties.length} properties.`, EXIT.notFound)
  return { propertyId, room: Number(room ?? 1) }
}
