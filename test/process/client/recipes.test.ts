import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devServer } from '../../support/client/dev-server.ts'
import { type InstalledClient, installClient } from '../../support/client/installed-client.ts'
import { ROOT } from '../../support/servers/server-process.ts'

const run = promisify(execFile)
const FOLDER = join(ROOT, 'docs/recipes')
const NAMES = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ''))

/** Reads the code blocks of one language, in order. */
const readBlocks = (name: string, language: string): string[] =>
  [
    ...readFileSync(join(FOLDER, `${name}.md`), 'utf8').matchAll(
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'),
    ),
  ].map(([, code = '']) => code)

let server: Awaited<ReturnType<typeof devServer>>
let client: InstalledClient
beforeAll(async () => {
  ;[server, client] = await Promise.all([devServer(), installClient()])
  mkdirSync(join(client.folder, 'recipes'))
  for (const [name, path] of [
    ['readme', '../../packages/client/README'],
    ['shop', '../shop'],
  ] as const)
    writeFileSync(join(client.folder, 'recipes', `${name}.ts`), readBlocks(path, 'ts').join('\n'))
  for (const name of NAMES)
    writeFileSync(join(client.folder, 'recipes', `${name}.ts`), readBlocks(name, 'ts').join('\n'))
})
afterAll(async () => {
  client?.close()
  await server?.close()
})

const environment = (home: string) => ({
  PATH: [join(client.folder, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
  HOME: home,
  SERAI_URL: server.url,
})

test('the code of every recipe, the shop and the package’s README compiles with unchecked indexes reported', async () => {
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    noEmit: true,
  }
  writeFileSync(join(client.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['recipes'] }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [tsc, '--singleThreaded', '-p', '.'], { cwd: client.folder }).catch(
    ({ stdout }) => ({ stdout }),
  )
  expect(compiled.stdout).toBe('')
})

describe('recipes', () => {
  test.each(NAMES)('the code of recipe %s prints the documented output', async (name) => {
    const [printed] = readBlocks(name, 'text')
    expect(readBlocks(name, 'ts').length).toBeGreaterThan(0)
    const program = join(client.folder, 'recipes', `${name}.ts`)
    const { stdout } = await run(process.execPath, [program], { cwd: client.folder, env: environment(client.folder) })
    expect(stdout).toBe(printed)
  })

  test.each([
    ['going-live', 'sh', '✓'],
    ['../../packages/client/README', 'sh', 'confirmed'],
  ])('the commands of %s succeed', async (name, language, output) => {
    const home = mkdtempSync(join(tmpdir(), 'serai-recipe-'))
    try {
      const commands = readBlocks(name, language).filter((block) => !block.includes('npm pack'))
      const script = `set -eu\n${commands.join('\n').replaceAll('npx ', '')}`
      const { stdout } = await run('bash', ['-c', script], { cwd: home, env: environment(home) })
      expect(stdout).toContain(output)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
})

test('the README’s own program runs', async () => {
  const program = join(client.folder, 'recipes/readme.ts')
  const { stdout } = await run(process.execPath, [program], { cwd: client.folder, env: environment(client.folder) })
  expect(stdout).toContain('health.live 1 200')
})

test('all recipes together make no real booking', async () => {
  expect(await server.ledger()).toHaveLength(0)
})
