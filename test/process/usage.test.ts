import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Printed } from '../support/cli/capture-output.ts'
import { runInProcess } from '../support/cli/run-in-process.ts'
import { runProgram } from '../support/cli/run-program.ts'

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const programs = [
  ...readdirSync(join(root, 'chaos/experiments')).map((name) => `chaos/experiments/${name}`),
  'scripts/build-land-mask.ts',
  'scripts/complete-lock.mjs',
  'scripts/locations/build.ts',
  'scripts/screenshots.ts',
  'scripts/update-exchange-rates.ts',
  'scripts/write-client.ts',
  'src/process/sandbox-process.ts',
]

const SERAI = 'src/cli/serai.ts'

/** Programs that scripts/run.mjs starts; each must handle its own arguments. */
const PROGRAMS: Record<string, string[]> = {
  start: [SERAI, 'dev'],
  serai: [SERAI],
  test: ['scripts/test.ts'],
}

function parseCommand(name: string): string[] {
  const [, , target = '', ...rest] = String(scripts[name]).split(' ')
  return [...(PROGRAMS[target] ?? [target]), ...rest]
}

const npmScripts = Object.keys(scripts).map((name) => [`npm run ${name}`, parseCommand(name)] as const)
const all = [...npmScripts, ...programs.map((file) => [file, [file]] as const)]

/** Runs in this process, because most programs take longer to start than to answer. */
const run = ([file = '', ...args]: readonly string[]): Promise<Printed> =>
  file === SERAI ? runInProcess(args, process.env) : runProgram(join(root, file), args)

/** Runs a separate process. */
function start(args: readonly string[]): Promise<Printed> {
  const child = spawn(process.execPath, args, { cwd: root, timeout: 60_000 })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? undefined, out, err })))
}

const hasStack = ({ out, err }: Printed) => /^\s+at .*[:(]/m.test(out + err)

describe('--help', () => {
  test.each(all)('%s --help prints only its usage', async (_, command) => {
    const ended = await run([...command, '--help'])
    expect(ended).toMatchObject({ code: 0, out: expect.stringMatching(/^(Usage: |serai )/), err: '' })
  })
})

describe('as a separate process', () => {
  test.each([
    ['--help', 0],
    ['--no-such-option', 2],
  ])('scripts/test.ts %s exits with %i', async (argument, code) => {
    expect(await start(['scripts/test.ts', argument])).toMatchObject({
      code,
      [code === 0 ? 'out' : 'err']: expect.stringContaining('Usage: npm test'),
    })
  })

  test.each(['scripts/run.mjs', 'bench/start.ts'])('%s --help prints only its usage', async (file) => {
    const ended = await start([file, '--help'])
    expect(ended).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: /), err: '' })
  })
})

describe('a wrong value', () => {
  test.each([
    ['nodes', '--restarts', 'many'],
    ['isolation', '--only', 'nothing'],
    ['overload', '--only', 'nothing'],
    ['soak', '--minutes', 'long'],
  ])(
    'chaos/experiments/%s.ts %s %s is refused, because an experiment that does nothing would pass',
    async (name, ...wrong) => {
      const ended = await run([`chaos/experiments/${name}.ts`, ...wrong])
      expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('Usage: ') })
    },
  )
})

describe('a wrong argument', () => {
  test.each([...npmScripts, ['the sandbox by hand', ['src/process/sandbox-process.ts']] as const])(
    '%s with an unknown option exits with 2 and prints no stack trace',
    async (_, command) => {
      const ended = await run([...command, '--no-such-option'])
      expect(ended.code).toBe(2)
      expect(hasStack(ended), ended.out + ended.err).toBe(false)
    },
  )
})

test('npm run test:vectors passes in memory and on both databases', async () => {
  const ended = await start(parseCommand('test:vectors'))
  expect(ended, ended.err).toMatchObject({ code: 0, err: '' })
  expect(ended.out.match(/^(memory|SQLite|PostgreSQL): \d+ of \d+ passed, 0 failed$/gm)).toHaveLength(3)
})
