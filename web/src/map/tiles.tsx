import { type Size, toUnit, type View } from './view.ts'

const ZOOM_MAX = 19
const TILE = 256

/** The operator's raster tiles: an address with `{z}`, `{x}` and `{y}`. */
export function Tiles({ template, view, size }: { template: string; view: View; size: Size }) {
  const zoom = Math.min(ZOOM_MAX, Math.round(view.zoom))
  const count = 2 ** zoom
  const edge = TILE * 2 ** (view.zoom - zoom)
  const [unitX, unitY] = toUnit(view)
  const left = unitX * count - size.width / 2 / edge
  const top = unitY * count - size.height / 2 / edge
  const tiles: { x: number; y: number }[] = []
  for (let x = Math.floor(left); x <= left + size.width / edge; x += 1)
    for (let y = Math.max(0, Math.floor(top)); y <= Math.min(count - 1, top + size.height / edge); y += 1)
      tiles.push({ x, y })
  return tiles.map(({ x, y }) => (
    <image
      key={`${zoom}/${x}/${y}`}
      href={template
        .replace('{z}', String(zoom))
        .replace('{x}', String(((x % count) + count) % count))
        .replace('{y}', String(y))}
      x={(x - left) * edge}
      y={(y - top) * edge}
      width={edge + 0.5}
      height={edge + 0.5}
    />
  ))
}
