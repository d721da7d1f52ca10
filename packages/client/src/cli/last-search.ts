import type { Simulation } from '../methods.ts'
import type { BookRequest, Room, Search } from '../shapes.ts'
import { CommandError, EXIT } from './exit-codes.ts'
import { LAST_SEARCH_FILE, readPrivate, writePrivate } from './files.ts'
import { readCredentials } from './session.ts'

export type ShownRoom = Pick<Room, 'booking_info'> & { readonly name: string }
type LastSearch = {
  readonly url: string
  readonly searchId: string
  readonly simulate: Simulation | null
  /** Also without asking for it: a test key always simulates. */
  readonly isSimulated: boolean
  readonly properties: readonly string[]
  /** Of the properties that were looked at, as they were shown: their numbers must keep their meaning. */
  readonly rooms: Readonly<Record<string, readonly ShownRoom[]>>
  /** What was sent to be booked, by the room and the options of the command. */
  readonly orders: Readonly<Record<string, BookRequest>>
}

export function rememberSearch(search: Search, simulate: Simulation | undefined): void {
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

export function lastSearch(): LastSearch {
  const last = readPrivate<LastSearch>(LAST_SEARCH_FILE)
  if (last?.orders === undefined || last.url !== readCredentials().url)
    throw new CommandError('There is no search yet. Run serai-api search PLACE first.', EXIT.usage)
  return last
}

export function rememberRooms(last: LastSearch, propertyId: string, rooms: readonly Room[]): void {
  const shown = rooms.map(({ name, booking_info }) => ({ name, booking_info }))
  writePrivate(LAST_SEARCH_FILE, { ...last, rooms: { ...last.rooms, [propertyId]: shown } })
}

/** Kept before it is sent: only the same order again is certain not to book a second time. */
export function rememberOrder(name: string, order: BookRequest): void {
  const last = lastSearch()
  writePrivate(LAST_SEARCH_FILE, { ...last, orders: { ...last.orders, [name]: order } })
}

/** Nothing came of it: the next one begins with a new check. */
export function forgetOrder(name: string): void {
  const last = lastSearch()
  const { [name]: _, ...orders } = last.orders
  writePrivate(LAST_SEARCH_FILE, { ...last, orders })
}

/** `3`: the third property of the last search; `3.2`: its second room; anything else: a property's id. */
export function pointAt(last: LastSearch, text: string): { propertyId: string; room: number } {
  const [, property, room] = /^(\d{1,4})(?:\.(\d{1,3}))?$/.exec(text) ?? []
  if (property === undefined) return { propertyId: text, room: 1 }
  const propertyId = last.properties[Number(property) - 1]
  if (propertyId === undefined)
    throw new CommandError(`The last search found ${last.properties.length} properties.`, EXIT.notFound)
  return { propertyId, room: Number(room ?? 1) }
}
