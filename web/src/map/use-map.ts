import {
  Map as LibreMap,
  type LngLatBoundsLike,
  ScaleControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { usePreferences } from '../browser/preferences.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { type Box, fitBox, type Point } from './bounds.ts'
import { createMapStyle, DARK, LIGHT } from './map-style.ts'

// A separate file: the content security policy does not allow scripts created at run time.
setWorkerUrl(new URL(workerUrl, location.href).href)

/** `alone`: our own style has no streets, so a single property is shown with its neighbourhood. */
const ZOOM = { least: 1, most: 17, fitted: 14.5, alone: 13 }
const FIT_PADDING = { top: 64, bottom: 40, left: 56, right: 64 }

export type MapState = {
  readonly map: LibreMap | undefined
  /** Incremented in every frame in which the map moves. */
  readonly frame: number
  /** Incremented when the map stops moving. */
  readonly rest: number
  /** True if the user has moved the map since it was fitted. */
  readonly wasMoved: boolean
  fit(): void
}

/** The search that the points come from; `stayKey` is the same for all conditions. */
export type Searched = { readonly stayKey: string; readonly key: string }
const NO_SEARCH: Searched = { stayKey: '', key: '' }

/** Shows the points on a map in `frame`, in the page's colours or the operator's own style. */
export function useMap(
  frame: RefObject<HTMLDivElement | null>,
  points: readonly Point[],
  styleUrl: string | null,
  { stayKey, key }: Searched = NO_SEARCH,
) {
  const { t } = useI18n()
  const [title, sources] = [t('map'), t('map_sources')]
  const [map, setMap] = useState<LibreMap>()
  const [moves, setMoves] = useState({ frame: 0, rest: 0, wasMoved: false })
  const isDark = useDark()
  const style = styleUrl ?? createMapStyle(isDark ? DARK : LIGHT, location.origin)
  const first = useRef(style)

  useEffect(() => {
    if (frame.current === null) return
    const names = { 'Map.Title': title, 'AttributionControl.ToggleAttribution': sources }
    const made = openMap(frame.current, first.current, names)
    made.on('move', () => setMoves((now) => ({ ...now, frame: now.frame + 1 })))
    made.on('moveend', (event) =>
      setMoves((now) => ({ ...now, rest: now.rest + 1, wasMoved: now.wasMoved || event.originalEvent !== undefined })),
    )
    made.on('resize', () => setMoves((now) => ({ ...now, frame: now.frame + 1, rest: now.rest + 1 })))
    setMap(made)
    return () => {
      setMap(undefined)
      made.remove()
    }
  }, [frame, title, sources])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new style object is equal unless the theme changed
  useEffect(() => {
    if (map !== undefined && first.current !== style) map.setStyle(style)
    first.current = style
  }, [map, isDark, styleUrl])

  const fit = () => {
    const box = fitBox(points)
    if (map === undefined || box === undefined) return
    const maxZoom = points.length === 1 && styleUrl === null ? ZOOM.alone : ZOOM.fitted
    map.fitBounds(toBounds(box), { padding: getFitPadding(map), maxZoom, animate: false })
    setMoves((now) => ({ frame: now.frame + 1, rest: now.rest + 1, wasMoved: false }))
  }
  // Fits new results, but does not move the map when more of the same arrive or the conditions change.
  const place = getCentreKey(points)
  const fitted = useRef<Searched & { map: LibreMap | undefined }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the centre changes, not for every new point
  useEffect(() => {
    const last = fitted.current
    if (last?.map === map && last?.stayKey === stayKey && last.key !== key) return
    fit()
    // A single point may be the centre of an empty result.
    if (points.length > 1) fitted.current = { stayKey, key, map }
  }, [map, place, stayKey])

  return { map, ...moves, fit } satisfies MapState
}

/** `names`: labels of the canvas and its button for screen readers. */
function openMap(
  container: HTMLElement,
  style: StyleSpecification | string,
  names: Readonly<Record<string, string>>,
): LibreMap {
  const map = new LibreMap({
    container,
    style,
    locale: names,
    minZoom: ZOOM.least,
    maxZoom: ZOOM.most,
    center: [10, 20],
    zoom: ZOOM.least,
    attributionControl: { compact: true },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: true,
    fadeDuration: 150,
    canvasContextAttributes: { antialias: true },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.once('idle', () => foldSources(container))
  map.addControl(new ScaleControl({ maxWidth: 90 }), 'bottom-left')
  return map
}

/** MapLibre opens the sources at first, which cover a small map. */
function foldSources(container: HTMLElement): void {
  const sources = container.querySelector('.maplibregl-compact-show')
  sources?.classList.remove('maplibregl-compact-show')
  sources?.removeAttribute('open')
}

const toBounds = ({ south, west, north, east }: Box): LngLatBoundsLike => [
  [west, south],
  [east, north],
]

/** Less padding on a small map. */
function getFitPadding(map: LibreMap) {
  const { clientWidth, clientHeight } = map.getContainer()
  const isSmall = clientWidth < 240 || clientHeight < 240
  return isSmall ? 36 : FIT_PADDING
}

function getCentreKey(points: readonly Point[]): string {
  const box = fitBox(points)
  return box === undefined
    ? ''
    : [box.south + box.north, box.west + box.east].map((sum) => (sum / 2).toFixed(1)).join(' ')
}

const SYSTEM_DARK = '(prefers-color-scheme: dark)'

function useDark(): boolean {
  const { theme } = usePreferences()
  const system = useSyncExternalStore(
    (listener) => {
      const media = matchMedia(SYSTEM_DARK)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(SYSTEM_DARK).matches,
  )
  return theme === 'system' ? system : theme === 'dark'
}
