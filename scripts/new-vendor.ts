/**
 * Creates a vendor: its adapter, its stand-in, their tests, and one entry each in the registry and in the list of
 * stand-ins. Everything works at once, in an invented wire format; docs/adding-a-vendor.md describes the next steps.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readArguments } from './read-arguments.ts'

const USAGE = `Usage: npm run new-vendor -- NAME

Creates the adapter, the stand-in and the tests of a new vendor and registers both. NAME becomes the vendor's id and the
prefix of its variables (acme_travel: SERAI_ACME_TRAVEL_…): 2 to 24 lower-case letters, digits and single underscores.

  --root DIR  the project to write into, if not this one
  --help      print this text`

const TEMPLATES = join(import.meta.dirname, 'new-vendor')
/** Target of each folder or file of templates. */
const TARGETS: Readonly<Record<string, string>> = {
  adapter: 'src/vendors/__id__/',
  'stand-in': 'sandbox/vendors/__id__/',
  'tests/decode.test.ts': 'test/unit/vendors/__id__/decode.test.ts',
  'tests/contract.test.ts': 'test/contract/__id__.test.ts',
}
/** Lists in which the vendor is registered, with the import and the entry to add. */
const LISTS = [
  {
    path: 'src/vendors/registry.ts',
    name: 'VENDOR_KINDS',
    importLine: `import { create__Name__, __Name__Config, __name__Origins } from './__id__/index.ts'`,
    entry: `vendorKind('__id__', __Name__Config, { create: create__Name__, origins: __name__Origins })`,
  },
  {
    path: 'sandbox/stand-ins.ts',
    name: 'STAND_INS',
    importLine: `import { __name__ } from './vendors/__id__/stand-in.ts'`,
    entry: '__name__',
  },
]

/** Lists the variables of all vendors. */
const DOCUMENT = 'docs/vendors.md'
const SECTION = `## __Name__

| variable | |
|---|---|
| \`__PREFIX__API_KEY\` | required |
| \`__PREFIX__BASE_URL\` | see its default |

`

const NEXT_SECTION = '## Call limits'

/** Adds the vendor's variables after those of the others. */
const addSection = (text: string, id: string): string =>
  text.includes(NEXT_SECTION)
    ? text.replace(NEXT_SECTION, () => fillTemplate(SECTION, id) + NEXT_SECTION)
    : fail(`${DOCUMENT} has no section "${NEXT_SECTION}".`)

function main(): void {
  const { values, positionals } = readArguments(USAGE, {
    options: { root: { type: 'string' } },
    allowPositionals: true,
  })
  const [id = '', ...more] = positionals
  const root = values.root ?? join(import.meta.dirname, '..')
  const problem = more.length > 0 ? 'Specify exactly one name.' : validateId(id, root)
  if (problem !== undefined) fail(`${problem}\n\n${USAGE}`)
  const created = renderFiles(id)
  const existing = [...created.keys()].find((path) => existsSync(join(root, path)))
  if (existing !== undefined) fail(`${existing} already exists.`)
  const registered = new Map(
    LISTS.map((list) => [list.path, register(list, id, readFileSync(join(root, list.path), 'utf8'))]),
  )
  registered.set(DOCUMENT, addSection(readFileSync(join(root, DOCUMENT), 'utf8'), id))
  writeAll(root, created, registered)
  format(root, [...created.keys(), ...LISTS.map(({ path }) => path)])
  const lines = [...created.keys()].map((path) => `  ${path}`)
  const entries = LISTS.map(({ path }) => `  ${path} (one entry)`)
  console.log([`Created ${id}:`, ...lines, ...entries, 'Continue with step 2 of docs/adding-a-vendor.md.'].join('\n'))
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

const ID = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

/** Returns the reason if the name cannot be used. */
function validateId(id: string, root: string): string | undefined {
  if (!ID.test(id) || id.length < 2 || id.length > 24) return `"${id}" is not a valid vendor name.`
  if (!isIdentifier(toCamelCase(id))) return `"${id}" is a reserved word of JavaScript.`
  const prefix = variablePrefix(id)
  const folders = readdirSync(join(root, 'src/vendors'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of folders) {
    if (name === id) return `A vendor or folder ${id} already exists.`
    const taken = variablePrefix(name)
    if (taken.startsWith(prefix) || prefix.startsWith(taken)) {
      return `Variables of ${id} and ${name} could not be distinguished (${prefix}…, ${taken}…).`
    }
  }
  const own = readFileSync(join(root, 'src/config.ts'), 'utf8').match(/\bSERAI_[A-Z_]+/g) ?? []
  const clash = own.find((variable) => variable.startsWith(prefix))
  return clash === undefined ? undefined : `${clash} is a variable of the service itself; choose another name.`
}

function isIdentifier(name: string): boolean {
  try {
    new Function(`'use strict'; const ${name} = 1`)
    return true
  } catch {
    return false
  }
}

const variablePrefix = (id: string): string => `SERAI_${id.toUpperCase()}_`
const toCamelCase = (id: string): string => id.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

function fillTemplate(text: string, id: string): string {
  const camel = toCamelCase(id)
  return text
    .replaceAll('__id__', id)
    .replaceAll('__name__', camel)
    .replaceAll('__Name__', camel.charAt(0).toUpperCase() + camel.slice(1))
    .replaceAll('__PREFIX__', variablePrefix(id))
    .replaceAll('__salt__', String(computeSalt(id)))
}

/** Derived from the name, so that two vendors rarely share one; a test detects it if they do. */
const computeSalt = (id: string): number =>
  [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7)

function renderFiles(id: string): Map<string, string> {
  const files = Object.entries(TARGETS).flatMap(([from, to]): [string, string][] => {
    if (!to.endsWith('/')) return [[to, `${from}.template`]]
    const names = readdirSync(join(TEMPLATES, from), { recursive: true, encoding: 'utf8' })
    return names
      .filter((name) => name.endsWith('.template'))
      .map((name) => [to + name.replace(/\.template$/, ''), `${from}/${name}`])
  })
  return new Map(
    files.map(([to, from]) => [fillTemplate(to, id), fillTemplate(readFileSync(join(TEMPLATES, from), 'utf8'), id)]),
  )
}

/** Adds the vendor's import and entry to the text of a list. */
function register({ path, name, importLine, entry }: (typeof LISTS)[number], id: string, text: string): string {
  const end = endOfList(text, text.indexOf('= [', text.indexOf(`const ${name}`)))
  if (end === undefined) return fail(`${path} has no list ${name}.`)
  const before = text.slice(0, end).replace(/,?\s*$/, ',\n  ')
  return fillTemplate(`${importLine}\n${before}${entry},\n`, id) + text.slice(end)
}

/** Position of the bracket that closes the next opening one. */
function endOfList(text: string, start: number): number | undefined {
  let depth = 0
  for (let index = start; start >= 0 && index < text.length; index++) {
    if (text[index] === '[') depth += 1
    if (text[index] === ']') depth -= 1
    if (text[index] === ']' && depth === 0) return index
  }
  return undefined
}

/** Writes all files or none. */
function writeAll(root: string, created: ReadonlyMap<string, string>, registered: ReadonlyMap<string, string>): void {
  const before = [...registered.keys()].map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
  try {
    for (const [path, text] of created) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text, { flag: 'wx' })
    }
    for (const [path, text] of registered) writeFileSync(join(root, path), text)
  } catch (error) {
    for (const path of created.keys()) rmSync(join(root, path), { force: true })
    for (const [path, text] of before) writeFileSync(join(root, path), text)
    fail(`Nothing was created: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Sorts the imports and wraps lines that a long name made too long. */
function format(root: string, paths: readonly string[]): void {
  const biome = join(root, 'node_modules', '.bin', 'biome')
  const { status, stdout, stderr } = spawnSync(biome, ['check', '--write', ...paths], { cwd: root, encoding: 'utf8' })
  if (status !== 0) console.error(`The files are written, but not formatted:\n${stdout}${stderr}`)
}

main()
