/**
 * Lays down a new vendor: five files and a page, its tests, and its entry in the registry. What it writes compiles and
 * passes, for an invented wire format; docs/adding-a-vendor.md tells how to make it the vendor's own.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const TEMPLATES = join(import.meta.dirname, 'new-vendor')
const ID = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

/** Template, and where it goes. */
const FILES: readonly (readonly [template: string, path: string])[] = [
  ['index.ts', 'src/vendors/__id__/index.ts'],
  ['wire.ts', 'src/vendors/__id__/wire.ts'],
  ['encode.ts', 'src/vendors/__id__/encode.ts'],
  ['decode.ts', 'src/vendors/__id__/decode.ts'],
  ['failure.ts', 'src/vendors/__id__/failure.ts'],
  ['README.md', 'src/vendors/__id__/README.md'],
  ['decode.test.ts', 'test/unit/vendors/__id__/decode.test.ts'],
  ['availability.json', 'test/unit/vendors/__id__/fixtures/availability.json'],
  ['contract.test.ts', 'test/contract/__id__.test.ts'],
]
const REGISTRY = 'src/vendors/registry.ts'

const [id = '', root = join(import.meta.dirname, '..')] = process.argv.slice(2)
const objection = objectionTo(id, root)
if (objection !== undefined) {
  console.error(objection)
  process.exit(1)
}
const written = FILES.map(([template, path]) => write(template, path))
enter()
format([REGISTRY, ...written])
console.log([`${id} is in place:`, ...written.map((path) => `  ${path}`), `  ${REGISTRY} (one entry)`].join('\n'))
console.log('Go on with step 2 of docs/adding-a-vendor.md.')

/** Why there can be no vendor of this name; undefined when there can. */
function objectionTo(name: string, folder: string): string | undefined {
  if (!ID.test(name) || name.length < 2 || name.length > 24) {
    return `npm run new-vendor -- NAME: "${name}" is no name; use 2 to 24 small letters, digits and single underscores.`
  }
  const prefix = `SERAI_${name.toUpperCase()}_`
  const vendors = readdirSync(join(folder, 'src/vendors'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  for (const { name: other } of vendors) {
    if (other === name) return `There is a vendor ${name} already.`
    const theirs = `SERAI_${other.toUpperCase()}_`
    if (theirs.startsWith(prefix) || prefix.startsWith(theirs)) {
      return `Settings of ${name} and of ${other} could not be told apart (${prefix}…, ${theirs}…).`
    }
  }
  const taken = readFileSync(join(folder, 'src/config.ts'), 'utf8').match(/\bSERAI_[A-Z_]+/g) ?? []
  const clash = taken.find((variable) => variable.startsWith(prefix))
  return clash === undefined ? undefined : `${clash} is a setting of the service itself; choose another name.`
}

function filled(text: string): string {
  const camel = id.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return text
    .replaceAll('__id__', id)
    .replaceAll('__name__', camel)
    .replaceAll('__Name__', camel.charAt(0).toUpperCase() + camel.slice(1))
    .replaceAll('__PREFIX__', `SERAI_${id.toUpperCase()}_`)
}

function write(template: string, to: string): string {
  const path = filled(to)
  const target = join(root, path)
  if (existsSync(target)) throw new Error(`${path} is there already.`)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, filled(readFileSync(join(TEMPLATES, `${template}.template`), 'utf8')))
  return path
}

/** One import and one entry; everything else finds the vendor by the registry. */
function enter(): void {
  const path = join(root, REGISTRY)
  const importLine = filled(`import { create__Name__, __Name__Config, __name__Origins } from './__id__/index.ts'`)
  const entry = filled(`vendorKind('__id__', __Name__Config, { create: create__Name__, origins: __name__Origins }),`)
  const text = readFileSync(path, 'utf8')
  const end = text.indexOf('\n]', text.indexOf('VENDOR_KINDS'))
  if (end < 0) throw new Error(`${REGISTRY} has no list VENDOR_KINDS.`)
  writeFileSync(path, `${importLine}\n${text.slice(0, end)}\n  ${entry}${text.slice(end)}`)
}

/** Sorts the imports and wraps the lines that a long name made too long. */
function format(paths: readonly string[]): void {
  const biome = join(root, 'node_modules', '.bin', 'biome')
  const { status, stdout, stderr } = spawnSync(biome, ['check', '--write', ...paths], { cwd: root, encoding: 'utf8' })
  if (status !== 0) console.error(`The files are written, but not well formed yet:\n${stdout}${stderr}`)
}
