import type { Random } from '../world/hash.ts'
import { awning, inRow, panes } from './building.ts'
import { darker, type Light, lighter, mix, under } from './light.ts'
import { cypress, hills, sky, tree } from './scenery.ts'
import { block, blocks, circle, dot, dots, ellipse, path, rect, rows, shape, stroke } from './svg.ts'

const WALLS = ['#e8d8b8', '#d8c3a0', '#f0e6d2', '#d9b99b', '#e4c9b0', '#cfc7b4', '#f3efe6'] as const

/** A country house with its garden, the church behind and fields up the hill. */
export function facadeVillage(light: Light, random: Random): string {
  const meadow = under(light, random.pick(['#9bb56a', '#b5bf72', '#87a862', '#c7b96a']))
  const leaf = under(light, random.pick(['#5b8a4f', '#6f9a52', '#47795a']))
  const southern = random.chance(0.5)
  const growth = (x: number, y: number, size: number) =>
    southern ? cypress(x, y, size, darker(leaf, 0.15)) : tree(x, y, size, leaf)
  const back = mix(under(light, '#8fa58a'), light.sky[1] ?? '#ffffff', 0.4)
  return [
    sky(light, random, 360),
    hills(random, 380, 120, back),
    hills(random, 420, 90, mix(back, meadow, 0.55)),
    fields(light, random, meadow),
    church(light, random, random.chance(0.5) ? 120 + random.below(50) : 640 + random.below(50)),
    growth(60 + random.below(40), 452, 1),
    growth(724 + random.below(40), 450, 1.1),
    path('M0 452C200 436 380 456 540 446S720 440 800 448V600H0z', meadow),
    random.pick([manor, timbered, farm])(light, random, leaf),
    path('M352 600C372 560 384 530 388 492H424C430 530 452 560 486 600z', under(light, '#e3d5b8')),
    growth(118 + random.below(30), 520, 1.35),
    growth(676 + random.below(30), 524, 1.4),
    garden(light, random, leaf),
  ].join('')
}

function fields(light: Light, random: Random, meadow: string): string {
  const crop = under(light, random.pick(['#d9c06a', '#a98fc0', '#c2cf7a', '#86a857']))
  const left = random.below(400)
  return rows(7, (i) =>
    path(
      `M${left + i * 44} 452L${left + 90 + i * 34} 394h12L${left + 26 + i * 44} 452z`,
      i % 2 === 0 ? crop : mix(crop, meadow, 0.5),
    ),
  )
}

function church(light: Light, random: Random, x: number): string {
  const wall = mix(under(light, '#e6dcc8'), light.sky[1] ?? '#ffffff', 0.25)
  const roof = mix(under(light, random.pick(['#9a5a44', '#6b7480'])), light.sky[1] ?? '#ffffff', 0.2)
  return [
    rect(x, 330, 34, 120, wall),
    shape(roof, x - 4, 330, x + 17, 276, x + 38, 330),
    rect(x + 12, 344, 10, 18, darker(wall, 0.35), 5),
    rect(x + 34, 386, 90, 64, wall),
    shape(roof, x + 28, 388, x + 44, 356, x + 118, 356, x + 130, 388),
    rows(
      4,
      (i) =>
        `${rect(x - 110 + i * 62, 410 - (i % 2) * 10, 54, 50, mix(wall, '#c9a98a', 0.3))}${shape(roof, x - 116 + i * 62, 412 - (i % 2) * 10, x - 84 + i * 62, 386 - (i % 2) * 10, x - 50 + i * 62, 412 - (i % 2) * 10)}`,
    ),
  ].join('')
}

function manor(light: Light, random: Random, leaf: string): string {
  const wall = under(light, random.pick(WALLS))
  const roof = under(light, random.pick(['#b9603f', '#a4563c', '#8c5a48', '#6f6a66', '#c27a4e']))
  const shutters = under(light, random.pick(['#4d7f8c', '#6b8f5a', '#8a4b46', '#5a6fa0', '#f0ece2']))
  const accent = under(light, random.pick(['#8c2f39', '#2f5d50', '#c2702a', '#3b4f6b']))
  const style = { frame: lighter(wall, 0.45), shutters }
  const upper = inRow(5, 236, 72, 288, 30, 50)
  const lower = inRow(5, 236, 72, 392, 30, 60, 2)
  return [
    ellipse(406, 490, 250, 14, '#000000', 0.12),
    rect(200, 262, 412, 226, wall),
    rect(560, 262, 52, 226, darker(wall, 0.05)),
    blocks(
      darker(wall, 0.06),
      rows(22, () => block(206 + random.below(390), 270 + random.below(210), 16 + random.below(14), 6)),
    ),
    path('M176 266L232 182H580L636 266z', roof),
    blocks(
      darker(roof, 0.14),
      rows(4, (i) => block(196 + i * 13, 248 - i * 19, 420 - i * 26, 3)),
    ),
    rect(200, 262, 412, 9, 'rgba(0,0,0,.14)'),
    rect(286, 152, 26, 56, darker(wall, 0.2)),
    rect(282, 148, 34, 8, darker(roof, 0.1)),
    panes(light, random, [...upper, ...lower], style),
    rect(380, 396, 52, 92, darker(accent, 0.25), 3),
    rect(387, 404, 38, 84, light.lamps > 0.1 ? '#ffdc96' : lighter(accent, 0.15), 2),
    circle(418, 450, 3, '#e9d9a0'),
    awning(360, 376, 92, accent),
    random.chance(0.6) ? ivy(random, leaf) : '',
    light.lamps > 0.3 ? circle(406, 440, 90, 'url(#sun)') : '',
  ].join('')
}

/** Dark beams over white plaster, the gable to the street. */
function timbered(light: Light, random: Random, leaf: string): string {
  const plaster = under(light, random.pick(['#f5efe2', '#f0e0c4', '#f3dccb', '#e6e9dc']))
  const beam = under(light, random.pick(['#5a4030', '#6b4a36', '#7a3f34', '#46504a']))
  const roof = under(light, random.pick(['#a4563c', '#8c5a48', '#6f6a66', '#b46a45']))
  const flower = under(light, random.pick(['#d1495b', '#e07a5f', '#c94f8a']))
  const posts = rows(7, (i) => block(232 + i * 56, 300, 8, 188))
  const boxes = (y: number, skip: number, first: number) =>
    rows(6, (i) => (i === skip ? '' : rows(3, (k) => (k % 2 === first ? dot(256 + i * 56 + k * 11, y) : ''))))
  const flowerBoxes = (first: number) => boxes(372, -1, first) + boxes(464, 3, first)
  const openings = [
    ...inRow(6, 251, 56, 324, 26, 42),
    ...inRow(6, 251, 56, 416, 26, 42, 3),
    ...inRow(2, 374, 38, 236, 24, 36),
  ]
  return [
    ellipse(406, 490, 230, 14, '#000000', 0.12),
    rect(232, 300, 344, 188, plaster),
    shape(plaster, 226, 304, 404, 134, 582, 304),
    rect(226, 296, 356, 9, beam) + rect(226, 388, 356, 9, beam) + rect(232, 480, 344, 9, darker(beam, 0.2)),
    blocks(beam, posts),
    stroke('M318 296L404 212L490 296M404 212V296M352 296L384 232M456 296L424 232', beam, 8),
    panes(light, random, openings, { frame: lighter(plaster, 0.4) }),
    dots(flower, 14, flowerBoxes(0)) + dots(lighter(flower, 0.3), 14, flowerBoxes(1)),
    path('M202 318L404 116L606 318L590 326L404 144L218 326z', roof),
    path('M202 318L404 116V144L218 326z', lighter(roof, 0.12)),
    rect(384, 404, 48, 84, darker(beam, 0.1), 3) +
      rect(391, 412, 34, 76, light.lamps > 0.1 ? '#ffdc96' : lighter(beam, 0.3), 2),
    random.chance(0.4) ? ivy(random, leaf) : '',
    light.lamps > 0.3 ? circle(406, 440, 90, 'url(#sun)') : '',
  ].join('')
}

/** A long low building and a barn across the yard, both under the same tiles. */
function farm(light: Light, random: Random, leaf: string): string {
  const stone = under(light, random.pick(['#d9c7a8', '#cfc2b0', '#e6d8c0', '#d8b99a']))
  const roof = under(light, random.pick(['#b9603f', '#a4563c', '#7d6a5c', '#c27a4e']))
  const door = under(light, random.pick(['#4d7f8c', '#6b8f5a', '#8a4b46', '#3b4f6b']))
  const speckles = blocks(
    darker(stone, 0.07),
    rows(26, () => block(180 + random.below(430), 318 + random.below(160), 14 + random.below(14), 6)),
  )
  return [
    ellipse(400, 490, 280, 14, '#000000', 0.12),
    rect(470, 262, 170, 226, darker(stone, 0.05)),
    path('M452 268L555 176L658 268z', roof),
    rect(520, 372, 74, 116, darker(door, 0.2), 36) +
      rect(528, 382, 58, 106, light.lamps > 0.1 ? '#ffdc96' : lighter(door, 0.12), 28),
    panes(light, random, inRow(2, 496, 84, 296, 30, 42), { frame: lighter(stone, 0.4), shutters: door }),
    rect(170, 306, 320, 182, stone),
    speckles,
    path('M150 312L196 232H470L512 312z', roof),
    blocks(
      darker(roof, 0.14),
      rows(4, (i) => block(166 + i * 11, 296 - i * 18, 330 - i * 22, 3)),
    ),
    rect(230, 204, 28, 50, darker(stone, 0.2)),
    panes(light, random, [...inRow(4, 200, 72, 338, 28, 46), ...inRow(4, 200, 72, 418, 28, 46, 3)], {
      frame: lighter(stone, 0.45),
      shutters: door,
    }),
    rect(380, 400, 52, 88, darker(door, 0.2), 3) +
      rect(387, 408, 38, 80, light.lamps > 0.1 ? '#ffdc96' : lighter(door, 0.12), 2),
    awning(362, 384, 88, door),
    dots(
      darker(leaf, 0.1),
      26,
      rows(12, () => dot(470 + random.below(46), 280 + random.below(190))),
    ),
    light.lamps > 0.3 ? circle(406, 440, 90, 'url(#sun)') : '',
  ].join('')
}

const ivy = (random: Random, leaf: string) =>
  [0, 0.12, 0.24]
    .map((shade) =>
      dots(
        darker(leaf, shade),
        24,
        rows(9, () => dot(208 + random.below(34) + random.below(20), 274 + random.below(206))),
      ),
    )
    .join('')

function garden(light: Light, random: Random, leaf: string): string {
  const flower = under(light, random.pick(['#c76b98', '#d96c5f', '#8f7fc2', '#f0c24f']))
  const stone = under(light, '#c9bfae')
  return [
    rows(7, (i) => (i === 3 ? '' : ellipse(220 + i * 62, 492, 34, 17, darker(leaf, 0.05 + (i % 2) * 0.08)))),
    dots(
      flower,
      10,
      rows(22, () => {
        const x = 196 + random.below(420)
        return x > 372 && x < 440 ? '' : dot(x, 482 + random.below(18))
      }),
    ),
    rect(0, 540, 330, 22, stone, 4),
    rect(500, 540, 300, 22, stone, 4),
    blocks(
      darker(stone, 0.2),
      rows(14, (i) => block(10 + i * 60 + (i > 4 ? 60 : 0), 545, 2, 12)),
    ),
  ].join('')
}
