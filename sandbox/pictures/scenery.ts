import { createRandom, type Random } from '../world/hash.ts'
import { darker, type Light, lighter, mix, under } from './light.ts'
import {
  block,
  blocks,
  circle,
  dot,
  dots,
  ellipse,
  faded,
  glow,
  gradient,
  path,
  rect,
  rows,
  scaled,
  shape,
  stroke,
} from './svg.ts'

/** Sky, sun or moon, and a few clouds or stars; `horizon` is where the sun may touch the ground. */
export function sky(light: Light, propertyRandom: Random, horizon: number): string {
  // A stream of its own: stars and clouds take different numbers of draws, and the building must not change with the hour.
  const random = createRandom(propertyRandom.below(2 ** 31))
  const low = light.name === 'golden' || light.name === 'dusk'
  const x = 120 + random.below(560)
  const y = low ? horizon - 40 - random.below(60) : 100 + random.below(70)
  const size = light.name === 'night' ? 26 : low ? 40 : 30
  const stars =
    light.name === 'night'
      ? dots(
          '#ffffff',
          3,
          rows(26, () => dot(random.below(800), random.below(260))),
          0.7,
        )
      : ''
  return `<defs>${gradient('sky', ...light.sky)}${glow('sun', light.sun, 0.75)}</defs>${rect(0, 0, 800, 600, 'url(#sky)')}${stars}${circle(x, y, size * 4, 'url(#sun)')}${circle(x, y, size, light.sun)}${clouds(light, random)}`
}

function clouds(light: Light, random: Random): string {
  if (light.name === 'night') return ''
  const color = mix('#ffffff', light.sky[1] ?? '#ffffff', 0.25)
  return rows(2 + random.below(3), () => {
    const x = random.below(760)
    const y = 90 + random.below(150)
    const w = 50 + random.below(60)
    return faded(
      0.75,
      rect(x, y, w * 2, 14, color, 7),
      rect(x + w * 0.4, y - 11, w, 20, color, 10),
      rect(x - w * 0.3, y + 9, w * 1.4, 10, color, 5),
    )
  })
}

/** A soft ridge across the whole width. */
export function hills(random: Random, y: number, height: number, color: string): string {
  let d = `M0 ${y}`
  for (let x = 0; x < 800; x += 200) {
    const top = y - random.between(0.2, 1) * height
    d += `Q${x + 100} ${Math.round(top)} ${x + 200} ${Math.round(y - random.between(0, 0.4) * height)}`
  }
  return path(`${d}V600H0z`, color)
}

/** Peaks with snow; further ranges are paler. */
export function mountains(light: Light, random: Random, base: number, height: number, distance: number): string {
  const rock = under(light, mix('#5f7186', light.sky[1] ?? '#ffffff', distance))
  const snow = under(light, mix('#ffffff', light.sky[1] ?? '#ffffff', distance * 0.7))
  return rows(4, (i) => {
    const x = i * 230 - 60 + random.below(120)
    const top = base - height * random.between(0.6, 1)
    const w = height * random.between(0.85, 1.15)
    const cap = (base - top) * 0.34
    const side = (cap / (base - top)) * w
    return (
      shape(rock, x - w, base, x, top, x + w, base) +
      shape(darker(rock, 0.14), x, top, x + w, base, x + w * 0.12, base) +
      shape(
        snow,
        x - side,
        top + cap,
        x,
        top,
        x + side,
        top + cap,
        x + side * 0.45,
        top + cap * 0.72,
        x + side * 0.1,
        top + cap * 1.15,
        x - side * 0.4,
        top + cap * 0.75,
      )
    )
  })
}

export function sea(light: Light, random: Random, horizon: number, bottom: number): string {
  const shine = lighter(light.sea[1], 0.4)
  const waves = rows(14, () => {
    const y = horizon + 8 + random.below(bottom - horizon - 16)
    return block(random.below(760), y, 24 + random.below(70), 2)
  })
  return `<defs>${gradient('sea', light.sea[0], light.sea[1])}</defs>${rect(0, horizon, 800, bottom - horizon, 'url(#sea)')}${blocks(shine, waves)}`
}

export function sailBoat(x: number, y: number, scale: number, color: string): string {
  return scaled(
    x,
    y,
    scale,
    `${shape('#ffffff', 0, -46, 0, -4, 26, -4)}${shape('#e8e2d6', -3, -38, -3, -4, -20, -4)}${path('M-26 0H30L22 10H-18z', color)}`,
  )
}

/** Skyline behind the town: two rows of plain blocks, fading into the sky. */
export function skyline(light: Light, random: Random, ground: number, height: number): string {
  const far = mix(under(light, '#8f9fb5'), light.sky[1] ?? '#ffffff', 0.62)
  const near = mix(under(light, '#7d8ea6'), light.sky[1] ?? '#ffffff', 0.36)
  const layer = (color: string, share: number) =>
    blocks(
      color,
      rows(12, (i) => {
        const h = height * share * random.between(0.45, 1)
        const x = i * 70 - 20 + random.below(24)
        const w = 46 + random.below(46)
        const spire = random.chance(0.18) ? `M${Math.round(x + w / 2 - 4)} ${Math.round(ground - h)}l4-46l4 46z` : ''
        return block(x, ground - h, w, h) + spire
      }),
    )
  return layer(far, 1) + layer(near, 0.68)
}

export function tree(x: number, ground: number, size: number, leaf: string): string {
  const dark = darker(leaf, 0.16)
  return scaled(
    x,
    ground,
    size,
    `${rect(-4, -46, 8, 46, '#6b4f3a')}${circle(0, -78, 34, dark)}${circle(-18, -66, 24, leaf)}${circle(16, -84, 24, leaf)}${circle(-4, -96, 20, lighter(leaf, 0.14))}`,
  )
}

export function cypress(x: number, ground: number, size: number, leaf: string): string {
  return scaled(
    x,
    ground,
    size,
    `${rect(-3, -12, 6, 12, '#6b4f3a')}${path('M0-130C18-92 18-30 12-8H-12C-18-30-18-92 0-130z', leaf)}${path('M0-130C18-92 18-30 12-8H2z', darker(leaf, 0.18))}`,
  )
}

/** Trees and beach things stand on the origin; put them where they belong with `use`. */
export function pine(leaf: string, snowy: boolean): string {
  const tier = (y: number, w: number) =>
    shape(leaf, -w, y, 0, y - 46, w, y) + shape(darker(leaf, 0.2), 0, y - 46, w, y, 0, y)
  const snow = snowy ? shape('#ffffff', -11, -88, 0, -108, 11, -88, 4, -92, -2, -86, -6, -92) : ''
  return `${rect(-4, -12, 8, 12, '#5d4636')}${tier(-8, 34)}${tier(-34, 28)}${tier(-62, 21)}${snow}`
}

export function palm(leaf: string): string {
  const frond = (d: string, color: string) => path(d, color)
  const dark = darker(leaf, 0.2)
  return `${stroke('M0 0C4-50-2-90 10-140', '#8a6a4a', 9)}${frond('M10-142C-20-176-58-168-74-140C-46-150-20-150 10-142z', dark)}${frond('M10-142C38-178 74-172 92-146C64-154 38-152 10-142z', dark)}${frond('M10-142C-14-158-52-140-58-106C-40-128-16-140 10-142z', leaf)}${frond('M10-142C34-160 74-138 78-104C60-126 36-140 10-142z', leaf)}${frond('M10-142C4-176 22-196 46-198C30-182 20-164 10-142z', lighter(leaf, 0.12))}${frond('M10-142C0-172-18-186-40-186C-22-174-8-160 10-142z', lighter(leaf, 0.08))}${circle(6, -138, 5, '#7a5a3a')}${circle(15, -136, 5, '#6b4e33')}`
}

export function parasol(color: string): string {
  return `${rect(-2, -84, 4, 84, '#e9dfcf')}${path('M-58-78C-50-112 50-112 58-78z', color)}${path('M-20-78C-16-104 16-104 20-78z', lighter(color, 0.5))}${ellipse(0, 2, 40, 5, '#000000', 0.12)}`
}

export function lounger(color: string): string {
  return `${rect(-46, -18, 70, 9, color, 4)}${path('M20-18L52-44L58-38L28-9z', color)}${rect(-38, -9, 5, 12, '#8a7358')}${rect(18, -9, 5, 12, '#8a7358')}`
}

export function streetLamp(x: number, ground: number, lit: boolean): string {
  return `${lit ? circle(x, ground - 118, 46, 'url(#sun)') : ''}${rect(x - 2, ground - 112, 4, 112, '#3a3f4a')}${rect(x - 8, ground - 128, 16, 18, lit ? '#ffe3a3' : '#d7dde2', 4)}${rect(x - 10, ground - 132, 20, 5, '#3a3f4a', 2)}`
}
