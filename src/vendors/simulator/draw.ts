/** A 32-bit number out of whatever is given: the same parts give the same number on every machine (FNV-1a, mixed). */
export function draw(...parts: readonly (string | number)[]): number {
  let mixed = 0x811c9dc5
  const text = parts.join('\u0000')
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0
    if (code > 0xffff) at += 1
    mixed = Math.imul(mixed ^ code, 0x01000193)
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** From 0 up to, but not including, 1. */
export const share = (...parts: readonly (string | number)[]): number => draw(...parts) / 2 ** 32
