import 'maplibre-gl/dist/maplibre-gl.css'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Summary } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../ui/icon.tsx'
import { AREA_RADIUS_KM, type Box, measureRadius, type Point } from './bounds.ts'
import { nearestLongitude } from './longitude.ts'
import { isSmallMap, PinCard } from './pin-card.tsx'
import { formatPinPrice, measurePins, type Pin, placePins, type Spot } from './place-pins.ts'
import { PricePin } from './price-pin.tsx'
import { type MapState, type Searched, useMap } from './use-map.ts'
import { usePinSpace } from './use-pin-space.ts'

export type StayMapProps = {
  properties: readonly Summary[]
  /** Absent if the properties are not the results of a search. */
  searched?: Searched | undefined
  centre: Point | undefined
  marked: string | undefined
  linkTo(property: Summary): string
  /** Called when the pointer or the focus moves to another stay. */
  onMark?: ((id: string | undefined) => void) | undefined
  /** Called to search the visible area; absent if there is nothing to search. */
  onArea?: ((area: Box) => void) | undefined
  styleUrl: string | null
}

export default function StayMap({
  properties,
  searched,
  centre,
  marked,
  linkTo,
  onMark,
  onArea,
  styleUrl,
}: StayMapProps) {
  const { t } = useI18n()
  const frame = useRef<HTMLDivElement>(null)
  const points = useMemo(() => listPoints(properties, centre), [properties, centre])
  const state = useMap(frame, points, styleUrl, searched)
  const { map } = state
  const [opened, setOpened] = useState<string>()
  const size = { width: frame.current?.clientWidth ?? 0, height: frame.current?.clientHeight ?? 0 }
  const project = ({ lat, lon }: Point): Spot =>
    map?.project([nearestLongitude(lon, map.getCenter().lng), lat]) ?? { x: 0, y: 0 }
  const { pins, pinWidth } = usePins(state, properties, project, size)
  const shownCentre = properties.length === 0 ? centre : undefined
  const marks = useMemo(() => (shownCentre ? [shownCentre] : pins.map(({ at }) => at)), [shownCentre, pins])
  usePinSpace(map, marks, shownCentre ? CENTRE_WIDTH : pinWidth)
  const open = pins.find((pin) => pin.property.property_id === opened)
  const close = () => {
    setOpened(undefined)
    frame.current?.parentElement?.querySelector<HTMLElement>(`[data-pin="${opened}"]`)?.focus({ preventScroll: true })
  }
  useMapClick(state, () => setOpened(undefined))

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div
      role="group"
      aria-label={t('map_label')}
      className="relative size-full overflow-hidden bg-[var(--water)] select-none"
      onKeyDown={(event) => event.key === 'Escape' && opened !== undefined && close()}
    >
      <div ref={frame} className="size-full" />
      <div className="pointer-events-none absolute inset-0 overflow-hidden [&>*]:pointer-events-auto">
        {map && shownCentre && <CentreMark spot={project(shownCentre)} />}
        {pins.map((pin) => (
          <PricePin
            key={pin.property.property_id}
            pin={pin}
            spot={project(pin.at)}
            isMarked={includesStay(pin, marked)}
            isOpen={pin === open}
            onOpen={() => setOpened(pin.property.property_id)}
            onMark={(isOver) => onMark?.(isOver ? pin.property.property_id : undefined)}
          />
        ))}
        {open && (
          <PinCard
            key={opened}
            pin={open}
            spot={project(open.at)}
            size={size}
            linkTo={linkTo}
            onZoom={() => map?.easeTo({ center: toLngLat(open.at), zoom: map.getZoom() + 2 })}
            onClose={close}
          />
        )}
        {(open === undefined || !isSmallMap(size)) && <MapButtons state={state} />}
        {onArea !== undefined && <SearchArea state={state} onArea={onArea} />}
      </div>
    </div>
  )
}

type Size = { readonly width: number; readonly height: number }

function usePins({ map, rest }: MapState, properties: readonly Summary[], project: (at: Point) => Spot, size: Size) {
  const { roundMoney } = useI18n()
  const pinWidth = useMemo(
    () => measurePins(properties.map((property) => formatPinPrice({ property }, roundMoney))),
    [properties, roundMoney],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: pins are placed when the map stops moving
  const pins = useMemo(
    () => (map === undefined ? [] : placePins(properties, ({ location }) => project(location), { ...size, pinWidth })),
    [map, properties, rest, pinWidth],
  )
  return { pins, pinWidth }
}

const toLngLat = ({ lat, lon }: Point): [number, number] => [lon, lat]

const listPoints = (properties: readonly Summary[], centre: Point | undefined): readonly Point[] =>
  properties.length === 0 && centre !== undefined ? [centre] : properties.map(({ location }) => location)

const includesStay = ({ stays }: Pin, id: string | undefined): boolean =>
  id !== undefined && stays.some(({ property_id }) => property_id === id)

/** Degrees within the range that the service accepts, with few digits because they appear in the URL. */
function toArea({ south, west, north, east }: Box): Box {
  const digits = (degrees: number) => Math.round(degrees * 1e4) / 1e4
  const longitude = (degrees: number) => digits(((((degrees + 180) % 360) + 360) % 360) - 180)
  return {
    south: digits(Math.max(-90, south)),
    west: longitude(west),
    north: digits(Math.min(90, north)),
    east: longitude(east),
  }
}

/** A click beside the pins closes the card; a drag does not. */
function useMapClick({ map }: MapState, onClick: () => void): void {
  const latest = useRef(onClick)
  latest.current = onClick
  useEffect(() => {
    const listener = () => latest.current()
    map?.on('click', listener)
    return () => void map?.off('click', listener)
  }, [map])
}

const CENTRE_WIDTH = 16

function CentreMark({ spot }: { spot: Spot }) {
  return (
    <span
      aria-hidden="true"
      className="absolute top-0 left-0 size-4 rounded-full border-[3px] border-surface bg-accent shadow-lift"
      style={{ transform: `translate(${spot.x}px, ${spot.y}px) translate(-50%, -50%)` }}
    />
  )
}

/** Marks the move as made by the user. */
const asUserEvent = ({ nativeEvent: originalEvent }: { nativeEvent: Event }) => ({ originalEvent })

/** Shown once the user has moved the map. Refuses an area that the service would refuse. */
function SearchArea({ state: { map, wasMoved }, onArea }: { state: MapState; onArea(area: Box): void }) {
  const { t } = useI18n()
  if (map === undefined || !wasMoved) return null
  const bounds = map.getBounds()
  const [south, west, north, east] = [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()]
  const box = { south, west, north, east }
  const km = measureRadius(box)
  const refusal = km > AREA_RADIUS_KM.max ? 'map_area_large' : km < AREA_RADIUS_KM.min ? 'map_area_small' : undefined
  return (
    <div className="absolute top-3 left-1/2 z-20 -translate-x-1/2 shadow-lift">
      {refusal === undefined ? (
        <button type="button" className="btn btn-primary" onClick={() => onArea(toArea(box))}>
          {t('map_search_area')}
        </button>
      ) : (
        <p role="status" className="w-52 rounded-md bg-surface px-3 py-2 text-center text-sm">
          {t(refusal)}
        </p>
      )}
    </div>
  )
}

function MapButtons({ state: { map, fit } }: { state: MapState }) {
  const { t } = useI18n()
  const button = 'grid size-11 place-items-center bg-surface text-ink hover:text-accent'
  return (
    <div className="absolute top-3 right-3 z-20 flex flex-col divide-y divide-line overflow-hidden rounded-md border border-edge shadow-card">
      <button
        type="button"
        className={button}
        aria-label={t('map_zoom_in')}
        onClick={(event) => map?.zoomIn({}, asUserEvent(event))}
      >
        <Icon name="plus" />
      </button>
      <button
        type="button"
        className={button}
        aria-label={t('map_zoom_out')}
        onClick={(event) => map?.zoomOut({}, asUserEvent(event))}
      >
        <Icon name="minus" />
      </button>
      <button type="button" className={button} aria-label={t('map_reset')} onClick={fit}>
        <Icon name="map" />
      </button>
    </div>
  )
}
