import type { GeoJSONSource, Map as LibreMap } from 'maplibre-gl'
import { useEffect } from 'react'
import type { Point } from './bounds.ts'
import { PIN_SPACE, toPinSpace } from './map-style.ts'

/** Keeps place names clear of pins and of the centre in our own style; an operator's style lacks this source. */
export function usePinSpace(map: LibreMap | undefined, marks: readonly Point[], width: number): void {
  useEffect(() => {
    const show = () => map?.getSource<GeoJSONSource>(PIN_SPACE)?.setData(toPinSpace(marks, width))
    show()
    // A newly loaded style starts without data.
    map?.on('style.load', show)
    return () => void map?.off('style.load', show)
  }, [map, marks, width])
}
