import type { Location } from '../domain/property/location.ts'
import type { Rows } from '../lists/run-in-memory.ts'
import type { LocationTrait } from './location-rows.ts'

/** A place by its row in the index, or a property. */
export type Destination = number | Location

/** Implemented by `search/`, because properties belong to the catalogue. */
export type FindDestinations = {
  /** Changes when the same text may give another result. */
  version(): number
  /** All matches, best first; a property comes after the places that match equally well. */
  matches(text: string, wantsProperties: boolean): Promise<Rows<Destination>>
  trait(destination: Destination, trait: LocationTrait): string | undefined
  at(destination: Destination): Location
  /** Best known first; undefined if the location does not exist. */
  neighbourhoods(id: string): Promise<readonly Location[] | undefined>
}
