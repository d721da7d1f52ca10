import { cut } from '../../lib/text/shorten.ts'

const DEPTH_MAX = 20
const ESCAPE = '\\u'
const NUL_WORDS = 'The body holds a NUL character (\\u0000), which no text needs; leave it out.'
const HALF_WORDS = 'The body holds half of a character (a surrogate without its pair); send whole characters.'
const POISON = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * What `JSON.parse` lets pass and a booking must not: a key given twice (which one counts?), keys that reach for the
 * prototype, nesting that only an attacker needs, and NULs and lone surrogates, which not every database can store. Expects
 * text that parses; answers a complaint or undefined.
 */
export function checkJsonText(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let expectKey = false
  const hasEscapes = text.includes(ESCAPE)
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') {
      const end = stringEnd(text, at)
      const complaint = hasEscapes ? complaintOf(stringAt(text, at, end)) : undefined
      if (complaint !== undefined) return complaint
      const keys = open.at(-1)
      if (expectKey && keys !== undefined) {
        const key = stringAt(text, at, end)
        if (POISON.has(key)) return `The key "${key}" is not allowed.`
        if (keys.has(key)) return `The key "${cut(key, 100)}" is given twice in one object; send it once.`
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

/** In valid UTF-8 and JSON both can only be written as escapes. */
function complaintOf(string: string): string | undefined {
  if (string.includes('\0')) return NUL_WORDS
  return string.isWellFormed() ? undefined : HALF_WORDS
}

const stringAt = (text: string, start: number, end: number): string => JSON.parse(text.slice(start, end + 1))

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
