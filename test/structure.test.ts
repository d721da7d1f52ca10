import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** Imports point to a lower rank. Folders of one rank do not import each other. */
const RANKS: readonly (readonly string[])[] = [
  ['lib'],
  ['domain'],
  ['lists'],
  ['store', 'http', 'vendors'],
  ['locations', 'accounts', 'rates'],
  ['catalogue', 'selling'],
  ['search'],
  ['booking'],
  ['payments'],
  ['voucher', 'webhooks'],
  ['mail'],
  ['operator', 'page'],
  ['agents'],
  ['config.ts'],
  ['compose'],
  ['process'],
  ['cli'],
]
/** The only files of `vendors` that other folders may import. The registry wires the adapters, `compose` the registry. */
const VENDORS_PUBLIC = ['src/vendors/capabilities.ts', 'src/vendors/contract.ts', 'src/vendors/vendor-error.ts']
/** Folders that wire the parts together and may import any of them. */
const COMPOSERS = ['config.ts', 'compose', 'process', 'cli']

/** Each external dependency may be used in one place only. */
const RESTRICTED: readonly (readonly [dependency: string, usage: RegExp, allowed: RegExp])[] = [
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
    /^(src\/vendors\/transport\/(http-client|exchange)|src\/webhooks\/webhook-sender|src\/payments\/providers\/stripe\/transport|src\/rates\/fetch-rates|sandbox\/server\/send-request|sandbox\/stripe\/pages\/card-form-script)\.ts$/,
  ],
  ['mail', /from 'nodemailer'/, /^src\/mail\/smtp-sender\.ts$/],
  [
    'an HTTP server',
    /^import (?!type).*from 'node:http'/m,
    /^(sandbox\/server\/|sandbox\/stripe\/serve-stripe\.ts$|src\/http\/limits\/pipelining\.ts$)/,
  ],
  ['the payment provider', /from 'stripe'|import\('stripe'\)/, /^(src\/payments\/providers\/stripe|sandbox\/stripe)\//],
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
const clientFiles = filesIn('packages/client/src')
const webFiles = filesIn('web/src')
/** Separate programs, which may import anything from the service. */
const PROGRAMS = ['certify', 'chaos', 'bench']
const allFiles = [...files, ...clientFiles, ...webFiles, ...['test', ...PROGRAMS].flatMap(filesIn)]
const sources = new Map(allFiles.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
/** Returns a folder of `src`, or `sandbox`. */
const getFolder = (file: string) => (file.startsWith('src/') ? (file.split('/')[1] ?? '') : (file.split('/')[0] ?? ''))
const getRank = (file: string) => RANKS.findIndex((folders) => folders.includes(getFolder(file)))
const readImports = (file: string) =>
  [...(sources.get(file) ?? '').matchAll(/(?:from |import |import\()'(\.[^']+\.tsx?)'/g)].map((match) =>
    normalize(join(dirname(file), match[1] ?? '')),
  )
const findImports = (forbidden: (from: string, to: string) => boolean) =>
  files.flatMap((from) =>
    readImports(from)
      .filter((to) => forbidden(from, to))
      .map((to) => `${from} -> ${to}`),
  )

test('every folder of src has a rank', () => {
  expect(sourceFiles.filter((file) => getRank(file) === -1)).toEqual([])
})

test('imports point only to folders of a lower rank', () => {
  expect(
    findImports(
      (from, to) =>
        from.startsWith('src/') &&
        to.startsWith('src/') &&
        getFolder(from) !== getFolder(to) &&
        getRank(to) >= getRank(from),
    ),
  ).toEqual([])
})

test('only compose and the registry import adapters, and adapters never import each other', () => {
  const getAdapter = (file: string) => /^src\/vendors\/(?!transport\/|wire\/)([^/]+)\//.exec(file)?.[1]
  expect(
    findImports((from, to) => {
      if (getFolder(to) !== 'vendors' || COMPOSERS.includes(getFolder(from))) return false
      if (getFolder(from) !== 'vendors') return !VENDORS_PUBLIC.includes(to)
      return from !== 'src/vendors/registry.ts' && getAdapter(to) !== undefined && getAdapter(to) !== getAdapter(from)
    }),
  ).toEqual([])
})

/** Files of every adapter except the simulator, which has no wire format. */
const ADAPTER_FILES =
  'README.md config.ts index.ts authorize.ts wire.ts encode.ts content/decode.ts decode-availability.ts ' +
  'decode-rooms.ts decode-booking.ts cancel-terms.ts failure.ts'
const NOT_ADAPTERS = ['transport', 'wire', 'simulator']

test('all adapters have the same files', () => {
  const adapters = readdirSync(join(root, 'src/vendors'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_ADAPTERS.includes(entry.name))
    .map((entry) => `src/vendors/${entry.name}`)
  expect(adapters.length).toBeGreaterThan(1)
  const missing = adapters.flatMap((adapter) =>
    ADAPTER_FILES.split(' ')
      .filter((file) => !existsSync(join(root, adapter, file)))
      .map((file) => `${adapter}/${file}`),
  )
  expect(missing).toEqual([])
})

/** The two lists of vendors. */
const NAMES_VENDORS = ['src/vendors/registry.ts', 'sandbox/stand-ins.ts']

test('a vendor is named only in its own folders and in the two lists of vendors', () => {
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

test('the sandbox imports only lib and domain, and only process imports the sandbox', () => {
  expect(
    findImports((from, to) => getFolder(from) === 'sandbox' && !['sandbox', 'lib', 'domain'].includes(getFolder(to))),
  ).toEqual([])
  expect(
    findImports((from, to) => getFolder(to) === 'sandbox' && !['sandbox', 'process'].includes(getFolder(from))),
  ).toEqual([])
})

test('the service and the sandbox do not import the separate programs', () => {
  expect(findImports((_from, to) => PROGRAMS.includes(getFolder(to)))).toEqual([])
})

test('there are no import cycles, not even of types', () => {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const target of readImports(file)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of allFiles) visit(file, [])
  expect(cycles).toEqual([])
})

const FILES_MAX = 20

test('no folder has more than 20 files of its own', () => {
  const folders = Map.groupBy(
    [...files, ...clientFiles, ...webFiles].filter((file) => !file.startsWith('src/store/migrations/')),
    (file) => dirname(file),
  )
  expect([...folders].filter(([, own]) => own.length > FILES_MAX).map(([folder]) => folder)).toEqual([])
})

test('each external dependency is used in one place only', () => {
  const strays = RESTRICTED.flatMap(([dependency, usage, allowed]) =>
    files
      .filter((file) => !allowed.test(file) && usage.test(sources.get(file) ?? ''))
      .map((file) => `${file} uses ${dependency}`),
  )
  expect(strays).toEqual([])
})

test('there are no barrel files and no vague file names', () => {
  expect(
    files.filter((file) => /(^|\/)index\.ts$/.test(file) && !/^src\/vendors\/[^/]+\/index\.ts$/.test(file)),
  ).toEqual([])
  expect(files.filter((file) => FORBIDDEN_NAMES.test(file))).toEqual([])
})

test('the client imports nothing from outside its own folder', () => {
  const outside = clientFiles.flatMap((file) =>
    readImports(file)
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

test('the shared folders of the page do not import its features', () => {
  const isShared = (file: string) => WEB_SHARED.some((folder) => file.startsWith(`web/src/${folder}/`))
  const upward = webFiles.filter(isShared).flatMap((file) =>
    readImports(file)
      .filter((to) => to.startsWith('web/src/') && !isShared(to))
      .map((to) => `${file} -> ${to}`),
  )
  expect(upward).toEqual([WEB_SHARED_EXCEPTION])
})

/** Long lists rather than complex code. */
const LONG: readonly string[] = [
  'src/domain/error-table.ts',
  'src/store/tables.ts',
  'packages/client/src/generated/api-types.ts',
  'packages/client/src/generated/operations.ts',
  'packages/client/src/generated/operator-operations.ts',
]

test('no source file has more than 300 lines, except a few long lists', () => {
  const long = [...files, ...clientFiles].filter(
    (file) => (sources.get(file) ?? '').split('\n').filter((line) => line.trim() !== '').length > 300,
  )
  expect(long.filter((file) => !LONG.includes(file))).toEqual([])
})
