const DEPTH_MAX = 20
const NUL_ESCAPE = '\\u0000'
const NUL_WORDS = 'The body holds a NUL character (\\u0000), which no text needs; leave it out.'
const POISON = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * What `JSON.parse` lets pass and a booking must not: a key given twice (which one counts?), keys that reach for the
 * prototype, nesting that only an attacker needs, and NULs, which not every database can keep. Expects text that parses;
 * answers a complaint or undefined.
 */
export function checkJsonText(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let expectKey = false
  const mayHoldNul = text.includes(NUL_ESCAPE)
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') {
      const end = stringEnd(text, at)
      if (mayHoldNul && stringAt(text, at, end).includes('\0')) return NUL_WORDS
      const keys = open.at(-1)
      if (expectKey && keys !== undefined) {
        const key = stringAt(text, at, end)
        if (POISON.has(key)) return `The key "${key}" is not allowed.`
        if (keys.has(key)) return `The key "${key.slice(0, 100)}" is given twice in one object; send it once.`
        keys.add(key)
        expectKey = false
      }
      at = end
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined)
      expectKey = char === '{'
      if (open.length > DEPTH_MAX) return `The body is nested deeper than ${DEPTH_MAX} levels.`
    } else if (char === '}' || char === ']') {
      open.pop()
      expectKey = false
    } else if (char === ',') {
      expectKey = open.at(-1) !== undefined
    }
  }
  return undefined
}

const stringAt = (text: string, start: number, end: number): string => JSON.parse(text.slice(start, end + 1))

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
