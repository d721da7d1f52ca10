import type { LocationIndex } from '../locations/location-index.ts'
import { createPlaceTiles } from '../page/map/place-tiles.ts'
import { openTileArchive, type TileArchive } from '../page/map/tile-archive.ts'

/** Opens the page's map file on first use. */
export function composeMap(locations: LocationIndex) {
  let land: TileArchive | undefined
  return {
    land: (key: Parameters<TileArchive>[0]) => {
      land ??= openTileArchive()
      return land(key)
    },
    places: createPlaceTiles(locations),
  }
}
