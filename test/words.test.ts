import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Words that once had a private meaning here, each with the plain one to use. */
const AVOIDED: Readonly<Record<string, string>> = {
  house: 'property',
  houses: 'properties',
  realm: 'world',
  realms: 'worlds',
  passage: 'the name of the step',
  stranger: 'other account, other process',
  strangers: 'other accounts, other processes',
  fleet: 'workers',
}
/** Ordinary words that are avoided in names only. */
const AVOIDED_NAMES: Readonly<Record<string, string>> = {
  apart: 'separate',
  crowd: 'load generator',
  desk: 'the name of the use case, or "desktop"',
  desks: 'the name of the use case',
  dress: 'present',
  tape: 'choices',
  traveller: 'client, guest',
}
const PHRASES = ['heard later', 'chance in store', 'hears of it']

/** The ordinary meaning: street numbers, amenities, HTTP's own parameter, names of properties. */
const ALLOWED = /kept_apart_by|front[ _]?desk|house[ _]?number|guest[ _]?house|realm="|\b[A-Z]\w+ House\b/gi
/** Recorded or generated data, word lists of the synthetic world, vendors' code lists, and this file. */
const SKIPPED =
  /^test\/words\.test\.ts$|fixtures\/|client\/src\/generated\/|(^|\/)(dist|node_modules)\/|^sandbox\/world\/words\/|respelling\.ts$|facility-names\.ts$|(name-words|name-tables|name-tokens|brands|city-names|vendor-habits|real-names\.test)\.ts$/

const root = join(import.meta.dirname, '..')
const FOLDERS = ['src', 'packages', 'sandbox', 'web', 'test', 'certify', 'chaos', 'bench', 'scripts', 'docs', 'deploy']
const files = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  ),
].filter((file) => /\.(tsx?|mjs|md|css|yaml|template)$/.test(file) && !SKIPPED.test(file))

/** `createSearchDesk` has the words create, search and desk. */
const wordsOf = (text: string) => text.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())
const withoutStrings = (line: string) => line.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '')
const withoutComments = (line: string) => line.replace(/^\s*(\*|\/\*\*|\/\/|\{\/\*).*|\/\/ .*$/, '')

/** Strings of the sandbox and of tests may describe hotels in any words. */
const checksStrings = (file: string) => !/^(sandbox|test)\/|vendors\/simulator\/|\.template$/.test(file)

function avoidedIn(file: string, line: string): string[] {
  const isCode = /\.(tsx?|mjs)$/.test(file)
  const text = (checksStrings(file) || !isCode ? line : withoutStrings(line)).replace(ALLOWED, '')
  const names = isCode ? withoutComments(withoutStrings(text)) : ''
  return [
    ...new Set([
      ...wordsOf(text).filter((word) => Object.hasOwn(AVOIDED, word)),
      ...wordsOf(names).filter((word) => Object.hasOwn(AVOIDED_NAMES, word)),
      ...PHRASES.filter((phrase) => text.toLowerCase().includes(phrase)),
    ]),
  ]
}

test('names, comments and texts avoid words with a private meaning', () => {
  const offenders = files.flatMap((file) =>
    [file, ...readFileSync(join(root, file), 'utf8').split('\n')].flatMap((line, number) =>
      avoidedIn(file, line).map(
        (word) => `${file}:${number}: "${word}"; say ${AVOIDED[word] ?? AVOIDED_NAMES[word] ?? 'it plainly'}`,
      ),
    ),
  )
  expect(offenders).toEqual([])
})

/** Patterns of our language rules that a test can see, each with the advice. */
const RULES: readonly { pattern: RegExp; advice: string }[] = [
  { pattern: /\btold\b/i, advice: 'say "reported", "returned" or "sent"' },
  { pattern: /\bstands\b/i, advice: 'say "is", or name the status' },
  { pattern: /\b(somebody|nobody|whoever)\b/i, advice: 'name who acts' },
  { pattern: /\bis no\b(?! (longer|more|less|later|earlier|such)\b)/i, advice: 'say "is not a"' },
  { pattern: /\b(of which|as it is)\b/i, advice: 'use two short sentences' },
]
const CLAUSE = { pattern: /^(What|Whether|Who|Whose|How|Where)\b/, advice: 'begin with the noun or the verb' }

type Text = { line: number; text: string }

const lineAt = (source: string, index: number) => source.slice(0, index).split('\n').length

/** Comments of a source file. Strings are matched first, so that a URL does not begin a comment. */
function readComments(source: string): Text[] {
  const tokens =
    /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/gm
  return [...source.matchAll(tokens)]
    .filter(([token]) => /^\s*\/[*/]/.test(token))
    .map((match) => ({
      line: lineAt(source, match.index),
      text: match[0].replace(/\*\/$/, '').replace(/^[ \t]*(\/\/+|\/?\*+) ?/gm, ''),
    }))
}

/** The first argument of `test`, `it` and `describe`, also of `test.each(…)(name)`. */
function readTestNames(source: string): Text[] {
  const calls = /\b(?:test|it|describe)(?:\.\w+)*(?:\([^'"`]*?\)|`[^`]*`)?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g
  return [...source.matchAll(calls)].map((match) => ({ line: lineAt(source, match.index), text: match[2] ?? '' }))
}

const readProse = (markdown: string): Text[] => [
  { line: 1, text: markdown.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, '')) },
]

function findLanguage(file: string, source: string): string[] {
  if (/\.md(\.template)?$/.test(file)) return readProse(source).flatMap((text) => applyRules(file, text, RULES))
  return [
    ...readComments(source).flatMap((text) => applyRules(file, text, [CLAUSE, ...RULES])),
    ...(file.startsWith('test/') ? readTestNames(source).flatMap((text) => applyRules(file, text, RULES)) : []),
  ]
}

const applyRules = (file: string, { line, text }: Text, rules: typeof RULES) =>
  rules.flatMap(({ pattern, advice }) => {
    const match = pattern.exec(text.trimStart())
    return match ? [`${file}:${line + lineAt(text.trimStart(), match.index) - 1}: "${match[0]}"; ${advice}`] : []
  })

test('comments, test names and documents follow the language rules that a test can see', () => {
  const offenders = files.flatMap((file) => findLanguage(file, readFileSync(join(root, file), 'utf8')))
  expect(offenders).toEqual([])
})

const NOT_VENDORS = ['transport', 'wire']
const vendorIds = readdirSync(join(root, 'src/vendors'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NOT_VENDORS.includes(entry.name))
  .map(({ name }) => name)
const OF_VENDOR = new RegExp(`\\b(${vendorIds.join('|')})[./]`)
/** Adapters, their stand-ins and tests are alike on purpose: the files of each vendor have their own names. */
const isOfVendor = (file: string) => OF_VENDOR.test(file)

/** The service and the page compute the same value; `test/unit` compares them. */
const SAME_IN_PAGE = ['propertyLocationId']

test('an exported function has a name of its own', () => {
  const places = new Map<string, string[]>()
  for (const file of files.filter((name) => /\.(tsx?|mjs)$/.test(name) && !/\.test\.tsx?$/.test(name))) {
    const source = readFileSync(join(root, file), 'utf8')
    const names = source.matchAll(/^export (?:default )?(?:async )?(?:const|function\*?|class)\s+(\w+)/gm)
    for (const name of new Set([...names].map((match) => match[1] ?? '')))
      places.set(name, [...(places.get(name) ?? []), file])
  }
  const repeated = [...places].filter(
    ([name, found]) =>
      /[a-z]/.test(name) && !SAME_IN_PAGE.includes(name) && found.filter((file) => !isOfVendor(file)).length > 1,
  )
  expect(repeated.map(([name, found]) => `${name}: ${found.join(', ')}`)).toEqual([])
})
