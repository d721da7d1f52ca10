import type { Location } from '../domain/property/location.ts'
import type { Rows } from '../lists/run-in-memory.ts'
import type { LocationTrait } from './location-rows.ts'

/** A place by its row in the index, or a property. */
export type Destination = number | Location

/** Finds places and properties by name. `search/` implements it, because properties belong to the catalogue. */
export type FindDestinations = {
  /** Changes if the same text may have another answer. */
  version(): number
  /** All matches of a text, best first; properties after the places that match as well. */
  matches(text: string, wantsProperties: boolean): Promise<Rows<Destination>>
  trait(destination: Destination, trait: LocationTrait): string | undefined
  at(destination: Destination): Location
  /** Best known first; undefined if the location does not exist. */
  neighbourhoods(id: string): Promise<readonly Location[] | undefined>
}
