import type { Random } from '../world/hash.ts'
import { entrance, inRow, panes, railing } from './building.ts'
import { darker, type Light, lighter, mix, under } from './light.ts'
import { hills, lounger, palm, parasol, sailBoat, sea, sky } from './scenery.ts'
import { block, blocks, define, ellipse, path, rect, rows, use } from './svg.ts'

const WALLS = ['#f6f1e6', '#f3e3cf', '#f4ded6', '#e4eef0', '#f0e7c9', '#efefef'] as const
const CLOTHS = ['#e07a5f', '#3d8f94', '#f2b84b', '#d1495b', '#2f6690', '#f4f1de'] as const
const HORIZON = 318

/** A building by the sea: water and a far coast on one side, terraces on the other, sand and palms in front. */
export function facadeBeach(light: Light, random: Random): string {
  const sand = under(light, random.pick(['#ecd9b0', '#f1e2c2', '#e6cfa2']))
  const leaf = under(light, random.pick(['#3f8f5f', '#4d9a55', '#2f7d62']))
  const cloth = under(light, random.pick(CLOTHS))
  const building = random.pick([terraces, slab, villas])
  const scene = [
    define('palm', palm(leaf)) + define('parasol', parasol(cloth)) + define('lounger', lounger(lighter(cloth, 0.6))),
    sea(light, random, HORIZON, 470),
    random.chance(0.6) ? far(light, random) : '',
    sailBoat(150 + random.below(120), HORIZON + 40 + random.below(30), 0.8, under(light, '#8c4a3c')),
    random.chance(0.5) ? sailBoat(80 + random.below(90), HORIZON + 16, 0.4, under(light, '#3f5a73')) : '',
    path('M0 452C120 430 220 452 340 440S620 424 800 430V600H0z', lighter(sand, 0.25)),
    path('M0 466C140 444 230 466 350 452S640 436 800 444V600H0z', sand),
    building(light, random, leaf),
    rows(3, (i) => ellipse(90 + i * 240 + random.below(60), 540 + random.below(30), 60, 6, darker(sand, 0.12), 0.5)),
    use('parasol', 120 + random.below(30), 516, 0.95),
    use('lounger', 190, 524, 0.8),
    use('parasol', 292 + random.below(24), 504, 0.8),
    use('lounger', 352, 512, 0.7),
    use('palm', 446, 508, 1.35),
    use('palm', 742, 520, 1.6),
    random.chance(0.6) ? use('palm', 52, 530, 1.7) : '',
  ].join('')
  return sky(light, random, HORIZON) + scene
}

const far = (light: Light, random: Random) =>
  `<g transform="translate(${-random.below(260)} 0)">${clipped(hills(random, HORIZON + 2, 70, mix(under(light, '#7f9aa0'), light.sky[1] ?? '#ffffff', 0.45)))}</g>`

/** Hills end at the waterline. */
const clipped = (inner: string) =>
  `<clipPath id="coast"><rect width="1100" height="${HORIZON + 2}"/></clipPath><g clip-path="url(#coast)">${inner}</g>`

function terraces(light: Light, random: Random, leaf: string): string {
  const wall = under(light, random.pick(WALLS))
  const floors = 5
  return (
    rows(floors, (i) => {
      const y = 150 + i * 62
      const left = 520 - i * 26
      const open = inRow(Math.round((800 - left) / 64), left + 24, 64, y + 14, 44, 40)
      return `${rect(left, y, 300 + i * 26, 62, darker(wall, 0.05 + (i % 2) * 0.04))}${panes(light, random, open, { frame: darker(wall, 0.1) })}${railing(left - 8, y + 36, 320 + i * 26, 20, lighter(wall, 0.6))}${rect(left - 14, y + 56, 340 + i * 26, 9, wall)}${rows(3, (n) => ellipse(left + 40 + n * 96 + random.below(30), y + 40, 14, 9, leaf))}`
    }) + rect(506, 142, 320, 10, darker(wall, 0.1))
  )
}

function slab(light: Light, random: Random, leaf: string): string {
  const wall = under(light, random.pick(WALLS))
  const stripe = under(light, random.pick(['#2f7f8f', '#d9826b', '#c9a24a', '#6f8fae']))
  const floors = 7
  const columns = 5
  const cellH = 306 / floors
  return [
    rect(500, 116, 270, 350, wall),
    rect(500, 116, 22, 350, stripe),
    rect(490, 106, 290, 12, darker(wall, 0.12)),
    panes(
      light,
      random,
      Array.from({ length: floors }, (_, i) =>
        inRow(columns, 534, 46, Math.round(128 + i * cellH), 36, Math.round(cellH - 16)),
      ).flat(),
      { frame: darker(wall, 0.06) },
    ),
    blocks(
      mix(wall, stripe, 0.35),
      rows(floors * columns, (i) =>
        block(530 + (i % columns) * 46, 106 + cellH + Math.floor(i / columns) * cellH, 44, 10),
      ),
    ),
    rect(470, 432, 330, 36, darker(wall, 0.1)),
    entrance(light, 634, 468, stripe),
    rows(5, (i) => ellipse(490 + i * 70, 464, 34, 14, darker(leaf, 0.06 * (i % 2)))),
  ].join('')
}

function villas(light: Light, random: Random, leaf: string): string {
  const roof = under(light, random.pick(['#b9603f', '#8a6b4a', '#a8763e']))
  const wall = under(light, random.pick(WALLS))
  const villa = (x: number, y: number, w: number, h: number) =>
    [
      rect(x, y, w, h, wall),
      path(`M${x - 18} ${y}L${x + w * 0.2} ${y - 52}H${x + w * 0.8}L${x + w + 18} ${y}z`, roof),
      rect(x, y, w, 8, 'rgba(0,0,0,.12)'),
      panes(light, random, inRow(3, x + w * 0.1, w * 0.3, y + 26, w * 0.18, Math.round(h * 0.5)), {
        frame: lighter(wall, 0.5),
        arch: true,
      }),
      railing(x - 6, y + h - 30, w + 12, 22, lighter(wall, 0.5)),
    ].join('')
  return [
    villa(600, 200, 190, 150),
    villa(478, 268, 170, 140),
    villa(636, 318, 180, 150),
    rows(8, (i) => ellipse(456 + i * 50, 462 - (i % 3) * 8, 36, 20, darker(leaf, 0.08 * (i % 3)))),
  ].join('')
}
