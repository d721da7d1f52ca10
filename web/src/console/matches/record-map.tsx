import 'maplibre-gl/dist/maplibre-gl.css'
import { useRef } from 'react'
import { useMap } from '../../map/use-map.ts'

type Spot = { readonly id: string; readonly lat: number; readonly lon: number }

/** Map with the location and number of each record. */
export default function RecordMap({ spots, styleUrl }: { spots: readonly Spot[]; styleUrl: string | null }) {
  const frame = useRef<HTMLDivElement>(null)
  const { map } = useMap(frame, spots, styleUrl)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-label="Map of the records" className="relative size-full overflow-hidden">
      <div ref={frame} className="size-full" />
      <div className="pointer-events-none absolute inset-0 overflow-hidden">
        {map !== undefined &&
          spots.map(({ id, lat, lon }, index) => {
            const { x, y } = map.project([lon, lat])
            return (
              <span
                key={id}
                className="figures absolute top-0 left-0 grid size-7 place-items-center rounded-full border border-surface bg-accent text-xs font-semibold text-accent-ink shadow-card"
                style={{ transform: `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)` }}
              >
                {index + 1}
              </span>
            )
          })}
      </div>
    </div>
  )
}
