import { useEffect, useMemo, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { landPath, loadLand } from './land.ts'
import { Tiles } from './tiles.tsx'
import { kmPerPixel, type Point, type Size, toPixels, type View } from './view.ts'

type Props = { view: View; size: Size; centre: Point | undefined; tiles: string | null }

const GRID_KM = [0.1, 0.5, 1, 5, 10, 50, 100, 500] as const
const RINGS_KM = [0.5, 1, 2, 5, 10, 20, 50, 100] as const

/**
 * Land and sea, with distance rings around the place that was searched. The coast is too coarse for streets, so it
 * fades when zoomed in.
 */
export function BaseMap({ view, size, centre, tiles }: Props) {
  const { t, number } = useI18n()
  const land = useLand()
  const path = useMemo(() => (land === undefined ? '' : landPath(land, view, size)), [land, view, size])
  const km = kmPerPixel(view)
  const coast = Math.min(1, Math.max(0.14, (km * size.width - 40) / 120))
  const middle = centre && toPixels(centre, view, size)
  const rings = RINGS_KM.filter((ring) => ring / km > 46 && ring / km < size.width * 0.75).slice(0, 3)
  return (
    <svg width={size.width} height={size.height} className="absolute inset-0 overflow-visible" aria-hidden="true">
      <rect x={-size.width} y={-size.height} width={size.width * 3} height={size.height * 3} fill="var(--land)" />
      {tiles === null ? (
        <>
          <rect
            x={-size.width}
            y={-size.height}
            width={size.width * 3}
            height={size.height * 3}
            fill="var(--water)"
            opacity={land === undefined ? 0 : coast}
          />
          <path d={path} fill="var(--land)" stroke="var(--edge)" strokeOpacity={0.1 + coast * 0.45} strokeWidth={0.8} />
        </>
      ) : (
        <Tiles template={tiles} view={view} size={size} />
      )}
      <Grid view={view} size={size} />
      {middle && (
        <g transform={`translate(${middle[0]} ${middle[1]})`}>
          {rings.map((ring) => (
            <g key={ring}>
              <circle r={ring / km} fill="none" stroke="var(--edge)" strokeOpacity={0.5} strokeDasharray="2 5" />
              <text y={-ring / km - 5} textAnchor="middle" fontSize={11} fill="var(--muted)" className="figures">
                {number(ring, ring < 1 ? 1 : 0)} km
              </text>
            </g>
          ))}
          <path d="M-7 0H7M0-7V7" stroke="var(--muted)" strokeWidth={1.5} />
          <title>{t('map_centre')}</title>
        </g>
      )}
    </svg>
  )
}

/** A grid in round kilometres, for scale where no coast is visible. */
function Grid({ view, size }: { view: View; size: Size }) {
  const km = kmPerPixel(view)
  const cell = (GRID_KM.find((each) => each / km > 56) ?? 1000) / km
  const [left, top] = toPixels({ lat: 0, lon: 0 }, view, size)
  return (
    <>
      <defs>
        <pattern id="net" width={cell} height={cell} patternUnits="userSpaceOnUse" x={left % cell} y={top % cell}>
          <path d={`M${cell} 0H0V${cell}`} fill="none" stroke="var(--edge)" strokeOpacity={0.16} />
        </pattern>
      </defs>
      <rect x={-size.width} y={-size.height} width={size.width * 3} height={size.height * 3} fill="url(#net)" />
    </>
  )
}

/** Undefined until loaded; the map works without it. */
function useLand() {
  const [land, setLand] = useState<Awaited<ReturnType<typeof loadLand>>>()
  useEffect(() => {
    let current = true
    loadLand().then(
      (loaded) => current && setLand(loaded),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [])
  return land
}
