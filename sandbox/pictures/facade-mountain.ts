import type { Random } from '../world/hash.ts'
import { entrance, inRow, panes, railing, windows } from './building.ts'
import { darker, type Light, lighter, mix, under } from './light.ts'
import { mountains, pine, sky } from './scenery.ts'
import { block, blocks, circle, define, dot, dots, ellipse, path, rect, rows, shape, use } from './svg.ts'

/** A chalet under peaks, in snow or on a summer meadow. */
export function facadeMountain(light: Light, random: Random): string {
  const winter = random.chance(0.5)
  const ground = under(light, winter ? '#eef4fa' : random.pick(['#8fb56a', '#9fc07a', '#7ea868']))
  const leaf = under(light, winter ? '#3f6257' : '#3f6e4d')
  const size = random.between(0.92, 1.08)
  const trees = (xs: readonly number[], y: number, scale: number) =>
    xs.map((x) => use('pine', x + random.below(26), y + random.below(14), scale * random.between(0.85, 1.2))).join('')
  return [
    sky(light, random, 360),
    define('pine', pine(leaf, winter)),
    mountains(light, random, 400, 290, 0.5),
    mountains(light, random, 430, 190, 0.22),
    path('M0 410C140 380 260 420 400 400S680 380 800 410V600H0z', mix(ground, leaf, winter ? 0.18 : 0.3)),
    trees([10, 60, 110, 650, 700, 760], 440, 0.9),
    path('M0 470C160 436 320 470 470 456S700 446 800 466V600H0z', ground),
    `<g transform="translate(${Math.round(400 + random.between(-70, 70))} 494) scale(${size.toFixed(2)})">${random.pick([chalet, chalet, alpineHotel, cabin])(light, random, winter)}</g>`,
    trees([30, 120, 690, 770], 548, 1.35),
    winter
      ? dots(
          '#ffffff',
          4,
          rows(26, () => dot(random.below(800), random.below(560))),
          0.8,
        )
      : meadow(light, random),
  ].join('')
}

/** Drawn around the middle of its doorstep. */
function chalet(light: Light, random: Random, winter: boolean): string {
  const wood = under(light, random.pick(['#9a6a43', '#84563a', '#b07f52', '#6f4a36']))
  const plaster = under(light, '#f2ebdd')
  const roof = under(light, winter ? '#f7fbff' : random.pick(['#6b4a3c', '#7a3f34', '#5a5f66']))
  const flowers = under(light, random.pick(['#d1495b', '#e07a5f', '#c94f8a']))
  const frame = { frame: lighter(plaster, 0.3), shutters: under(light, random.pick(['#3f6e55', '#8c2f39', '#44566b'])) }
  const floorAt = (y: number, columns: number, width: number) =>
    panes(light, random, inRow(columns, -width / 2 + width / columns / 2 - 13, width / columns, y, 26, 36), frame)
  const half = (y: number, width: number, first: number) =>
    rows(Math.round(width / 24), (i) => (i % 2 === first ? dot(-width / 2 + 12 + i * 24, y) : ''))
  const boxes = (y: number, width: number) =>
    winter ? '' : dots(flowers, 16, half(y, width, 0)) + dots(lighter(flowers, 0.35), 16, half(y, width, 1))
  return [
    ellipse(0, 4, 230, 14, '#000000', 0.14),
    rect(-180, -92, 360, 92, plaster),
    rect(-186, -206, 372, 116, wood),
    blocks(
      darker(wood, 0.16),
      rows(7, (i) => block(-186, -196 + i * 16, 372, 2)),
    ),
    shape(wood, -186, -204, 0, -322, 186, -204),
    shape(darker(wood, 0.12), -186, -204, 0, -322, 186, -204, 150, -204, 0, -298, -150, -204),
    floorAt(-182, 5, 350),
    panes(light, random, inRow(2, -36, 46, -266, 26, 40), { frame: frame.frame }),
    railing(-196, -128, 392, 26, darker(wood, 0.3)),
    rect(-200, -102, 400, 8, darker(wood, 0.25)),
    boxes(-134, 380),
    railing(-110, -216, 220, 20, darker(wood, 0.3)),
    boxes(-222, 210),
    path('M-236-196L0-348L236-196L224-184L0-326L-224-184z', roof),
    path('M-236-196L0-348L0-326L-224-184z', lighter(roof, 0.15)),
    rect(96, -322, 30, 54, under(light, '#b9ada0')),
    rect(90, -328, 42, 9, winter ? '#ffffff' : darker(roof, 0.2)),
    panes(light, random, inRow(2, -146, 264, -70, 30, 46), frame),
    rect(-30, -76, 60, 76, darker(wood, 0.35)),
    rect(-23, -68, 46, 68, light.lamps > 0.1 ? '#ffdc96' : lighter(wood, 0.35)),
    rect(-1, -68, 2, 68, darker(wood, 0.35)),
    rect(-56, -88, 112, 10, darker(wood, 0.2)),
    light.lamps > 0.3 ? circle(0, -36, 100, 'url(#sun)') : '',
  ].join('')
}

/** A broad hotel of the last century: four floors, a steep roof with dormers, a tower at one end. */
function alpineHotel(light: Light, random: Random, winter: boolean): string {
  const wall = under(light, random.pick(['#efe3cc', '#e8cfae', '#dfe3d6', '#e9d3c6', '#d8dde2']))
  const roof = under(light, winter ? '#f4f9ff' : random.pick(['#7a4a3c', '#566069', '#8c4438']))
  const trim = under(light, random.pick(['#8a5a3c', '#3f6e55', '#8c2f39']))
  return [
    ellipse(0, 4, 260, 14, '#000000', 0.14),
    rect(-220, -236, 400, 236, wall),
    path('M-238-232L-190-306H150L198-232z', roof),
    panes(light, random, inRow(4, -170, 82, -282, 24, 34), { frame: trim }),
    windows(
      light,
      random,
      { x: -214, y: -236, w: 388, h: 176 },
      { columns: 7, floors: 3, share: 0.42 },
      { frame: lighter(wall, 0.4), balcony: darker(trim, 0.1) },
    ),
    rect(150, -300, 90, 300, darker(wall, 0.05)),
    shape(roof, 138, -298, 195, -372, 252, -298),
    windows(
      light,
      random,
      { x: 154, y: -296, w: 82, h: 236 },
      { columns: 2, floors: 4, share: 0.5 },
      { frame: lighter(wall, 0.4) },
    ),
    rect(-228, -66, 476, 8, trim),
    rect(-220, -58, 460, 58, darker(wall, 0.14)),
    panes(light, random, inRow(8, -204, 54, -48, 30, 40, 4), { frame: trim }),
    entrance(light, 6, 0, trim),
  ].join('')
}

/** All roof: an A of timber with a glass front. */
function cabin(light: Light, random: Random, winter: boolean): string {
  const wood = under(light, random.pick(['#8a5f40', '#a3764e', '#6f4f3c']))
  const roof = under(light, winter ? '#f7fbff' : random.pick(['#4b5560', '#5f4438', '#3f5a50']))
  const glass = light.lamps > 0.1 ? '#ffd88a' : mix(light.window, '#ffffff', 0.3)
  const chalet = (x: number, size: number) =>
    `<g transform="translate(${x} 0) scale(${size})">${[
      ellipse(0, 4, 150, 12, '#000000', 0.14),
      shape(wood, -130, 0, 0, -268, 130, 0),
      shape(glass, -78, -48, 0, -212, 78, -48),
      rect(-2, -212, 4, 212, darker(wood, 0.25)),
      rect(-100, -112, 200, 6, darker(wood, 0.25)),
      rect(-80, -54, 160, 8, darker(wood, 0.25)),
      railing(-112, -46, 224, 30, darker(wood, 0.3)),
      path('M-152 0L0-306L152 0H124L0-252L-124 0z', roof),
      path('M-152 0L0-306V-252L-124 0z', lighter(roof, 0.12)),
      light.lamps > 0.3 ? circle(0, -90, 110, 'url(#sun)') : '',
    ].join('')}</g>`
  return chalet(-170, 0.72) + chalet(176, 0.7) + chalet(0, 1.06)
}

const meadow = (light: Light, random: Random) =>
  ['#f2d65c', '#ffffff', '#e28fb1', '#b58fd6']
    .map((color) =>
      dots(
        under(light, color),
        6,
        rows(7, () => dot(random.below(800), 506 + random.below(90))),
        0.9,
      ),
    )
    .join('')
