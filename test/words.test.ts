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

/** Where the word means what it says: street numbers, amenities, HTTP's own parameter, names of properties. */
const ALLOWED = /kept_apart_by|front[ _]?desk|house[ _]?number|guest[ _]?house|realm="|\b[A-Z]\w+ House\b/gi
/** Recorded or generated data, word lists of the synthetic world, vendors' code lists, and this file. */
const SKIPPED =
  /^test\/words\.test\.ts$|fixtures\/|client\/src\/generated\/|(^|\/)(dist|node_modules)\/|^sandbox\/world\/words\/|respelling\.ts$|facility-names\.ts$|(de-word-table|name-words|name-tables|name-tokens|brands|city-names|vendor-habits|real-names\.test)\.ts$/

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
