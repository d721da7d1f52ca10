import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const HERE = join(import.meta.dirname, '../..')
const root = mkdtempSync(join(tmpdir(), 'serai-new-vendor-'))
const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(HERE, 'scripts/new-vendor.ts'), ...args, '--root', root], { encoding: 'utf8' })
const bin = (name: string, args: string[]) =>
  spawnSync(join(HERE, 'node_modules/.bin', name), args, { cwd: root, encoding: 'utf8' })
const readText = (path: string) => readFileSync(join(root, path), 'utf8')
const REGISTRY = 'src/vendors/registry.ts'
const STAND_INS = 'sandbox/stand-ins.ts'

beforeAll(() => {
  const copied =
    'src sandbox docs scripts/longest-first.ts test/support test/contract test/structure.test.ts biome.json tsconfig.json package.json'
  for (const path of [...copied.split(' '), '.gitignore', 'vitest.config.ts']) {
    cpSync(join(HERE, path), join(root, path), { recursive: true })
  }
  for (const path of ['node_modules', 'data', 'certify', 'chaos', 'bench', 'packages', 'web'])
    symlinkSync(join(HERE, path), join(root, path))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('npm run new-vendor', () => {
  test.each([
    ['', 'is not a valid vendor name'],
    ['Acme', 'is not a valid vendor name'],
    ['acme-travel', 'is not a valid vendor name'],
    ['../acme', 'is not a valid vendor name'],
    ['switch', 'a reserved word of JavaScript'],
    ['hotelbeds', 'already'],
    ['simulator', 'already'],
    ['transport', 'already'],
    ['expedia', 'could not be distinguished'],
    ['hotelbeds_two', 'could not be distinguished'],
    ['log', 'SERAI_LOG_LEVEL'],
    ['--force', "Unknown option '--force'"],
  ])('npm run new-vendor refuses "%s" with its usage and writes nothing', (name, words) => {
    const before = [readText(REGISTRY), readText(STAND_INS), readdirSync(join(root, 'src/vendors'))]
    const { status, stderr } = run(name)
    expect(status).toBe(2)
    expect(stderr).toContain(words)
    expect(stderr).toContain('Usage: npm run new-vendor -- NAME')
    expect([readText(REGISTRY), readText(STAND_INS), readdirSync(join(root, 'src/vendors'))]).toEqual(before)
  })

  test('npm run new-vendor -- --help prints its usage', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: npm run new-vendor') })
  })

  test('npm run new-vendor writes nothing if one of its files already exists', () => {
    writeFileSync(join(root, 'test/contract/acme_travel.test.ts'), '')
    expect(run('acme_travel')).toMatchObject({ status: 2, stderr: expect.stringContaining('already exists') })
    expect(existsSync(join(root, 'src/vendors/acme_travel'))).toBe(false)
    rmSync(join(root, 'test/contract/acme_travel.test.ts'))
  })

  test('a generated vendor is two folders and two entries that pass formatting, types, structure and tests', () => {
    const before = [REGISTRY, STAND_INS].map((path) => readText(path).split('\n'))
    const { status, stdout, stderr } = run('acme_travel')
    expect(`${status} ${stderr}`).toBe('0 ')
    const created = [...stdout.matchAll(/^ {2}(\S+\.(?:ts|md))$/gm)].map(([, path = '']) => path)
    for (const path of created) expect(readText(path), path).not.toMatch(/__|TODO|FIXME|acme(?!_travel|-|Travel)/)
    const added = [REGISTRY, STAND_INS].flatMap((path, index) =>
      readText(path)
        .split('\n')
        .filter((line) => !before[index]?.includes(line)),
    )
    expect(added).toEqual([
      "import { AcmeTravelConfig, acmeTravelOrigins, createAcmeTravel } from './acme_travel/index.ts'",
      "  vendorKind('acme_travel', AcmeTravelConfig, { create: createAcmeTravel, origins: acmeTravelOrigins }),",
      "import { acmeTravel } from './vendors/acme_travel/stand-in.ts'",
      expect.stringMatching(/^export const STAND_INS = \[.+, acmeTravel\] as const satisfies readonly StandIn\[\]$/),
    ])

    const sources = [REGISTRY, STAND_INS, ...created.filter((path) => path.endsWith('.ts'))]
    expect(bin('biome', ['ci', '--diagnostic-level=warn', ...sources])).toMatchObject({ status: 0 })
    const project = JSON.parse(readText('tsconfig.json')) as Record<string, unknown>
    const narrow = { ...project, include: ['src', 'sandbox'], exclude: [], files: sources }
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(narrow))
    expect(
      bin('../typescript/bin/tsc', ['--singleThreaded', '--tsBuildInfoFile', join(root, 'types.tsbuildinfo')]).stdout,
    ).toBe('')
    const projects = ['structure', 'unit', 'contract'].flatMap((name) => ['--project', name])
    const tests = bin('vitest', ['run', ...projects, 'structure', 'acme_travel'])
    expect(tests.stdout).toContain('3 passed')
    expect(tests.status).toBe(0)
    expect(run('acme_travel').stderr).toContain('already')
  }, 120_000)
})
