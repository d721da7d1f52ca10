import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const config = readFileSync('src/config.ts', 'utf8')
const page = readFileSync('docs/operating/settings.md', 'utf8')

test('docs/operating/settings.md names every variable that config.ts reads, and no other', () => {
  const read = [
    ...(/const Environment = Type\.Object\(\{([\s\S]*?)\n\}\)/.exec(config)?.[1] ?? '').matchAll(/^ {2}([A-Z_]+):/gm),
  ]
  const documented = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) => [
    ...cell.matchAll(/`([A-Z_]+)`/g),
  ])
  expect(read.length).toBeGreaterThan(15)
  expect(documented.map((match) => match[1]).sort()).toEqual(read.map((match) => match[1]).sort())
})
