import type { Random } from '../world/hash.ts'
import { bigWindow, interior, pickScheme, picture, plant, type Scheme, sofa } from './bedroom.ts'
import { darker, lighter, mix, pickLight } from './light.ts'
import {
  block,
  blocks,
  circle,
  define,
  dot,
  dots,
  ellipse,
  glow,
  gradient,
  path,
  rect,
  rows,
  stroke,
  use,
} from './svg.ts'

/** Reception counter under hanging lamps, keys behind it, a sofa for those who wait. */
export function lobby(random: Random): string {
  const scheme = pickScheme(random)
  const counter = darker(scheme.floor, 0.2)
  return [
    interior(scheme),
    bigWindow(pickLight(random), random, scheme, 60, 110, 150, 270),
    rect(300, 150, 250, 200, darker(scheme.dark, 0.05), 6),
    blocks(
      darker(scheme.dark, 0.22),
      rows(24, (i) => block(312 + (i % 8) * 29, 162 + Math.floor(i / 8) * 60, 23, 48)),
    ),
    dots(
      '#e6c067',
      8,
      rows(24, (i) => (random.chance(0.7) ? dot(323 + (i % 8) * 29, 190 + Math.floor(i / 8) * 60) : '')),
    ),
    rect(266, 376, 320, 130, counter, 8),
    rect(256, 364, 340, 18, lighter(scheme.wall, 0.5), 4),
    blocks(
      lighter(counter, 0.1),
      rows(9, (i) => block(280 + i * 34, 392, 20, 104)),
    ),
    rect(330, 330, 54, 36, '#2f343d', 4),
    rect(354, 364, 6, 4, '#2f343d'),
    ...flowers(random, 500, 364),
    pendants(scheme, [330, 426, 522], 230),
    ellipse(690, 540, 170, 30, mix(scheme.cloth, scheme.floor, 0.3)),
    sofa({ ...scheme, dark: mix(scheme.cloth, scheme.dark, 0.25), cloth: scheme.wall }, 690, 500),
    picture(random, scheme, 690, 170),
    plant(random, 236, 486, 0.95),
  ].join('')
}

const flowers = (random: Random, x: number, y: number) => {
  const bloom = random.pick(['#d9705f', '#e3a5b8', '#f0c24f', '#ffffff'])
  return [
    stroke(
      `M${x} ${y - 20}V${y - 56}M${x} ${y - 20}L${x - 18} ${y - 50}M${x} ${y - 20}L${x + 18} ${y - 52}`,
      '#5f8f5a',
      3,
    ),
    ...[
      [-20, -54],
      [0, -64],
      [20, -56],
      [-10, -48],
      [11, -46],
    ].map(([dx, dy]) => circle(x + (dx ?? 0), y + (dy ?? 0), 10, bloom)),
    path(`M${x - 12} ${y - 28}h24l-5 28h-14z`, '#8fb3b5'),
  ]
}

/** Lamps hanging from the ceiling. */
function pendants({ dark }: Scheme, xs: readonly number[], y: number): string {
  return xs
    .map(
      (x) =>
        `${circle(x, y + 6, 100, 'url(#lamp)')}${rect(x - 1, 0, 2, y - 30, '#3a3f4a')}${path(`M${x - 34} ${y}C${x - 32} ${y - 38} ${x + 32} ${y - 38} ${x + 34} ${y}z`, dark)}${ellipse(x, y, 30, 6, '#ffe9b8')}`,
    )
    .join('')
}

export function restaurant(random: Random): string {
  const scheme = pickScheme(random)
  const linen = '#fbf8f2'
  const table = `${chair(scheme, -104)}${chair(scheme, 104)}${ellipse(0, 74, 96, 12, '#000000', 0.16)}${path('M-92-8H92L78 62H-78z', darker(linen, 0.07))}${ellipse(0, -8, 94, 20, linen)}${ellipse(-40, -10, 24, 6, '#e4ddd0')}${ellipse(40, -10, 24, 6, '#e4ddd0')}${ellipse(-40, -11, 14, 3, scheme.cloth)}${ellipse(40, -11, 14, 3, scheme.cloth)}${glass(-4)}${glass(74)}${circle(8, -34, 10, scheme.cloth)}${circle(18, -40, 8, lighter(scheme.cloth, 0.3))}${rect(8, -28, 8, 16, '#8fb3b5', 2)}`
  return [
    interior(scheme),
    bigWindow(pickLight(random), random, scheme, 540, 110, 190, 250),
    rect(70, 130, 380, 214, darker(scheme.dark, 0.1), 4),
    blocks(
      lighter(scheme.floor, 0.2),
      rows(3, (row) => block(76, 192 + row * 68, 368, 6)),
    ),
    bottles(random, [192, 260, 328], 84, 13, 28),
    pendants(scheme, [180, 400, 620], 176),
    define('table', table),
    use('table', 206, 420, 1) + use('table', 604, 424, 1) + use('table', 404, 474, 1.16),
    plant(random, 40, 500, 1.1),
  ].join('')
}

const chair = ({ floor, dark }: Scheme, x: number) =>
  `${rect(x - 22, -70, 44, 64, dark, 10)}${rect(x - 26, -2, 52, 14, lighter(dark, 0.12), 5)}${rect(x - 22, 10, 6, 60, darker(floor, 0.3))}${rect(x + 16, 10, 6, 60, darker(floor, 0.3))}`
const glass = (x: number) =>
  `${path(`M${x - 7}-46h14c1 16-3 20-7 20s-8-4-7-20z`, '#dfe9ea', 0.85)}${path(`M${x - 6}-38h12c0 8-3 11-6 11s-6-3-6-11z`, '#8c2f39', 0.8)}${rect(x - 1, -28, 2, 16, '#dfe9ea')}${ellipse(x, -11, 8, 2, '#dfe9ea')}`

/** Rows of bottles on shelves, by colour. */
function bottles(random: Random, shelves: readonly number[], x: number, count: number, step: number): string {
  const glasses = ['#4c6b4f', '#7a3b3f', '#b98a3f', '#3f5566', '#a9b7a0', '#2f3a35'].map((color) => ({ color, d: '' }))
  let labels = ''
  for (const y of shelves) {
    for (let i = 0; i < count; i++) {
      const left = x + i * step
      const h = 34 + random.below(12)
      random.pick(glasses).d += block(left, y - h, 14, h) + block(left + 4, y - h - 12, 6, 12)
      labels += block(left + 1, y - h * 0.6, 12, 10)
    }
  }
  return glasses.map(({ color, d }) => blocks(color, d)).join('') + blocks('#efe6d2', labels)
}

export function bar(random: Random): string {
  const scheme = pickScheme(random)
  const night = { ...scheme, wall: darker(scheme.dark, 0.45), floor: darker(scheme.floor, 0.35) }
  const counter = darker(scheme.floor, 0.3)
  return [
    interior(night),
    rect(120, 110, 560, 236, darker(night.wall, 0.3), 8),
    circle(400, 220, 300, 'url(#lamp)', 0.5),
    blocks(
      '#c9a05f',
      rows(3, (row) => block(130, 186 + row * 70, 540, 6)),
    ),
    bottles(random, [186, 256, 326], 142, 18, 29),
    rect(60, 372, 680, 20, lighter(counter, 0.25), 5),
    rect(80, 392, 640, 120, counter),
    blocks(
      darker(counter, 0.14),
      rows(10, (i) => block(96 + i * 63, 404, 46, 96)),
    ),
    rows(5, (i) => stool(scheme, 160 + i * 122)),
    pendants(scheme, [200, 400, 600], 150),
    rows(3, (i) => `<g transform="translate(${220 + i * 170} 384)">${glass(0)}</g>`),
  ].join('')
}

const stool = ({ cloth }: Scheme, x: number) =>
  `${ellipse(x, 572, 34, 7, '#000000', 0.25)}${stroke(`M${x - 12} 446L${x - 24} 570M${x + 12} 446L${x + 24} 570M${x - 18} 524H${x + 18}`, '#c9a05f', 4)}${rect(x - 32, 430, 64, 20, cloth, 9)}`

/** Seen from above, as people photograph it. */
export function breakfast(random: Random): string {
  const scheme = pickScheme(random)
  const wood = lighter(scheme.floor, 0.18)
  const plate = (x: number, y: number, r: number) =>
    circle(x + 5, y + 8, r, '#000000', 0.14) + circle(x, y, r, '#fdfbf6') + circle(x, y, r * 0.74, '#f1ebe0')
  const fruit = (x: number, y: number) =>
    rows(7, () =>
      circle(
        x - 34 + random.below(68),
        y - 30 + random.below(60),
        11 + random.below(7),
        random.pick(['#d1495b', '#f2b84b', '#6f8f3f', '#5c4a86', '#e07a5f']),
      ),
    )
  return [
    rect(0, 0, 800, 600, wood),
    rows(6, (i) => rect(0, i * 100, 800, 3, darker(wood, 0.12))),
    rect(230, 70, 340, 470, mix(scheme.cloth, '#ffffff', 0.45), 4),
    rows(8, (i) => rect(230, 84 + i * 60, 340, 5, mix(scheme.cloth, '#ffffff', 0.25))),
    plate(400, 320, 136),
    croissant(360, 300, 1.5),
    croissant(440, 356, 1.2),
    plate(160, 210, 84),
    fruit(160, 210),
    cup(610, 180, '#6b4630'),
    plate(640, 430, 92),
    circle(622, 420, 40, '#fdfdfb') +
      circle(622, 420, 18, '#f4b63f') +
      circle(668, 446, 36, '#fdfdfb') +
      circle(668, 446, 16, '#f4b63f'),
    circle(150, 440, 54, '#fdfbf6') + circle(150, 440, 44, random.pick(['#e08a3f', '#f2b84b', '#d96c5f'])),
    rect(268, 210, 10, 220, '#b9bec4', 5),
    rect(524, 210, 10, 220, '#b9bec4', 5),
    rows(5, (i) => ellipse(40 + i * 26, 90 + (i % 2) * 22, 22, 10, darker('#6f9a62', 0.05 * i))),
  ].join('')
}

const cup = (x: number, y: number, drink: string) =>
  circle(x + 4, y + 7, 78, '#000000', 0.12) +
  circle(x, y, 78, '#fdfbf6') +
  circle(x, y, 48, '#ffffff') +
  circle(x, y, 41, drink) +
  stroke(`M${x - 16} ${y + 6}q16-22 32 0`, '#e9d3b4', 6, 0.8) +
  rect(x + 44, y - 8, 32, 16, '#ffffff', 8)
const croissant = (x: number, y: number, size: number) =>
  `<g transform="translate(${x} ${y}) scale(${size})">${path('M-46 18C-40-26 40-26 46 18C30 2 12-2 0-2S-30 2-46 18z', '#c9853f')}${stroke('M-28-4L-20 8M-10-14L-6-1M10-14L6-1M28-4L20 8', '#9a5f2b', 3)}</g>`

export function bathroom(random: Random): string {
  const tile = random.pick(['#e9eef0', '#dfe8e4', '#f0e9e2', '#e3e6ee', '#cfdcd8'])
  const accent = random.pick(['#3f6f75', '#8a6a4d', '#5f6f86', '#a4573f', '#51695a'])
  const shower = random.chance(0.5)
  return [
    `<defs>${gradient('wall', lighter(tile, 0.3), tile)}${glow('lamp', '#fff0c9', 0.9)}</defs>`,
    rect(0, 0, 800, 450, 'url(#wall)'),
    stroke(rows(9, (i) => `M0 ${i * 52}H800`) + rows(16, (i) => `M${i * 53} 0V450`), darker(tile, 0.08), 2),
    rect(0, 250, 800, 30, mix(accent, tile, 0.25)),
    rect(0, 450, 800, 150, mix(accent, '#d9d2c6', 0.72)),
    rect(0, 450, 800, 9, 'rgba(0,0,0,.1)'),
    circle(210, 210, 170, 'url(#lamp)'),
    circle(210, 210, 92, darker(accent, 0.2)) +
      circle(210, 210, 84, '#d6e6ea') +
      path('M150 240L230 134l30 16L176 276z', '#ffffff', 0.4),
    rect(80, 366, 260, 26, '#fbfaf7', 5),
    rect(90, 392, 240, 118, accent, 4),
    rect(98, 404, 110, 94, lighter(accent, 0.12), 3) + rect(214, 404, 108, 94, lighter(accent, 0.12), 3),
    ellipse(210, 362, 66, 16, '#ffffff') + rect(144, 350, 132, 14, '#ffffff', 6),
    stroke('M210 352v-36q0-14 22-12', '#b8a06a', 7),
    rect(104, 330, 18, 36, mix(accent, '#ffffff', 0.5), 4) + rect(126, 340, 16, 26, '#e9d9b6', 4),
    shower ? showerBox(tile) : tub(),
    rect(384, 300, 54, 110, '#ffffff', 3) + rect(384, 380, 54, 12, mix(accent, '#ffffff', 0.3)),
    rect(374, 292, 74, 7, '#b8a06a', 3),
    plant(random, 742, 500, 0.85),
  ].join('')
}

const tub = () =>
  `${ellipse(600, 536, 170, 14, '#000000', 0.16)}${path('M440 392H736C736 480 712 520 668 526H508C464 520 440 480 440 392z', '#ffffff')}${rect(428, 382, 320, 18, '#f4f1ea', 9)}${path('M448 400H728v12H448z', '#dcd8cf')}${stroke('M704 382v-66q0-18-26-18', '#b8a06a', 8)}${ellipse(520, 384, 40, 12, '#ffffff')}${circle(552, 380, 12, '#ffffff')}`
const showerBox = (tile: string) =>
  `${rect(470, 60, 250, 450, mix(tile, '#7fa3a8', 0.22))}${stroke(
    rows(8, (i) => `M470 ${90 + i * 52}H720`),
    'rgba(255,255,255,.5)',
    2,
  )}${stroke('M600 60v46', '#b8a06a', 7)}${rect(556, 104, 88, 12, '#b8a06a', 6)}${stroke(
    rows(6, (i) => `M${566 + i * 14} 124v${60 + (i % 3) * 26}`),
    '#ffffff',
    2,
    0.6,
  )}${rect(470, 60, 8, 450, '#c8d6d8')}${path('M486 70h70L500 500h-14z', '#ffffff', 0.22)}${rect(452, 504, 290, 14, '#fbfaf7', 4)}`

export function spa(random: Random): string {
  const deep = random.pick(['#3f4f4a', '#4a4454', '#3d4b57', '#54463d'])
  const stone = '#4b5156'
  const pebble = (x: number, y: number, rx: number) =>
    ellipse(x, y + 6, rx, rx * 0.36, '#000000', 0.3) +
    ellipse(x, y, rx, rx * 0.34, stone) +
    ellipse(x - rx * 0.2, y - rx * 0.1, rx * 0.5, rx * 0.1, '#7c848a', 0.7)
  const candle = (x: number, y: number, h: number) =>
    `${circle(x, y - h - 16, 70, 'url(#lamp)')}${rect(x - 18, y - h, 36, h, '#f4ead6', 4)}${path(`M${x} ${y - h - 28}c10 12 8 22 0 26c-8-4-10-14 0-26z`, '#ffc861')}`
  const towel = (x: number, y: number, color: string) =>
    rect(x, y, 150, 44, color, 20) +
    circle(x + 132, y + 22, 20, darker(color, 0.08)) +
    circle(x + 132, y + 22, 11, darker(color, 0.16)) +
    circle(x + 132, y + 22, 4, color)
  return [
    `<defs>${gradient('wall', lighter(deep, 0.22), deep)}${glow('lamp', '#ffcf80', 0.8)}</defs>`,
    rect(0, 0, 800, 600, 'url(#wall)'),
    rows(3, (shade) =>
      blocks(
        mix('#7f9a5f', deep, 0.35 + shade * 0.12),
        rows(11, (i) => (i % 3 === shade ? block(24 + i * 76, 0, 15, 420) : '')),
      ),
    ),
    blocks(
      darker(deep, 0.2),
      rows(44, (i) => block(22 + (i % 11) * 76, 50 + Math.floor(i / 11) * 104 + ((i % 11) % 3) * 26, 19, 5)),
    ),
    rect(0, 410, 800, 190, '#8a6a4d'),
    rows(5, (i) => rect(0, 410 + i * 40, 800, 3, '#755740')),
    towel(110, 420, '#fbf7ee') +
      towel(130, 380, random.pick(['#d9c3a0', '#b9c7b5', '#cfae9f'])) +
      towel(108, 462, '#f3ece0'),
    pebble(430, 500, 74) + pebble(428, 462, 58) + pebble(432, 430, 42) + pebble(429, 404, 28),
    candle(570, 520, 74) + candle(628, 534, 50) + candle(520, 540, 38),
    rows(6, (i) => `<g transform="translate(700 470) rotate(${i * 60})">${ellipse(0, -26, 13, 26, '#fdf6f3')}</g>`) +
      circle(700, 470, 11, '#f2c14e'),
  ].join('')
}
