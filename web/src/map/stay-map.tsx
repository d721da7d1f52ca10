import { useMemo, useRef, useState } from 'react'
import type { Summary } from '../api/shapes.ts'
import { GuestRating, Stars } from '../components/badges.tsx'
import { Icon } from '../components/icon.tsx'
import { Money } from '../components/price.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { BaseMap } from './base-map.tsx'
import { type Pin, placePins } from './place-pins.ts'
import { useMapView, useSize } from './use-map-view.ts'
import { type Point, viewOf, zoomed } from './view.ts'

type Props = {
  properties: readonly Summary[]
  centre: Point | undefined
  marked: string | undefined
  hrefOf(property: Summary): string
  tiles: string | null
}

/** Prices on a map. The keyboard does not reach the pins: every stay is also in the list. */
export default function StayMap({ properties, centre, marked, hrefOf, tiles }: Props) {
  const { t } = useI18n()
  const frame = useRef<HTMLDivElement>(null)
  const size = useSize(frame)
  const [opened, setOpened] = useState<string>()
  const fitted = useMemo(() => size && viewOf(pointsOf(properties, centre), size), [properties, centre, size])
  const { view, drag, change, reset, wasDragged, handlers } = useMapView(fitted)
  const pins = useMemo(() => (view && size ? placePins(properties, view, size) : []), [properties, view, size])
  const open = pins.find((pin) => pin.property.property_id === opened)

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div
      ref={frame}
      role="group"
      aria-label={`${t('map_label')}. ${t('map_text')}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the map
      tabIndex={0}
      className="relative size-full touch-none overflow-hidden bg-[var(--land)] select-none"
      {...handlers}
      onClick={() => !wasDragged() && setOpened(undefined)}
      onKeyUp={(event) => event.key === 'Escape' && setOpened(undefined)}
    >
      <div className="absolute inset-0" style={drag && { transform: `translate(${drag.dx}px, ${drag.dy}px)` }}>
        {view && size && <BaseMap view={view} size={size} centre={centre} tiles={tiles} />}
        {pins.map((pin) => (
          <PricePin
            key={pin.property.property_id}
            pin={pin}
            isMarked={isOn(pin, marked) || pin === open}
            onOpen={() => !wasDragged() && setOpened(pin.property.property_id)}
          />
        ))}
      </div>
      {open && (
        <PinCard
          pin={open}
          href={hrefOf(open.property)}
          onZoom={() => change((from) => zoomed({ ...from, ...open.property.location }, 1.5))}
        />
      )}
      <MapButtons
        onIn={() => change((from) => zoomed(from, 1))}
        onOut={() => change((from) => zoomed(from, -1))}
        onReset={reset}
      />
    </div>
  )
}

const pointsOf = (properties: readonly Summary[], centre: Point | undefined): readonly Point[] =>
  properties.length === 0 && centre !== undefined ? [centre] : properties.map(({ location }) => location)

const isOn = (pin: Pin, id: string | undefined): boolean =>
  id !== undefined && (pin.property.property_id === id || pin.covers.some((each) => each.property_id === id))

type PricePinProps = { pin: Pin; isMarked: boolean; onOpen(): void }

function PricePin({ pin, isMarked, onOpen }: PricePinProps) {
  const { roundMoney } = useI18n()
  const colours = isMarked
    ? 'z-10 border-ink bg-ink text-paper'
    : 'border-accent bg-surface text-accent hover:bg-accent hover:text-accent-ink'
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`figures absolute flex h-7 -translate-x-1/2 -translate-y-full items-center gap-1 rounded-sm border px-1.5 text-xs font-semibold whitespace-nowrap shadow-card ${colours}`}
      style={{ left: pin.x, top: pin.y }}
      onClick={(event) => {
        event.stopPropagation()
        onOpen()
      }}
    >
      {roundMoney(pin.property.total_price, pin.property.currency)}
      {pin.covers.length > 0 && <span className="text-[0.85em] font-normal">+{pin.covers.length}</span>}
    </button>
  )
}

function PinCard({ pin, href, onZoom }: { pin: Pin; href: string; onZoom(): void }) {
  const { t } = useI18n()
  const { property, covers } = pin
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: stops a press inside from closing the card
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div className="card absolute inset-x-3 bottom-3 z-20 p-4" onClick={(event) => event.stopPropagation()}>
      <a href={href} className="font-serif text-lg leading-snug font-semibold hover:text-accent">
        {property.name}
      </a>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap items-center gap-2">
          <Stars value={property.star_rating} />
          <GuestRating overall={property.guest_ratings.overall} count={property.review_count} />
        </span>
        <Money
          amount={property.total_price}
          currency={property.currency}
          className="font-serif text-lg font-semibold"
        />
      </div>
      {covers.length > 0 && (
        <button type="button" className="link mt-1 min-h-8 text-sm" onClick={onZoom}>
          {t('map_more_here', { n: covers.length })} · {t('map_zoom_in')}
        </button>
      )}
    </div>
  )
}

function MapButtons({ onIn, onOut, onReset }: { onIn(): void; onOut(): void; onReset(): void }) {
  const { t } = useI18n()
  const button = 'grid size-11 place-items-center bg-surface text-ink hover:text-accent'
  const stop = (act: () => void) => (event: { stopPropagation(): void }) => {
    event.stopPropagation()
    act()
  }
  return (
    <div className="absolute top-3 right-3 z-20 flex flex-col divide-y divide-line overflow-hidden rounded-md border border-edge shadow-card">
      <button type="button" className={button} aria-label={t('map_zoom_in')} onClick={stop(onIn)}>
        <Icon name="plus" />
      </button>
      <button type="button" className={button} aria-label={t('map_zoom_out')} onClick={stop(onOut)}>
        <Icon name="minus" />
      </button>
      <button type="button" className={button} aria-label={t('map_reset')} onClick={stop(onReset)}>
        <Icon name="map" />
      </button>
    </div>
  )
}
