import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const RUN = join(ROOT, 'scripts/run.mjs')
const NOBODY = { uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0

/** A checkout with nothing installed that needs one package. */
let checkout: string
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'serai-run-'))
  mkdirSync(join(checkout, 'scripts'))
  copyFileSync(RUN, join(checkout, 'scripts/run.mjs'))
  const dependencies = { 'is-number': '7.0.0' }
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ name: 'checkout', version: '1.0.0', dependencies }))
  const packages = {
    '': { name: 'checkout', version: '1.0.0', dependencies },
    'node_modules/is-number': {
      version: '7.0.0',
      integrity: 'sha512-41Cifkg6e8TylSpdtTpeLVMqvSBEVzTttHvERD741+pnZ8ANv0004MRL43QKPDlK9cGvNp6NZWZUBlbGXYxxng==',
    },
  }
  const lock = { name: 'checkout', version: '1.0.0', lockfileVersion: 3, requires: true, packages }
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify(lock))
})
afterEach(() => rmSync(checkout, { recursive: true, force: true }))

type Ended = { readonly code: number | null; readonly err: string }
type Options = {
  readonly env?: Record<string, string>
  /** Run before the script, to make it believe in another machine. */
  readonly pretend?: string
  /** Root may write anywhere; then somebody else must try. */
  readonly asNobody?: boolean
  readonly verb?: string
}

/** `npm start`, or another script, in that checkout, with nothing of npm in its environment but what is given. */
function start({ env = {}, pretend, asNobody = false, verb = 'start' }: Options = {}): Promise<Ended> {
  const before = pretend === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`]
  const child = spawn(
    asNobody ? nodeForNobody() : process.execPath,
    [...before, join(checkout, 'scripts/run.mjs'), verb],
    {
      cwd: checkout,
      env: { PATH: process.env.PATH ?? '', HOME: checkout, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(asNobody ? NOBODY : {}),
    },
  )
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done({ code, err }))
  })
}

/** A Node below root's home is out of others' reach; a copy is not. */
function nodeForNobody(): string {
  if (spawnSync(process.execPath, ['--version'], NOBODY).status === 0) return process.execPath
  const copy = join(checkout, 'scripts', 'node')
  copyFileSync(process.execPath, copy)
  return copy
}

/** An npm that fails with these words, as the real one would where that cannot be arranged. */
function failingNpm(words: string): Record<string, string> {
  const file = join(checkout, 'npm-cli.js')
  writeFileSync(file, `process.stderr.write(${JSON.stringify(words)}); process.exit(1)`)
  return { npm_execpath: file }
}

describe('a first start that cannot install ends with words a person can act on:', () => {
  test('no network, told by the real npm', async () => {
    const unreachable = {
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_cache: join(checkout, 'cache'),
      npm_config_fetch_retries: '0',
      npm_config_userconfig: join(checkout, 'npmrc'),
    }
    const { code, err } = await start({ env: unreachable })
    expect(err).toContain('The npm registry cannot be reached')
    expect(err).toContain('ECONNREFUSED')
    expect(code).toBe(1)
  })

  test.each([
    [
      'a full disk',
      'npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write',
      'The disk is full',
    ],
    ['a used-up quota', 'npm error code EDQUOT', 'The disk is full'],
    ['a cache of somebody else', 'npm error code EACCES\nnpm error path /home/x/.npm', '/home/x/.npm is not writable.'],
    ['a name server that is silent', 'npm error code EAI_AGAIN', 'The npm registry cannot be reached'],
    [
      'a connection cut off',
      'npm error code ECONNRESET\nnpm error network aborted',
      'The npm registry cannot be reached',
    ],
    ['anything else', 'npm error code EWHATEVER', 'Installing failed'],
  ])('%s, and what npm said', async (_, said, words) => {
    const { code, err } = await start({ env: failingNpm(said) })
    expect(err).toContain(words)
    expect(err).toContain(said)
    expect(code).toBe(1)
  })

  test('a disk without room, before npm tries', async () => {
    const pretend = `import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      fs.statfsSync = () => ({ bavail: 1000, bsize: 4096 })
      syncBuiltinESMExports()`
    const { code, err } = await start({ env: failingNpm('never asked'), pretend })
    expect(err).toContain('The disk is full')
    expect(err).not.toContain('never asked')
    expect(code).toBe(1)
  })

  test('no npm', async () => {
    const { code, err } = await start({ env: { PATH: join(checkout, 'nothing') } })
    expect(err).toContain('npm was not found beside Node')
    expect(code).toBe(1)
  })

  test('a folder that is not ours to write', async () => {
    const env = failingNpm('never asked')
    chmodSync(checkout, 0o555)
    const { code, err } = await start({ env, asNobody: isRoot })
    chmodSync(checkout, 0o755)
    expect(err).toContain(`${checkout} is not writable.`)
    expect(err).not.toContain('never asked')
    expect(code).toBe(1)
  })
})

/** An npm that says how it was called, and installs nothing. */
function tellingNpm(): Record<string, string> {
  const file = join(checkout, 'npm-cli.js')
  writeFileSync(file, `process.stderr.write('called: ' + process.argv.slice(2).join(' ')); process.exit(1)`)
  return { npm_execpath: file }
}

describe('packages of tests and development tools', () => {
  const lastInstall = (text: string) => {
    mkdirSync(join(checkout, 'node_modules'))
    writeFileSync(join(checkout, 'node_modules/.serai-installed'), text)
  }

  test.each(['start', 'serai', 'web'])('are not installed by %s', async (verb) => {
    expect((await start({ env: tellingNpm(), verb })).err).toMatch(/called: ci --omit=dev/)
  })

  test.each(['test', 'scripts/run.mjs'])('are installed by %s, also with NODE_ENV=production', async (verb) => {
    const { err } = await start({ env: { ...tellingNpm(), NODE_ENV: 'production' }, verb })
    expect(err).toMatch(/called: ci --include=dev/)
  })

  test('stay installed if a later start has to install again', async () => {
    lastInstall('of another lock file all')
    expect((await start({ env: tellingNpm() })).err).toMatch(/called: ci --include=dev/)
  })

  test('are left out again if a later start has to install again without them', async () => {
    lastInstall('of another lock file')
    expect((await start({ env: tellingNpm() })).err).toMatch(/called: ci --omit=dev/)
  })
})

test('the page is built with packages that npm start installs', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'web/package.json'), 'utf8'))
  const sources = ['web/src', 'packages/client/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|tsx|css)$/.test(file))
      .map((file) => join(ROOT, folder, file)),
  )
  const imported = [...sources, join(ROOT, 'web/vite.config.ts')].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import) ['"]((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name]) => name),
  )
  expect(imported).toContain('react')
  expect(new Set(imported.filter((name) => name !== 'node'))).toEqual(new Set(Object.keys(dependencies)))
})

describe('packages that somebody else installed', () => {
  const byHand = () => {
    mkdirSync(join(checkout, 'node_modules'))
    writeFileSync(join(checkout, 'node_modules/.package-lock.json'), '{}')
    mkdirSync(join(checkout, 'src/cli'), { recursive: true })
    writeFileSync(join(checkout, 'src/cli/serai.ts'), 'console.error("serai ran")')
  }

  test('are left alone by the command line: a service that runs from them would lose them', async () => {
    byHand()
    expect(await start({ env: tellingNpm(), verb: 'serai' })).toEqual({ code: 0, err: 'serai ran\n' })
  })

  test('are completed by npm start', async () => {
    byHand()
    expect((await start({ env: tellingNpm() })).err).toContain('called: ci')
  })
})

test('when npm is told to end, what it started ends too, though the shell between them passes nothing on', async () => {
  const npm = join(checkout, 'npm-cli.js')
  writeFileSync(npm, `import { mkdirSync } from 'node:fs'; mkdirSync('node_modules')`)
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ name: 'checkout', type: 'module' }))
  const program = `process.on('SIGTERM', () => { console.log('ended well'); process.exit(0) })
    console.log('started'); setTimeout(() => console.log('forgotten'), 20_000)`
  writeFileSync(join(checkout, 'scripts/server.js'), program)
  // As npm does it; the second command keeps this shell from handing its place to the first.
  const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/run.mjs scripts/server.js; true`], {
    cwd: checkout,
    env: { PATH: process.env.PATH ?? '', npm_execpath: npm },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  shell.stdout.on('data', (chunk) => {
    out += chunk
    if (String(chunk).includes('started')) shell.kill('SIGTERM')
  })
  await new Promise((done) => shell.stdout.once('close', done))
  expect(out).toContain('ended well')
})

describe('on a Node that is too old', () => {
  const OLD = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.0' } })
    Object.defineProperty(process, 'version', { value: 'v18.20.0' })`

  test.each([
    ['platform', `${OLD}; Object.defineProperty(process, 'platform', { value: 'aix' })`],
    ['processor', `${OLD}; Object.defineProperty(process, 'arch', { value: 'riscv64' })`],
  ])('a %s without a ready-made Node is told which one to install', async (_, pretend) => {
    const { code, err } = await start({ pretend, env: failingNpm('never asked') })
    expect(err).toContain('Serai needs Node 24 or newer; this is v18.20.0')
    expect(err).not.toContain('never asked')
    expect(code).toBe(1)
  })

  test('one that was fetched and does not run is not kept', async () => {
    const npm = join(checkout, 'npm-cli.js')
    // As on a full disk: npm is content, and the file is cut short.
    const cut = `const { mkdirSync, writeFileSync } = require('node:fs')
      const folder = 'node_modules/node-' + process.platform + '-' + process.arch + '/bin'
      mkdirSync(folder, { recursive: true })
      writeFileSync(folder + '/node', '', { mode: 0o755 })`
    writeFileSync(npm, cut)
    const { code, err } = await start({ pretend: OLD, env: { npm_execpath: npm } })
    expect(err).toContain('Node 24 was installed but does not run here')
    expect(existsSync(join(checkout, '.runtime/node_modules'))).toBe(false)
    expect(code).toBe(1)
  })

  test('the right one is fetched into the project; without a network that is told', async () => {
    const { code, err } = await start({ pretend: OLD, env: failingNpm('npm error code ENOTFOUND') })
    expect(err).toContain('The npm registry cannot be reached')
    expect(code).toBe(1)
  })
})
