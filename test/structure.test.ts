import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** Imports point to a lower rank. Folders of one rank do not import each other. */
const RANKS: readonly (readonly string[])[] = [
  ['lib'],
  ['domain'],
  ['lists'],
  ['store', 'http', 'vendors'],
  ['locations', 'accounts'],
  ['catalogue', 'selling'],
  ['search'],
  ['booking'],
  ['voucher', 'webhooks'],
  ['mail'],
  ['operator', 'page'],
  ['agents'],
  ['config.ts'],
  ['compose'],
  ['process'],
  ['cli'],
]
/** From outside `vendors`, only these may be seen; adapters are wired by the registry, the registry by `compose`. */
const VENDORS_PUBLIC = ['src/vendors/capabilities.ts', 'src/vendors/contract.ts', 'src/vendors/vendor-error.ts']
/** The folders that put the parts together, and so may see any of them. */
const COMPOSERS = ['config.ts', 'compose', 'process', 'cli']

/** Each thing of the outside world has one door. */
const DOORS: readonly (readonly [what: string, sign: RegExp, door: RegExp])[] = [
  [
    'the web framework',
    /from '(fastify|@fastify\/[^']+)'/,
    /^src\/((http|compose)\/|[a-z]+\/(routes|schemas|present)(\/|\.ts$))/,
  ],
  [
    'TypeBox',
    /from 'typebox'/,
    // Vendors and the configuration declare their settings with it, `agents` its tools.
    /^src\/((lib|lists|http|vendors|agents)\/|config\.ts$|[a-z]+\/(routes|schemas|present)(\/|\.ts$))/,
  ],
  ['the query builder', /from '(pg|kysely)'/, /^src\/(store\/|lists\/sql\/|[a-z]+\/store(\/|\.ts$))/],
  ['SQLite', /from 'node:sqlite'/, /^src\/store\//],
  ['Redis', /from 'ioredis'/, /^src\/store\//],
  [
    'the network',
    /\bfetch\(|from 'undici'/,
    /^(src\/vendors\/transport\/(http-client|exchange)|src\/webhooks\/webhook-sender|sandbox\/server\/remote-control)\.ts$/,
  ],
  ['mail', /from 'nodemailer'/, /^src\/mail\/smtp-sender\.ts$/],
  ['an HTTP server', /^import (?!type).*from 'node:http'/m, /^sandbox\/server\//],
  ['the environment', /process\.env/, /^src\/config\.ts$/],
  ['the time', /new Date\(\)|Date\.now\(\)/, /^src\/lib\/time\/clock\.ts$/],
]

const FORBIDDEN_NAMES = /(^|\/)(utils?|helpers?|common|types|constants|base|manager)\.ts$/

const root = join(import.meta.dirname, '..')
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`)
const sourceFiles = filesIn('src')
const files = [...sourceFiles, ...filesIn('sandbox')]
/** What is held to fewer rules: cycles are forbidden here too. */
const clientFiles = filesIn('packages/client/src')
const webFiles = filesIn('web/src')
/** Programs beside the service. They may import anything of it. */
const PROGRAMS = ['certify', 'chaos', 'bench']
const allFiles = [...files, ...clientFiles, ...webFiles, ...['test', ...PROGRAMS].flatMap(filesIn)]
const sources = new Map(allFiles.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
/** The folder of `src` that a file is in, or `sandbox`. */
const folderOf = (file: string) => (file.startsWith('src/') ? (file.split('/')[1] ?? '') : (file.split('/')[0] ?? ''))
const rankOf = (file: string) => RANKS.findIndex((folders) => folders.includes(folderOf(file)))
const importsOf = (file: string) =>
  [...(sources.get(file) ?? '').matchAll(/(?:from |import |import\()'(\.[^']+\.tsx?)'/g)].map((match) =>
    normalize(join(dirname(file), match[1] ?? '')),
  )
const arrows = (forbidden: (from: string, to: string) => boolean) =>
  files.flatMap((from) =>
    importsOf(from)
      .filter((to) => forbidden(from, to))
      .map((to) => `${from} -> ${to}`),
  )

test('every folder of src has a rank', () => {
  expect(sourceFiles.filter((file) => rankOf(file) === -1)).toEqual([])
})

test('imports only point down', () => {
  expect(
    arrows(
      (from, to) =>
        from.startsWith('src/') &&
        to.startsWith('src/') &&
        folderOf(from) !== folderOf(to) &&
        rankOf(to) >= rankOf(from),
    ),
  ).toEqual([])
})

test('adapters are seen by compose and the registry alone, and never see each other', () => {
  const adapterOf = (file: string) => /^src\/vendors\/(?!transport\/|wire\/)([^/]+)\//.exec(file)?.[1]
  expect(
    arrows((from, to) => {
      if (folderOf(to) !== 'vendors' || COMPOSERS.includes(folderOf(from))) return false
      if (folderOf(from) !== 'vendors') return !VENDORS_PUBLIC.includes(to)
      return from !== 'src/vendors/registry.ts' && adapterOf(to) !== undefined && adapterOf(to) !== adapterOf(from)
    }),
  ).toEqual([])
})

/** What every adapter has, under these names; the simulator has no wire to read. */
const ADAPTER_FILES =
  'README.md config.ts index.ts authorize.ts wire.ts encode.ts content/decode.ts decode-availability.ts ' +
  'decode-rooms.ts decode-booking.ts cancel-terms.ts failure.ts'
const NO_ADAPTERS = ['transport', 'wire', 'simulator']

test('adapters are siblings: the same files under the same names', () => {
  const adapters = readdirSync(join(root, 'src/vendors'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_ADAPTERS.includes(entry.name))
    .map((entry) => `src/vendors/${entry.name}`)
  expect(adapters.length).toBeGreaterThan(1)
  const missing = adapters.flatMap((adapter) =>
    ADAPTER_FILES.split(' ')
      .filter((file) => !existsSync(join(root, adapter, file)))
      .map((file) => `${adapter}/${file}`),
  )
  expect(missing).toEqual([])
})

/** Beside its own folders: the two lists of vendors. */
const NAMES_VENDORS = ['src/vendors/registry.ts', 'sandbox/stand-ins.ts']

test('a vendor is named only in its own two folders and in the two lists', () => {
  const ids = readdirSync(join(root, 'sandbox/vendors'))
  expect(ids.length).toBeGreaterThan(1)
  const naming = files.flatMap((file) => {
    const others = ids.filter(
      (id) => !file.startsWith(`src/vendors/${id}/`) && !file.startsWith(`sandbox/vendors/${id}/`),
    )
    const named = others.filter((id) => new RegExp(`\\b${id}\\b`, 'i').test(sources.get(file) ?? ''))
    return named.map((id) => `${file} names ${id}`)
  })
  expect(naming.filter((line) => !NAMES_VENDORS.some((file) => line.startsWith(file)))).toEqual([])
})

test('the sandbox knows lib and domain, and only process knows the sandbox', () => {
  expect(
    arrows((from, to) => folderOf(from) === 'sandbox' && !['sandbox', 'lib', 'domain'].includes(folderOf(to))),
  ).toEqual([])
  expect(arrows((from, to) => folderOf(to) === 'sandbox' && !['sandbox', 'process'].includes(folderOf(from)))).toEqual(
    [],
  )
})

test('the service and the sandbox import none of the programs beside them', () => {
  expect(arrows((_from, to) => PROGRAMS.includes(folderOf(to)))).toEqual([])
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
  for (const file of allFiles) visit(file, [])
  expect(cycles).toEqual([])
})

const LOOSE_MAX = 20

test('no folder has more than 20 loose files', () => {
  const folders = Map.groupBy(
    [...files, ...clientFiles, ...webFiles].filter((file) => !file.startsWith('src/store/migrations/')),
    (file) => dirname(file),
  )
  expect([...folders].filter(([, loose]) => loose.length > LOOSE_MAX).map(([folder]) => folder)).toEqual([])
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
  expect(
    files.filter((file) => /(^|\/)index\.ts$/.test(file) && !/^src\/vendors\/[^/]+\/index\.ts$/.test(file)),
  ).toEqual([])
  expect(files.filter((file) => FORBIDDEN_NAMES.test(file))).toEqual([])
})

/** The client runs elsewhere: it may see nothing of the service. The package's own entry is its only file that re-exports. */
test('the client imports nothing from outside its own folder', () => {
  const outside = clientFiles.flatMap((file) =>
    importsOf(file)
      .filter((to) => !to.startsWith('packages/client/src/'))
      .map((to) => `${file} -> ${to}`),
  )
  expect(outside).toEqual([])
  expect(clientFiles.length).toBeGreaterThan(20)
})

/** Folders of the page that every feature uses. */
const WEB_SHARED = ['api', 'browser', 'i18n', 'map', 'offer', 'session', 'ui']
/** Signing out also deletes the recent searches. */
const WEB_SHARED_EXCEPTION = 'web/src/session/session.ts -> web/src/search/recent-searches.ts'

test('what the features of the page share imports none of them', () => {
  const isShared = (file: string) => WEB_SHARED.some((folder) => file.startsWith(`web/src/${folder}/`))
  const upward = webFiles.filter(isShared).flatMap((file) =>
    importsOf(file)
      .filter((to) => to.startsWith('web/src/') && !isShared(to))
      .map((to) => `${file} -> ${to}`),
  )
  expect(upward).toEqual([WEB_SHARED_EXCEPTION])
})

/** Long because they are lists, not because they do much. */
const LONG: readonly string[] = [
  'src/domain/error-table.ts',
  'src/store/tables.ts',
  'packages/client/src/generated/api-types.ts',
  'packages/client/src/generated/operations.ts',
]

test('no source file is longer than 300 lines without a reason', () => {
  const long = [...files, ...clientFiles].filter(
    (file) => (sources.get(file) ?? '').split('\n').filter((line) => line.trim() !== '').length > 300,
  )
  expect(long.filter((file) => !LONG.includes(file))).toEqual([])
})
