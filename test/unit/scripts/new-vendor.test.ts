import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const HERE = join(import.meta.dirname, '../../..')
const root = mkdtempSync(join(tmpdir(), 'serai-new-vendor-'))
const run = (name: string) =>
  spawnSync(process.execPath, [join(HERE, 'scripts/new-vendor.ts'), name, root], { encoding: 'utf8' })
const bin = (name: string, args: string[]) =>
  spawnSync(join(HERE, 'node_modules/.bin', name), args, { cwd: root, encoding: 'utf8' })

beforeAll(() => {
  for (const path of [
    'src',
    'test/support',
    'biome.json',
    '.gitignore',
    'tsconfig.json',
    'package.json',
    'vitest.config.ts',
  ]) {
    cpSync(join(HERE, path), join(root, path), { recursive: true })
  }
  symlinkSync(join(HERE, 'node_modules'), join(root, 'node_modules'))
  symlinkSync(join(HERE, 'data'), join(root, 'data'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('npm run new-vendor', () => {
  test.each([
    ['', 'is no name'],
    ['Acme', 'is no name'],
    ['acme-travel', 'is no name'],
    ['../acme', 'is no name'],
    ['hotelbeds', 'already'],
    ['simulator', 'already'],
    ['expedia', 'could not be told apart'],
    ['hotelbeds_two', 'could not be told apart'],
    ['log', 'SERAI_LOG_LEVEL'],
  ])('refuses the name "%s"', (name, words) => {
    const { status, stderr } = run(name)
    expect(status).toBe(1)
    expect(stderr).toContain(words)
  })

  test('what it writes is formatted, compiles, is registered and passes its own tests', () => {
    const before = readFileSync(join(root, 'src/vendors/registry.ts'), 'utf8')
    const { status, stdout, stderr } = run('acme_travel')
    expect(`${status} ${stderr}`).toBe('0 ')
    const paths = [...stdout.matchAll(/^ {2}(\S+\.(?:ts|md|json))$/gm)].map(([, path = '']) => path)
    expect(paths).toHaveLength(9)
    for (const path of paths) {
      expect(existsSync(join(root, path))).toBe(true)
      expect(readFileSync(join(root, path), 'utf8')).not.toMatch(/__|TODO|FIXME/)
    }
    const after = readFileSync(join(root, 'src/vendors/registry.ts'), 'utf8')
    const added = after.split('\n').filter((line) => !before.split('\n').includes(line))
    expect(added).toEqual([
      "import { AcmeTravelConfig, acmeTravelOrigins, createAcmeTravel } from './acme_travel/index.ts'",
      "  vendorKind('acme_travel', AcmeTravelConfig, { create: createAcmeTravel, origins: acmeTravelOrigins }),",
    ])

    const sources = paths.filter((path) => path.endsWith('.ts'))
    expect(bin('biome', ['ci', '--diagnostic-level=warn', 'src/vendors/registry.ts', ...sources])).toMatchObject({
      status: 0,
    })
    const project = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as Record<string, unknown>
    const narrow = { ...project, include: [], exclude: [], files: ['src/vendors/registry.ts', ...sources] }
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(narrow))
    expect(bin('tsc', []).stdout).toBe('')
    const tests = bin('vitest', ['run', '--project', 'unit', '--project', 'contract', 'acme_travel'])
    expect(tests.stdout).toContain('2 passed')
    expect(tests.status).toBe(0)
    expect(run('acme_travel').stderr).toContain('already')
  }, 60_000)
})
