import type { Random } from '../world/hash.ts'
import { railing, windows } from './building.ts'
import { darker, type Light, lighter, mix, under } from './light.ts'
import { cypress, hills, lounger, mountains, palm, parasol, sailBoat, sea, sky, skyline, tree } from './scenery.ts'
import { circle, define, ellipse, gradient, path, rect, rows, scaled, stroke, use } from './svg.ts'

/** The pool with its terrace, the building behind it. */
export function pool(light: Light, random: Random): string {
  const wall = under(light, random.pick(['#f4ecdf', '#efd9c6', '#e6ece8', '#f1e4c3']))
  const deck = under(light, random.pick(['#d9c3a0', '#cfc7ba', '#c9a57d']))
  const cloth = under(light, random.pick(['#e07a5f', '#2f8f94', '#f2b84b', '#d1495b', '#f4f1de']))
  const leaf = under(light, '#4d8f58')
  const water = light.lamps > 0.3 ? ['#2fa6b5', '#6fe0da'] : ['#2f9fc4', '#8fe0e2']
  return [
    sky(light, random, 300),
    define('palm', palm(leaf)) + define('parasol', parasol(cloth)) + define('lounger', lounger(lighter(cloth, 0.6))),
    random.chance(0.5)
      ? sea(light, random, 286, 380)
      : hills(random, 330, 90, mix(leaf, light.sky[1] ?? '#ffffff', 0.45)),
    rect(430, 150, 370, 216, wall) + rect(420, 140, 390, 12, darker(wall, 0.14)),
    windows(
      light,
      random,
      { x: 446, y: 152, w: 350, h: 200 },
      { columns: 5, floors: 3, share: 0.52 },
      { frame: lighter(wall, 0.5), balcony: lighter(wall, 0.4) },
    ),
    rows(10, (i) => ellipse(20 + i * 88, 366, 60, 26, darker(leaf, (i % 3) * 0.07))),
    rect(0, 372, 800, 228, deck),
    stroke(
      rows(4, (i) => `M0 ${386 + i * 8}H800`),
      darker(deck, 0.1),
      2,
    ),
    poolBasin(water, random),
    use('parasol', 130, 418, 0.9) + use('lounger', 186, 424, 0.75),
    use('parasol', 330, 412, 0.8) + use('lounger', 382, 418, 0.66),
    use('parasol', 610, 414, 0.85) + use('lounger', 664, 420, 0.7),
    use('palm', 48, 418, 1.5) + use('palm', 756, 424, 1.35),
  ].join('')
}

function poolBasin(water: readonly string[], random: Random): string {
  const round = random.chance(0.4)
  const edge = round
    ? 'M150 436C300 418 560 420 690 440S800 540 640 562S200 570 110 540S40 450 150 436z'
    : 'M120 432H690L800 566H10z'
  const fill = round
    ? 'M166 448C310 430 550 432 676 450S770 530 630 550S220 556 126 530S70 458 166 448z'
    : 'M136 442H676L776 556H34z'
  return `<defs>${gradient('water', water[0] ?? '', water[1] ?? '')}</defs>${path(edge, '#f7f3ea')}${path(fill, 'url(#water)')}${rows(
    12,
    () => {
      const x = 170 + random.below(430)
      const y = 462 + random.below(78)
      return stroke(`M${x} ${y}q12-7 24 0t24 0`, '#ffffff', 3, 0.55)
    },
  )}`
}

/** What one sees from the terrace; the railing in front tells that one stands on it. */
export function view(light: Light, random: Random, setting: string): string {
  const leaf = under(light, random.pick(['#5b8a4f', '#6f9a52', '#47795a']))
  return [sky(light, random, 330), landscape(light, random, setting, leaf), terrace(light, random)].join('')
}

function landscape(light: Light, random: Random, setting: string, leaf: string): string {
  if (setting === 'beach') {
    return (
      sea(light, random, 310, 520) +
      sailBoat(240 + random.below(300), 380, 1.1, under(light, '#8c4a3c')) +
      sailBoat(120 + random.below(90), 344, 0.5, under(light, '#3f5a73')) +
      scaled(70, 520, 1.9, palm(leaf))
    )
  }
  if (setting === 'mountain') {
    return (
      mountains(light, random, 430, 320, 0.5) +
      mountains(light, random, 470, 200, 0.2) +
      hills(random, 490, 80, mix(leaf, '#2f4f4a', 0.3)) +
      hills(random, 530, 60, leaf)
    )
  }
  if (setting === 'city') return skyline(light, random, 480, 300) + roofs(light, random)
  return (
    hills(random, 370, 120, mix(leaf, light.sky[1] ?? '#ffffff', 0.5)) +
    hills(random, 430, 90, mix(leaf, light.sky[1] ?? '#ffffff', 0.25)) +
    hills(random, 480, 60, leaf) +
    rows(5, (i) =>
      i % 2 === 0
        ? cypress(90 + i * 150 + random.below(60), 470, 0.8, darker(leaf, 0.2))
        : tree(90 + i * 150, 476, 0.8, darker(leaf, 0.1)),
    )
  )
}

const roofs = (light: Light, random: Random) =>
  rows(9, (i) => {
    const wall = under(light, random.pick(['#e6d5b8', '#d9b99b', '#e9e4da', '#c9b0a0']))
    const y = 420 + random.below(50)
    return `${rect(i * 92 - 14, y, 98, 180, wall)}${path(`M${i * 92 - 22} ${y}l16-30h82l16 30z`, under(light, '#b0654a'))}${rows(2, (n) => rect(i * 92 + 8 + n * 38, y + 20, 16, 24, random.chance(light.lamps) ? '#ffd88a' : light.window))}`
  })

function terrace(light: Light, random: Random): string {
  const iron = under(light, '#3c4450')
  const cloth = under(light, random.pick(['#e07a5f', '#2f8f94', '#f2b84b', '#f4f1de']))
  return [
    rect(0, 536, 800, 64, under(light, '#cdbfa8')),
    railing(-10, 446, 820, 92, iron),
    ellipse(590, 556, 70, 10, '#000000', 0.15),
    rect(586, 486, 8, 66, iron),
    ellipse(590, 484, 66, 13, '#f7f3ea'),
    rect(566, 456, 18, 26, '#ffffff', 4) + rect(606, 450, 12, 32, cloth, 3),
    rect(664, 446, 60, 60, cloth, 10) +
      rect(658, 502, 72, 14, darker(cloth, 0.14), 5) +
      rect(664, 514, 6, 42, iron) +
      rect(718, 514, 6, 42, iron),
    circle(140, 520, 26, under(light, '#4f7d56')) +
      circle(166, 510, 22, under(light, '#5f8f5a')) +
      path('M116 530h74l-8 50h-58z', under(light, '#b5714e')),
  ].join('')
}
