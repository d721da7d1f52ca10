import type { Random } from '../world/hash.ts'
import { awning, entrance, inRow, panes, railing, sign, windows } from './building.ts'
import { darker, type Light, lighter, mix, under } from './light.ts'
import { sky, skyline, streetLamp, tree } from './scenery.ts'
import { block, blocks, circle, path, rect, rows, shape } from './svg.ts'

const WALLS = [
  '#eadfc9',
  '#dcb892',
  '#b5614a',
  '#e9e6df',
  '#93a7b0',
  '#cd9a83',
  '#a9b8a0',
  '#e3c684',
  '#d9aba6',
  '#7f8c9b',
] as const
const ACCENTS = ['#1f4e5f', '#8c2f39', '#2f5d50', '#c2702a', '#3b3b58', '#a23b56', '#20639b'] as const
const GROUND = 492

type Front = { light: Light; random: Random; x: number; w: number; top: number; wall: string; accent: string }

/** A hotel on a street: neighbours left and right, trees, and one of five kinds of front. */
export function facadeCity(light: Light, random: Random): string {
  const w = 300 + random.below(130)
  const front: Front = {
    light,
    random,
    w,
    x: 400 - w / 2 + random.between(-50, 50),
    top: 120 + random.below(60),
    wall: under(light, random.pick(WALLS)),
    accent: under(light, random.pick(ACCENTS)),
  }
  const draw = random.pick([mansard, glass, brick, southern, deco])
  return [
    sky(light, random, 430),
    skyline(light, random, GROUND, 230),
    neighbour(front, -1),
    neighbour(front, 1),
    draw(front),
    street(front),
  ].join('')
}

function neighbour({ light, random, x, w, top }: Front, side: -1 | 1): string {
  const wall = mix(under(light, random.pick(WALLS)), light.sky[1] ?? '#ffffff', 0.22)
  const height = (GROUND - top) * random.between(0.55, 0.84)
  const width = 210 + random.below(60)
  const left = side < 0 ? x - width - 3 : x + w + 3
  const y = GROUND - height
  const box = { x: left + 14, y: y + 14, w: width - 28, h: height - 70 }
  return [
    rect(left, y, width, height, wall),
    rect(left - 4, y - 8, width + 8, 10, darker(wall, 0.14)),
    windows(
      light,
      random,
      box,
      { columns: 4, floors: Math.max(2, Math.round(height / 80)), share: 0.44 },
      { frame: lighter(wall, 0.35) },
    ),
    rect(left, GROUND - 56, width, 56, darker(wall, 0.22)),
    blocks(
      light.lamps > 0.2 ? '#ffe0a0' : mix(light.window, '#ffffff', 0.2),
      rows(3, (i) => block(left + 16 + (i * (width - 24)) / 3, GROUND - 44, (width - 60) / 3, 44)),
    ),
    awning(Math.round(left + 10), GROUND - 58, width - 28, under(light, random.pick(ACCENTS))),
  ].join('')
}

function mansard({ light, random, x, w, top, wall, accent }: Front): string {
  const slate = under(light, '#5b6775')
  const columns = 5 + random.below(2)
  const cell = w / columns
  const box = { x, y: top + 60, w, h: GROUND - top - 150 }
  return [
    path(
      `M${Math.round(x - 4)} ${top + 56}L${Math.round(x + 22)} ${top}H${Math.round(x + w - 22)}L${Math.round(x + w + 4)} ${top + 56}z`,
      slate,
    ),
    blocks(
      lighter(slate, 0.3),
      rows(columns - 2, (i) => block(x + (i + 1.5) * cell - 17, top + 12, 34, 6)),
    ),
    panes(light, random, inRow(columns - 2, x + 1.5 * cell - 13, cell, top + 18, 26, 34), {
      frame: lighter(wall, 0.3),
    }),
    rect(x, top + 56, w, GROUND - top - 56, wall),
    rect(x + w * 0.88, top + 56, w * 0.12, GROUND - top - 56, darker(wall, 0.06)),
    rect(x - 7, top + 52, w + 14, 9, darker(wall, 0.16)),
    windows(light, random, box, { columns, floors: 4, share: 0.42 }, { frame: lighter(wall, 0.4), balcony: '#3c4048' }),
    rect(x - 4, GROUND - 92, w + 8, 6, darker(wall, 0.16)),
    panes(light, random, inRow(columns, x + cell * 0.22, cell, GROUND - 76, cell * 0.56, 76, Math.floor(columns / 2)), {
      frame: darker(wall, 0.3),
      arch: true,
    }),
    entrance(light, Math.round(x + (Math.floor(columns / 2) + 0.5) * cell), GROUND, accent),
    sign(light, x + (Math.floor(columns / 2) + 0.5) * cell, GROUND - 114, 120, accent),
  ].join('')
}

function glass({ light, random, x, w, top, accent }: Front): string {
  const steel = under(light, '#5d7386')
  const narrow = w * 0.78
  const left = x + (w - narrow) / 2
  const floors = 9
  const high = Math.max(96, top - 30)
  const cell = (GROUND - 86 - high) / floors
  const columns = 7
  return [
    rect(left, high, narrow, GROUND - high, steel),
    windows(
      light,
      random,
      { x: left + 4, y: high + 6, w: narrow - 8, h: cell * floors },
      { columns, floors, share: 0.86 },
      {
        frame: darker(steel, 0.12),
      },
    ),
    shape(
      'rgba(255,255,255,.13)',
      left,
      GROUND - 90,
      left,
      high + 150,
      left + narrow * 0.7,
      high,
      left + narrow,
      high,
      left + narrow,
      high + 20,
    ),
    rect(left - 6, high - 8, narrow + 12, 10, darker(steel, 0.25)),
    rect(left + narrow * 0.3, high - 30, narrow * 0.4, 22, darker(steel, 0.12)),
    rect(x - 20, GROUND - 84, w + 40, 84, darker(steel, 0.3)),
    blocks(
      light.lamps > 0.1 ? '#ffe2a6' : mix(light.window, '#ffffff', 0.3),
      rows(6, (i) => block(x - 8 + i * ((w + 16) / 6), GROUND - 66, (w + 16) / 6 - 8, 66)),
    ),
    rect(x - 34, GROUND - 90, w + 68, 9, accent),
    entrance(light, Math.round(x + w / 2), GROUND, accent),
    sign(light, x + w / 2, GROUND - 116, 150, accent),
  ].join('')
}

function brick({ light, random, x, w, top, accent }: Front): string {
  const wall = under(light, random.pick(['#a8553f', '#8f4a3b', '#b9714f', '#7c5a52', '#c9b9a3']))
  const columns = 6
  const box = { x: x + 8, y: top + 26, w: w - 16, h: GROUND - top - 116 }
  return [
    rect(x, top, w, GROUND - top, wall),
    blocks(
      darker(wall, 0.1),
      rows(9, (i) => block(x, top + 34 + i * 38, w, 2)),
    ),
    rect(x - 10, top - 8, w + 20, 16, lighter(wall, 0.22)),
    blocks(
      darker(wall, 0.2),
      rows(16, (i) => block(x - 4 + (i * (w + 4)) / 16, top + 8, 8, 7)),
    ),
    windows(light, random, box, { columns, floors: 5, share: 0.6 }, { frame: lighter(wall, 0.62) }),
    rect(x, GROUND - 86, w, 86, darker(wall, 0.34)),
    ...[x + 14, x + w - 118].flatMap((left) => [
      rect(left, GROUND - 62, 104, 62, light.lamps > 0.1 ? '#ffe0a0' : mix(light.window, '#ffffff', 0.25)),
      awning(Math.round(left - 6), GROUND - 72, 112, accent),
    ]),
    entrance(light, Math.round(x + w / 2), GROUND, accent),
    sign(light, x + w / 2, GROUND - 112, 140, darker(accent, 0.1)),
  ].join('')
}

function southern({ light, random, x, w, top, wall, accent }: Front): string {
  const roof = under(light, '#b9603f')
  const low = top + 40
  const columns = 5
  const shutters = under(light, random.pick(['#3f7f78', '#4d6fa3', '#5c7f4c', '#8a5a44', '#f2ede2']))
  const box = { x, y: low + 8, w, h: GROUND - low - 96 }
  return [
    path(
      `M${Math.round(x - 22)} ${low}L${Math.round(x + 18)} ${low - 44}H${Math.round(x + w - 18)}L${Math.round(x + w + 22)} ${low}z`,
      roof,
    ),
    blocks(
      darker(roof, 0.2),
      rows(3, (i) => block(x - 12 + i * -4, low - 32 + i * 12, w + 24 + i * 8, 2)),
    ),
    rect(x, low, w, GROUND - low, wall),
    rect(x, low, w, 10, 'rgba(0,0,0,.12)'),
    windows(light, random, box, { columns, floors: 4, share: 0.34 }, { frame: lighter(wall, 0.5), shutters }),
    rect(x + w * 0.2, low + (GROUND - low - 96) * 0.5 + 2, w * 0.6, 5, darker(wall, 0.2)),
    railing(x + w * 0.2, low + (GROUND - low - 96) * 0.5 - 18, w * 0.6, 20, '#3c4048'),
    rect(x, GROUND - 84, w, 84, darker(wall, 0.1)),
    ...[x + 16, x + w - 112].flatMap((left) => [
      panes(light, random, [[Math.round(left + 24), GROUND - 66, 48, 66]], { frame: darker(wall, 0.3), arch: true }),
      awning(Math.round(left), GROUND - 78, 92, accent),
    ]),
    entrance(light, Math.round(x + w / 2), GROUND, accent),
    sign(light, x + w / 2, GROUND - 110, 120, accent),
  ].join('')
}

function deco({ light, random, x, w, top, accent }: Front): string {
  const wall = under(light, random.pick(['#f0e4d0', '#f3d9cf', '#d8e6e1', '#e6e0ee', '#f1e6b8']))
  const trim = under(light, random.pick(['#d28b72', '#5aa1a0', '#c8a24a', '#8a7fb0']))
  const high = Math.max(90, top - 20)
  const step = w / 6
  return [
    rect(x, high + 60, w, GROUND - high - 60, wall),
    rect(x + step, high + 28, w - 2 * step, 40, wall),
    rect(x + 2 * step, high, w - 4 * step, 40, wall),
    rect(x + w / 2 - 12, high - 34, 24, GROUND - high - 40, trim),
    rect(x + w / 2 - 5, high - 52, 10, 30, lighter(trim, 0.2)),
    ...[0.18, 0.36, 0.64, 0.82].map((at) =>
      rect(x + w * at - 3, high + 60, 6, GROUND - high - 150, mix(wall, trim, 0.45)),
    ),
    windows(
      light,
      random,
      { x: x + 6, y: high + 66, w: w / 2 - 24, h: GROUND - high - 156 },
      { columns: 3, floors: 5, share: 0.5 },
      { frame: mix(wall, trim, 0.5) },
    ),
    windows(
      light,
      random,
      { x: x + w / 2 + 18, y: high + 66, w: w / 2 - 24, h: GROUND - high - 156 },
      { columns: 3, floors: 5, share: 0.5 },
      { frame: mix(wall, trim, 0.5) },
    ),
    rect(x - 6, GROUND - 88, w + 12, 8, trim),
    rect(x, GROUND - 80, w, 80, darker(wall, 0.16)),
    ...[x + 40, x + w - 40].map((cx) =>
      circle(cx, GROUND - 44, 22, light.lamps > 0.1 ? '#ffe0a0' : mix(light.window, '#ffffff', 0.25)),
    ),
    entrance(light, Math.round(x + w / 2), GROUND, accent),
  ].join('')
}

function street({ light, random }: Front): string {
  const pavement = under(light, '#cfc6b8')
  const road = under(light, '#6c7079')
  const leaf = under(light, random.pick(['#5f8f5a', '#7ba05b', '#4f7f62', '#c98f4a']))
  const lit = light.lamps > 0.3
  return [
    rect(0, GROUND, 800, 40, pavement),
    rect(0, GROUND + 38, 800, 8, darker(pavement, 0.2)),
    rect(0, GROUND + 46, 800, 70, road),
    blocks(
      lighter(road, 0.45),
      rows(5, (i) => block(30 + i * 170, GROUND + 76, 80, 5)),
    ),
    tree(70 + random.below(50), GROUND + 18, 1.25, leaf),
    tree(700 + random.below(60), GROUND + 20, 1.35, leaf),
    streetLamp(212 + random.below(16), GROUND + 22, lit),
    streetLamp(590 + random.below(16), GROUND + 22, lit),
  ].join('')
}
