/** The centre and zoom of the map (the world is 256 · 2^zoom pixels wide). */
export type View = { readonly lat: number; readonly lon: number; readonly zoom: number }
export type Size = { readonly width: number; readonly height: number }
export type Point = { readonly lat: number; readonly lon: number }

export const ZOOM = { min: 2, max: 17 } as const
const TILE = 256
const LAT_MAX = 85

export const worldWidth = (zoom: number): number => TILE * 2 ** zoom

/** Mercator projection onto a world one unit wide. */
export function toUnit({ lat, lon }: Point): [number, number] {
  const sine = Math.sin((clamp(lat, -LAT_MAX, LAT_MAX) * Math.PI) / 180)
  return [(lon + 180) / 360, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)]
}

export function toPixels(point: Point, view: View, size: Size): [number, number] {
  const [x, y] = toUnit(point)
  const [centreX, centreY] = toUnit(view)
  const width = worldWidth(view.zoom)
  return [(x - centreX) * width + size.width / 2, (y - centreY) * width + size.height / 2]
}

/** The view after moving the content by dx, dy pixels. */
export function panned(view: View, dx: number, dy: number): View {
  const [x, y] = toUnit(view)
  const width = worldWidth(view.zoom)
  const unitY = y - dy / width
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * unitY))) * 180) / Math.PI
  return { ...view, lat: clamp(lat, -LAT_MAX, LAT_MAX), lon: (x - dx / width) * 360 - 180 }
}

export const zoomed = (view: View, by: number): View => ({ ...view, zoom: clamp(view.zoom + by, ZOOM.min, ZOOM.max) })

/** Shows all points except outliers, so that one distant property does not shrink the city to a dot. */
export function viewOf(points: readonly Point[], size: Size): View {
  if (points.length === 0) return { lat: 20, lon: 10, zoom: ZOOM.min }
  const [west, east] = span(points.map(({ lon }) => lon))
  const [south, north] = span(points.map(({ lat }) => lat))
  const [left, top] = toUnit({ lat: north, lon: west })
  const [right, bottom] = toUnit({ lat: south, lon: east })
  const zoomFor = (room: number, need: number) => Math.log2((room * 0.82) / (TILE * Math.max(need, 1e-5)))
  const zoom = Math.min(zoomFor(size.width, right - left), zoomFor(size.height, bottom - top), 15)
  return { lat: (north + south) / 2, lon: (west + east) / 2, zoom: clamp(zoom, ZOOM.min, ZOOM.max) }
}

export const kmPerPixel = ({ lat, zoom }: View): number => (40_075 * Math.cos((lat * Math.PI) / 180)) / worldWidth(zoom)

function span(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  return sorted.length < 8 ? [at(0), at(1)] : [at(0.03), at(0.97)]
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))
