import type { GeoJSONSource, Map as LibreMap } from 'maplibre-gl'
import { useEffect } from 'react'
import { PIN_SPACE, toPinSpace } from './map-style.ts'
import type { Pin } from './place-pins.ts'

/** Keeps place names clear of pins in our own style; an operator's style lacks this source. */
export function usePinSpace(map: LibreMap | undefined, pins: readonly Pin[], width: number): void {
  useEffect(() => {
    const show = () =>
      map?.getSource<GeoJSONSource>(PIN_SPACE)?.setData(
        toPinSpace(
          pins.map(({ at }) => at),
          width,
        ),
      )
    show()
    // A newly loaded style starts without data.
    map?.on('style.load', show)
    return () => void map?.off('style.load', show)
  }, [map, pins, width])
}
