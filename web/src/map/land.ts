import { geoBounds, geoMercator, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import atlasUrl from 'world-atlas/countries-50m.json?url'
import { type Size, toUnit, type View, worldWidth } from './view.ts'

type Country = { readonly shape: unknown; readonly bounds: [[number, number], [number, number]] }

let loading: Promise<readonly Country[]> | undefined

/** Country outlines, fetched once from our own server. */
export function loadLand(): Promise<readonly Country[]> {
  loading ??= fetchLand().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function fetchLand(): Promise<readonly Country[]> {
  const response = await fetch(atlasUrl)
  if (!response.ok) throw new Error(`land: ${response.status}`)
  const atlas = (await response.json()) as { objects: { countries: unknown } }
  return feature(atlas, atlas.objects.countries).features.map((shape) => ({ shape, bounds: geoBounds(shape) }))
}

/** One path with all land in view. Only countries that touch the view are projected, for speed. */
export function landPath(countries: readonly Country[], view: View, size: Size): string {
  const width = worldWidth(view.zoom)
  const projection = geoMercator()
    .scale(width / (2 * Math.PI))
    .center([view.lon, view.lat])
    .translate([size.width / 2, size.height / 2])
    .clipExtent([
      [-size.width / 2, -size.height / 2],
      [size.width * 1.5, size.height * 1.5],
    ])
  const path = geoPath(projection)
  const near = countries.filter(({ bounds }) => touches(bounds, view, size))
  return near.map(({ shape }) => path(shape) ?? '').join('')
}

function touches([[west, south], [east, north]]: Country['bounds'], view: View, size: Size): boolean {
  // A country across the date line has west > east: always keep it.
  if (west > east) return true
  const width = worldWidth(view.zoom)
  const [centreX, centreY] = toUnit(view)
  const [left, top] = toUnit({ lat: north, lon: west })
  const [right, bottom] = toUnit({ lat: south, lon: east })
  const reachX = size.width / width
  const reachY = size.height / width
  return left < centreX + reachX && right > centreX - reachX && top < centreY + reachY && bottom > centreY - reachY
}
