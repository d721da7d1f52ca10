import type { Random } from '../world/hash.ts'
import { darker, LAMP, type Light, lighter, mix, under } from './light.ts'
import { bars, block, blocks, circle, path, rect, rows } from './svg.ts'

/** What the windows of a front are like. */
type WindowStyle = {
  readonly frame: string
  readonly shutters?: string
  readonly balcony?: string
  readonly arch?: boolean
}
export type Box = readonly [x: number, y: number, w: number, h: number]

/** Windows at these places. Those behind which a lamp burns are warm, the others mirror the sky in one of three shades. */
export function panes(light: Light, random: Random, boxes: readonly Box[], style: WindowStyle): string {
  const sky = light.sky[1] ?? '#ffffff'
  const glass: readonly [string, string[]][] = [
    [LAMP, []],
    [mix(LAMP, '#ffb45e', 0.45), []],
    [light.window, []],
    [mix(light.window, sky, 0.16), []],
    [mix(light.window, sky, 0.32), []],
  ]
  let crosses = ''
  let gleams = ''
  for (const [x, y, w, h] of boxes) {
    const lit = random.chance(light.lamps)
    const shade = random.next()
    glass[lit ? Math.floor(shade * 2) : 2 + Math.floor(shade * 3)]?.[1].push(
      style.arch ? arch(x, y, w, h) : block(x, y, w, h),
    )
    crosses += `M${n(x + w / 2)} ${n(y)}v${n(h)}${h > w * 1.2 ? `M${n(x)} ${n(y + h * 0.4)}h${n(w)}` : ''}`
    if (!lit && !style.arch)
      gleams += `M${n(x)} ${n(y + h * 0.75)}V${n(y + h * 0.3)}L${n(x + w * 0.55)} ${n(y)}h${n(w * 0.45)}z`
  }
  const framed = glass.map(([color, list]) => blocks(color, list.join(''))).join('')
  return [
    `<g stroke="${style.frame}" stroke-width="5" paint-order="stroke">${framed}</g>`,
    blocks('rgba(255,255,255,.22)', gleams),
    `<path d="${crosses}" stroke="${style.frame}" stroke-width="2"/>`,
    style.shutters === undefined ? '' : blocks(style.shutters, boxes.map(shutters).join('')),
    style.balcony === undefined ? '' : balconies(boxes, style.balcony),
  ].join('')
}

const n = Math.round
const arch = (x: number, y: number, w: number, h: number) =>
  `M${n(x)} ${n(y + h)}V${n(y + w / 2)}a${n(w / 2)} ${n(w / 2)} 0 0 1 ${n(w)} 0V${n(y + h)}z`
const shutters = ([x, y, w, h]: Box) =>
  block(x - w * 0.42, y - 1, w * 0.38, h + 2) + block(x + w * 1.04, y - 1, w * 0.38, h + 2)

function balconies(boxes: readonly Box[], color: string): string {
  const line = boxes.map(([x, y, w, h]) => `M${n(x - 9)} ${n(y + h - 7)}h${n(w + 18)}`).join('')
  const edges = boxes
    .map(([x, y, w, h]) => block(x - 11, y + h - 18, w + 22, 3) + block(x - 12, y + h + 1, w + 24, 4))
    .join('')
  return bars(color, 18, line) + blocks(color, edges)
}

export function railing(x: number, y: number, w: number, h: number, color: string): string {
  return (
    bars(color, h, `M${n(x)} ${n(y + h / 2)}h${n(w)}`) +
    blocks(color, block(x - 2, y - 2, w + 4, 3) + block(x - 3, y + h - 1, w + 6, 4))
  )
}

/** A grid of windows over a front. */
export function windows(
  light: Light,
  random: Random,
  box: { x: number; y: number; w: number; h: number },
  grid: { columns: number; floors: number; share: number },
  style: WindowStyle,
): string {
  const cellW = box.w / grid.columns
  const cellH = box.h / grid.floors
  const w = n(cellW * grid.share)
  const h = n(cellH * 0.6)
  const boxes = Array.from({ length: grid.columns * grid.floors }, (_, i): Box => {
    const column = i % grid.columns
    const floor = Math.floor(i / grid.columns)
    return [n(box.x + column * cellW + (cellW - w) / 2), n(box.y + floor * cellH + cellH * 0.22), w, h]
  })
  return panes(light, random, boxes, style)
}

/** Boxes in a row, from left to right. */
export const inRow = (count: number, x: number, step: number, y: number, w: number, h: number, skip = -1): Box[] =>
  Array.from({ length: count }, (_, i): Box => [n(x + i * step), y, n(w), h]).filter((_, i) => i !== skip)

/** Striped cloth over a door or a shop window. */
export function awning(x: number, y: number, w: number, color: string): string {
  const stripes = Math.max(4, Math.round(w / 16))
  const step = w / stripes
  const stripe = (i: number) =>
    `M${n(x + i * step + 4)} ${n(y)}h${n(step)}l${n(((i + 0.5) / stripes) * 8 - 4)} 22q${-n(step / 2)} 10 ${-n(step)} 0z`
  const every = (first: number) => rows(stripes, (i) => (i % 2 === first ? stripe(i) : ''))
  return blocks(color, every(0)) + blocks('#f7f1e6', every(1))
}

/** The way in: a lit door between two small trees, under a canopy. */
export function entrance(light: Light, x: number, ground: number, accent: string): string {
  const glass = light.lamps > 0.1 ? LAMP : '#cfe0e2'
  const bush = under(light, '#4f7d56')
  const pot = under(light, '#8b7a66')
  return [
    rect(x - 34, ground - 74, 68, 74, darker(accent, 0.45)),
    blocks(glass, block(x - 28, ground - 66, 26, 66) + block(x + 2, ground - 66, 26, 66)),
    blocks('#5a4630', block(x - 5, ground - 40, 2, 14) + block(x + 3, ground - 40, 2, 14)),
    path(`M${x - 52} ${ground - 74}h104l8 16h-120z`, accent),
    rect(x - 60, ground - 60, 120, 4, darker(accent, 0.2)),
    ...[x - 58, x + 58].map(
      (side) => circle(side, ground - 34, 15, bush) + circle(side, ground - 50, 10, lighter(bush, 0.12)),
    ),
    blocks(pot, block(x - 67, ground - 20, 18, 20) + block(x + 49, ground - 20, 18, 20)),
    light.lamps > 0.3 ? circle(x, ground - 30, 90, 'url(#sun)') : '',
  ].join('')
}

/** A board with letters too small to read, as signs are from across the street. */
export function sign(light: Light, x: number, y: number, w: number, color: string): string {
  const count = 5 + (n(w) % 4)
  const step = (w - 28) / count
  const letters = rows(count, (i) => block(x - w / 2 + 14 + i * step, y + 7, step * 0.6, 8))
  return rect(x - w / 2, y, w, 22, color, 3) + blocks(light.lamps > 0.3 ? LAMP : '#f8f2e4', letters)
}
