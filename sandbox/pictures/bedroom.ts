import type { Random } from '../world/hash.ts'
import { darker, type Light, lighter, mix, pickLight } from './light.ts'
import { hills, mountains, sea } from './scenery.ts'
import { circle, ellipse, faded, glow, gradient, path, rect, rows, shape, stroke } from './svg.ts'

/** Colours that go together: wall, panel or headboard, cloth, floor. */
const SCHEMES = [
  ['#e8e0d4', '#7d8f82', '#c98b5e', '#b58a63'],
  ['#d9e2e3', '#3f5f6f', '#e0b15c', '#9a7b5e'],
  ['#f0e6da', '#a4573f', '#2f5d62', '#c79f74'],
  ['#e3ddea', '#5c5478', '#d9a5a0', '#8f735c'],
  ['#e6e8dc', '#66784f', '#e9dcc2', '#a98259'],
  ['#efe3df', '#8a4b5a', '#d7b98f', '#7d6350'],
  ['#dfe5ea', '#2f3e55', '#b9c7cf', '#b99871'],
  ['#f3eedf', '#c0883f', '#4d6a78', '#8a6a4d'],
] as const

export type Scheme = { wall: string; dark: string; cloth: string; floor: string }

export function pickScheme(random: Random): Scheme {
  const [wall, dark, cloth, floor] = random.pick(SCHEMES)
  return { wall, dark, cloth, floor }
}

const FLOOR = 436

/** A room with its beds: `single`, `double`, `twin`, `bunk` or `suite`. Window and bed share the width, left or right. */
export function bedroom(random: Random, beds: string, number: number): string {
  const scheme = pickScheme(random)
  const light = pickLight(random)
  const windowLeft = beds === 'suite' || (number + random.below(2)) % 2 === 0
  const wx = windowLeft ? 66 : 560
  const bedX = beds === 'suite' ? 420 : windowLeft ? 530 : 270
  return [
    interior(scheme),
    bigWindow(light, random, scheme, wx, 96, 176, 290),
    picture(random, scheme, bedX, beds === 'bunk' ? 60 : 134),
    plant(random, windowLeft ? 66 : 734, FLOOR + 44, 0.92),
    rug(scheme, bedX),
    bedsOf(scheme, beds, bedX),
    beds === 'suite' ? sofa(scheme, 690, 486) : '',
    daylight(wx, light),
  ].join('')
}

const rug = ({ cloth, floor }: Scheme, x: number) => ellipse(x, 536, 250, 34, mix(cloth, floor, 0.55), 0.8)

/** Wall, skirting and a floor of boards that run towards the viewer. */
export function interior({ wall, floor }: Scheme): string {
  return [
    `<defs>${gradient('wall', lighter(wall, 0.25), wall, darker(wall, 0.06))}${glow('lamp', '#ffdf9e', 0.85)}</defs>`,
    rect(0, 0, 800, FLOOR, 'url(#wall)'),
    rect(0, FLOOR, 800, 164, floor),
    stroke(
      rows(9, (i) => `M${400 + (i - 4) * 70} ${FLOOR}L${400 + (i - 4) * 190} 600`),
      darker(floor, 0.14),
      2,
      0.7,
    ),
    rect(0, FLOOR - 12, 800, 12, lighter(wall, 0.5)),
    rect(0, FLOOR, 800, 10, 'rgba(0,0,0,.1)'),
  ].join('')
}

/** Curtains left and right, and outside the town, the sea or the hills. */
export function bigWindow(
  light: Light,
  random: Random,
  { wall, cloth }: Scheme,
  x: number,
  y: number,
  w: number,
  h: number,
): string {
  const outside = random.pick(['town', 'sea', 'hills', 'peaks'] as const)
  const curtain = mix(cloth, wall, 0.45)
  const fold = (left: number) =>
    rows(4, (i) => rect(left + i * 12, y - 14, 12, h + 60, i % 2 === 0 ? curtain : darker(curtain, 0.08)))
  return [
    `<defs>${gradient('out', ...light.sky)}<clipPath id="win"><rect x="${x}" y="${y}" width="${w}" height="${h}"/></clipPath></defs>`,
    rect(x - 9, y - 9, w + 18, h + 18, lighter(wall, 0.7)),
    `<g clip-path="url(#win)">${rect(x, y, w, h, 'url(#out)')}${circle(x + w * 0.7, y + 60, 22, light.sun)}${outsideOf(outside, light, random, x, y, w, h)}</g>`,
    rect(x + w / 2 - 3, y, 6, h, lighter(wall, 0.7)),
    rect(x, y + h * 0.3, w, 4, lighter(wall, 0.7)),
    fold(x - 40),
    fold(x + w - 8),
    rect(x - 56, y - 22, w + 112, 8, darker(wall, 0.35), 4),
  ].join('')
}

function outsideOf(what: string, light: Light, random: Random, x: number, y: number, w: number, h: number): string {
  const bottom = y + h
  if (what === 'sea') return `<g>${sea(light, random, bottom - 110, bottom)}</g>`
  if (what === 'peaks') return mountains(light, random, bottom - 20, 170, 0.3) + rect(x, bottom - 30, w, 30, '#6f9a62')
  if (what === 'hills')
    return (
      hills(random, bottom - 60, 80, mix('#7fa374', light.sky[1] ?? '#ffffff', 0.3)) +
      hills(random, bottom - 20, 50, '#6f9a62')
    )
  const block = mix('#8091a8', light.sky[1] ?? '#ffffff', 0.35)
  return rows(6, (i) => {
    const top = 60 + random.below(90)
    return (
      rect(x + i * (w / 6), bottom - top, w / 6 - 3, top, i % 2 === 0 ? block : darker(block, 0.1)) +
      rows(3, (n) => rect(x + i * (w / 6) + 5, bottom - top + 12 + n * 22, 8, 9, '#ffe3a3'))
    )
  })
}

const daylight = (x: number, light: Light) =>
  faded(0.16, shape(light.sun, x, 392, x + 176, 392, x + 330 - x * 0.3, 600, x - 20 - x * 0.1, 600))

function bedsOf(scheme: Scheme, beds: string, x: number): string {
  if (beds === 'twin') return nightstand(scheme, x) + bed(scheme, x - 118, 170) + bed(scheme, x + 118, 170)
  if (beds === 'single') return nightstand(scheme, x + 130) + bed(scheme, x, 190)
  if (beds === 'bunk') return bunk(scheme, x)
  if (beds === 'suite') return nightstand(scheme, x - 170) + bed(scheme, x, 262)
  return nightstand(scheme, x - 190) + nightstand(scheme, x + 190) + bed(scheme, x, 300)
}

/** Seen from its foot: headboard, pillows, the fold of the sheet, a throw. */
function bed({ dark, cloth, wall }: Scheme, x: number, w: number): string {
  const left = x - w / 2
  const sheet = '#fbf8f2'
  const pillows = w > 250 ? 2 : 1
  const pillowW = (w - 40) / pillows - 10
  return [
    rect(left - 12, 262, w + 24, 180, dark, 12),
    rows(Math.max(2, Math.round(w / 60)), (i) =>
      rect(left - 2 + (i * (w + 4)) / Math.round(w / 60), 272, 2, 150, darker(dark, 0.2)),
    ),
    ellipse(x, 536, w * 0.56, 14, '#000000', 0.18),
    path(`M${left - 4} 400H${left + w + 4}L${left + w + 22} 516H${left - 22}z`, sheet),
    path(`M${left - 22} 500H${left + w + 22}V530H${left - 22}z`, darker(sheet, 0.1)),
    rows(
      pillows,
      (i) =>
        rect(left + 16 + i * (pillowW + 18), 352, pillowW, 58, darker(sheet, 0.05), 16) +
        rect(left + 24 + i * (pillowW + 18), 372, pillowW - 16, 46, '#ffffff', 14),
    ),
    rect(x - 34, 384, 68, 38, cloth, 10),
    path(`M${left - 14} 452H${left + w + 14}L${left + w + 20} 504H${left - 20}z`, cloth),
    path(`M${left - 14} 452H${left + w + 14}l1 10H${left - 15}z`, lighter(cloth, 0.25)),
    path(`M${left - 20} 500H${left + w + 20}V522H${left - 20}z`, darker(cloth, 0.14)),
    rect(left - 14, 528, 10, 16, darker(wall, 0.5)),
    rect(left + w + 4, 528, 10, 16, darker(wall, 0.5)),
  ].join('')
}

function bunk({ dark, cloth }: Scheme, x: number): string {
  const post = (px: number) => rect(px, 150, 12, 380, dark, 3)
  const level = (y: number) =>
    `${rect(x - 150, y, 300, 42, '#fbf8f2', 8)}${rect(x - 140, y - 16, 74, 30, '#ffffff', 10)}${rect(x - 40, y - 2, 190, 40, cloth, 6)}${rect(x - 156, y + 36, 312, 14, dark, 3)}`
  return [
    ellipse(x, 536, 180, 12, '#000000', 0.18),
    level(240),
    level(424),
    rect(x - 150, 196, 210, 8, dark, 3),
    post(x - 160),
    post(x + 148),
    rows(6, (i) => rect(x + 96, 236 + i * 46, 44, 6, darker(dark, 0.15), 3)),
    rect(x + 92, 190, 7, 340, darker(dark, 0.15), 3),
    rect(x + 134, 190, 7, 340, darker(dark, 0.15), 3),
    circle(x - 120, 390, 44, 'url(#lamp)'),
    circle(x - 120, 206, 44, 'url(#lamp)'),
  ].join('')
}

function nightstand({ floor, wall }: Scheme, x: number): string {
  const wood = darker(floor, 0.25)
  return [
    circle(x, 338, 96, 'url(#lamp)'),
    rect(x - 32, 424, 64, 72, wood, 4),
    rect(x - 26, 434, 52, 22, lighter(wood, 0.14), 3),
    rect(x - 3, 378, 6, 48, darker(wall, 0.5)),
    path(`M${x - 20} 332H${x + 20}L${x + 30} 380H${x - 30}z`, '#fff1cf'),
  ].join('')
}

export function picture(random: Random, { dark, cloth, wall }: Scheme, x: number, y: number): string {
  const w = 92 + random.below(60)
  const inner = random.pick([
    circle(x, y + 44, 20, cloth) + rect(x - w / 2 + 10, y + 62, w - 20, 18, dark),
    path(
      `M${x - w / 2 + 10} ${y + 80}L${x - 14} ${y + 30}L${x + 8} ${y + 60}L${x + 22} ${y + 40}L${x + w / 2 - 10} ${y + 80}z`,
      dark,
    ) + circle(x + 22, y + 28, 9, cloth),
    stroke(
      `M${x} ${y + 80}C${x - 6} ${y + 50} ${x - 26} ${y + 46} ${x - 26} ${y + 26}M${x} ${y + 80}C${x + 4} ${y + 46} ${x + 24} ${y + 44} ${x + 26} ${y + 22}M${x} ${y + 80}V${y + 22}`,
      dark,
      5,
    ),
  ])
  return rect(x - w / 2, y, w, 94, darker(wall, 0.4)) + rect(x - w / 2 + 5, y + 5, w - 10, 84, '#fbf7ee') + inner
}

export function plant(random: Random, x: number, ground: number, size: number): string {
  const leaf = random.pick(['#4f7d56', '#5f8f5a', '#3f6f5a'])
  const blade = (tip: number, high: number, color: string) =>
    path(
      `M0-58C${tip * 0.2}-${high * 0.7} ${tip * 0.7}-${high} ${tip}-${high}C${tip * 0.8}-${high * 0.6} ${tip * 0.4}-64 0-58z`,
      color,
    )
  return `<g transform="translate(${Math.round(x)} ${Math.round(ground)}) scale(${size})">${ellipse(0, 4, 40, 7, '#000000', 0.15)}${blade(-62, 120, darker(leaf, 0.14))}${blade(60, 126, darker(leaf, 0.1))}${blade(-38, 168, leaf)}${blade(36, 174, lighter(leaf, 0.1))}${blade(4, 186, leaf)}${path('M-26-62H26L20 4H-20z', '#d9cfc0')}${rect(-29, -68, 58, 12, '#c9bda9', 3)}</g>`
}

export function sofa({ dark, cloth }: Scheme, x: number, ground: number): string {
  return [
    ellipse(x, ground + 26, 130, 10, '#000000', 0.16),
    rect(x - 110, ground - 92, 220, 80, dark, 14),
    rect(x - 124, ground - 54, 34, 72, darker(dark, 0.12), 12),
    rect(x + 90, ground - 54, 34, 72, darker(dark, 0.12), 12),
    rect(x - 94, ground - 34, 92, 38, lighter(dark, 0.12), 8),
    rect(x + 2, ground - 34, 92, 38, lighter(dark, 0.12), 8),
    rect(x - 84, ground - 66, 46, 40, cloth, 8),
    rect(x - 96, ground + 4, 192, 16, darker(dark, 0.25), 4),
  ].join('')
}
