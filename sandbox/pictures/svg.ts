/** Shapes as text. Coordinates are cut to whole pixels of an 800 × 600 sheet: smaller files, and nobody can tell. */

const r = Math.round

export const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0): string =>
  `<rect x="${r(x)}" y="${r(y)}" width="${r(width)}" height="${r(height)}" fill="${fill}"${radius > 0 ? ` rx="${r(radius)}"` : ''}/>`

export const circle = (x: number, y: number, radius: number, fill: string, opacity = 1): string =>
  `<circle cx="${r(x)}" cy="${r(y)}" r="${r(radius)}" fill="${fill}"${opacity < 1 ? ` opacity="${opacity}"` : ''}/>`

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, opacity = 1): string =>
  `<ellipse cx="${r(x)}" cy="${r(y)}" rx="${r(rx)}" ry="${r(ry)}" fill="${fill}"${opacity < 1 ? ` opacity="${opacity}"` : ''}/>`

/** A closed polygon through the points, given as x, y, x, y … */
export const shape = (fill: string, ...points: number[]): string =>
  `<path d="M${points.map(r).join(' ')}z" fill="${fill}"/>`

export const path = (d: string, fill: string, opacity = 1): string =>
  `<path d="${d}" fill="${fill}"${opacity < 1 ? ` opacity="${opacity}"` : ''}/>`

export const stroke = (d: string, color: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round"${opacity < 1 ? ` opacity="${opacity}"` : ''}/>`

export const faded = (opacity: number, ...inner: string[]): string => `<g opacity="${opacity}">${inner.join('')}</g>`
export const scaled = (x: number, y: number, scale: number, inner: string): string =>
  `<g transform="translate(${r(x)} ${r(y)}) scale(${Number(scale.toFixed(2))})">${inner}</g>`

/** From top to bottom. */
export const gradient = (id: string, ...colors: string[]): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${colors
    .map(
      (color, i) => `<stop offset="${Number((i / Math.max(1, colors.length - 1)).toFixed(2))}" stop-color="${color}"/>`,
    )
    .join('')}</linearGradient>`

/** A light that thins out to its rim. */
export const glow = (id: string, color: string, strength = 0.8): string =>
  `<radialGradient id="${id}"><stop offset="0" stop-color="${color}" stop-opacity="${strength}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`

export const rows = (count: number, draw: (index: number) => string): string => {
  let text = ''
  for (let i = 0; i < count; i++) text += draw(i)
  return text
}

/** One block of a path; many of one colour in one path are a third of the size of as many rectangles. */
export const block = (x: number, y: number, width: number, height: number): string =>
  `M${r(x)} ${r(y)}h${r(width)}v${r(height)}h${-r(width)}z`
export const blocks = (fill: string, d: string): string => (d === '' ? '' : `<path d="${d}" fill="${fill}"/>`)

/** Dots of one colour and size: a line of no length with round ends. */
export const dot = (x: number, y: number): string => `M${r(x)} ${r(y)}h0`
export const dots = (color: string, size: number, d: string, opacity = 1): string => stroke(d, color, size, opacity)

/** Upright bars: a broad line, dashed. */
export const bars = (color: string, height: number, d: string): string =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${r(height)}" stroke-dasharray="2 6"/>`

/** Something drawn several times is written once; ids are those of one picture. */
export const define = (id: string, inner: string): string => `<defs><g id="${id}">${inner}</g></defs>`
export const use = (id: string, x: number, y: number, scale: number): string =>
  `<use href="#${id}" transform="translate(${r(x)} ${r(y)}) scale(${Number(scale.toFixed(2))})"/>`
