import { truncate } from '../../lib/text/truncate.ts'

const DEPTH_MAX = 20
const ESCAPE = '\\u'
const NUL_FOUND = 'The body contains a NUL character (\\u0000). Remove it.'
const SURROGATE_FOUND = 'The body contains half of a character (a surrogate without its pair). Send whole characters.'
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Describes the first problem that `JSON.parse` accepts: duplicate or prototype keys, deep nesting, and NULs and lone surrogates,
 * which not every database can store. Expects valid JSON.
 */
export function checkJsonText(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let expectKey = false
  const hasEscapes = text.includes(ESCAPE)
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i]
    if (char === '"') {
      const end = findStringEnd(text, i)
      const problem = hasEscapes ? checkString(parseString(text, i, end)) : undefined
      if (problem !== undefined) return problem
      const keys = open.at(-1)
      if (expectKey && keys !== undefined) {
        const key = parseString(text, i, end)
        if (FORBIDDEN_KEYS.has(key)) return `The key "${key}" is not allowed.`
        if (keys.has(key)) return `The key "${truncate(key, 100)}" occurs twice in one object. Send it once.`
        keys.add(key)
        expectKey = false
      }
      i = end
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

/** Only needed if the text has escapes: valid UTF-8 JSON contains neither unescaped. */
function checkString(string: string): string | undefined {
  if (string.includes('\0')) return NUL_FOUND
  return string.isWellFormed() ? undefined : SURROGATE_FOUND
}

const parseString = (text: string, start: number, end: number): string => JSON.parse(text.slice(start, end + 1))

function findStringEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end
}
