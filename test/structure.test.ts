import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** Lower ranks know nothing of higher ones; two folders of one rank know nothing of each other. */
const RANK: Record<string, number> = {
  lib: 0,
  domain: 1,
  lists: 2,
  vendors: 2,
  store: 2,
  sandbox: 2,
  locations: 3,
  catalogue: 3,
  accounts: 3,
  search: 4,
  booking: 4,
  http: 5,
  jobs: 5,
  cli: 7,
  '.': 6,
}

/** From outside `vendors`, only these may be seen; adapters are wired by the registry, the registry by the root. */
const VENDORS_PUBLIC = ['vendors/contract.ts', 'vendors/vendor-error.ts']

/** Each thing of the outside world has one door. */
const DOORS: readonly (readonly [what: string, sign: RegExp, door: RegExp])[] = [
  ['the web framework', /from '(fastify|@fastify\/[^']+)'/, /^(http\/|app\.ts$)/],
  ['the database', /from '(pg|kysely)'/, /^(store\/|lists\/sql)/],
  ['SQLite', /from 'node:sqlite'/, /^store\//],
  ['Redis', /from 'ioredis'/, /^store\//],
  ['the network', /\bfetch\(|from 'undici'/, /^(vendors\/http-client|jobs\/webhook-sender)\.ts$/],
  ['the environment', /process\.env/, /^config\.ts$/],
  ['the time', /new Date\(\)|Date\.now\(\)/, /^lib\/clock\.ts$/],
]

const FORBIDDEN_NAMES = /(^|\/)(utils?|helpers?|common|types|constants|base|manager)\.ts$/

const root = join(import.meta.dirname, '../src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const folderOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '.')
const rankOf = (file: string) => RANK[folderOf(file)] ?? Number.NaN
// cli.ts dispatches to src/cli/, which builds on the root; every other root file stands below it.
const topOf = (file: string) => (file === 'cli.ts' ? 8 : rankOf(file))
const importsOf = (file: string) =>
  [...(sources.get(file) ?? '').matchAll(/(?:from |import |import\()'(\.[^']+\.ts)'/g)].map((match) =>
    normalize(join(dirname(file), match[1] ?? '')),
  )
const arrows = (forbidden: (from: string, to: string) => boolean) =>
  files.flatMap((from) =>
    importsOf(from)
      .filter((to) => forbidden(from, to))
      .map((to) => `${from} -> ${to}`),
  )

test('every folder has a rank', () => {
  expect(files.filter((file) => Number.isNaN(rankOf(file)))).toEqual([])
})

test('imports only point down', () => {
  expect(arrows((from, to) => folderOf(from) !== folderOf(to) && !(topOf(to) < topOf(from)))).toEqual([])
})

test('adapters are seen by the root and the registry alone, and never see each other', () => {
  const adapterOf = (file: string) => /^vendors\/([^/]+)\//.exec(file)?.[1]
  expect(
    arrows((from, to) => {
      if (folderOf(to) !== 'vendors' || folderOf(from) === '.' || folderOf(from) === 'cli') return false
      if (folderOf(from) !== 'vendors') return !VENDORS_PUBLIC.includes(to)
      return from !== 'vendors/registry.ts' && adapterOf(to) !== undefined && adapterOf(to) !== adapterOf(from)
    }),
  ).toEqual([])
})

test('the sandbox knows lib and domain, and only the root knows the sandbox', () => {
  expect(
    arrows((from, to) => folderOf(from) === 'sandbox' && !['sandbox', 'lib', 'domain'].includes(folderOf(to))),
  ).toEqual([])
  expect(arrows((from, to) => folderOf(to) === 'sandbox' && !['sandbox', '.', 'cli'].includes(folderOf(from)))).toEqual(
    [],
  )
})

test('no import cycles, types included', () => {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const target of importsOf(file)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(cycles).toEqual([])
})

test('each thing of the outside world has one door', () => {
  const strays = DOORS.flatMap(([what, sign, door]) =>
    files
      .filter((file) => !door.test(file) && sign.test(sources.get(file) ?? ''))
      .map((file) => `${file} reaches for ${what}`),
  )
  expect(strays).toEqual([])
})

test('no barrels, no files named after nothing', () => {
  expect(files.filter((file) => /(^|\/)index\.ts$/.test(file) && !/^vendors\/[^/]+\/index\.ts$/.test(file))).toEqual([])
  expect(files.filter((file) => FORBIDDEN_NAMES.test(file))).toEqual([])
})

/** Long because they are lists, not because they do much. */
const LONG: readonly string[] = []

test('no source file is longer than 300 lines without a reason', () => {
  const long = files.filter(
    (file) => (sources.get(file) ?? '').split('\n').filter((line) => line.trim() !== '').length > 300,
  )
  expect(long.filter((file) => !LONG.includes(file))).toEqual([])
})
