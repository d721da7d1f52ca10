import type { GeoJSONSource, Map as LibreMap } from 'maplibre-gl'
import { useEffect } from 'react'
import { PIN_SPACE, spaceFor } from './map-style.ts'
import type { Pin } from './place-pins.ts'

/** Keeps the names of places out from under the pins, where the style is our own; an operator's style has no such source. */
export function usePinSpace(map: LibreMap | undefined, pins: readonly Pin[]): void {
  useEffect(() => {
    const show = () => map?.getSource<GeoJSONSource>(PIN_SPACE)?.setData(spaceFor(pins.map(({ at }) => at)))
    show()
    // A style that has just been loaded begins without them.
    map?.on('style.load', show)
    return () => void map?.off('style.load', show)
  }, [map, pins])
}
