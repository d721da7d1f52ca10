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
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0

/** A checkout that needs one package and has none installed. */
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
  /** Code that runs before the script, to simulate another machine. */
  readonly pretend?: string
  /** Drops privileges, because root may write anywhere. */
  readonly unprivileged?: boolean
  readonly verb?: string
}

/** Runs `npm start` or another script in the checkout, without npm's own environment variables. */
function start({ env = {}, pretend, unprivileged = false, verb = 'start' }: Options = {}): Promise<Ended> {
  const before = pretend === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`]
  const child = spawn(
    unprivileged ? findReadableNode() : process.execPath,
    [...before, join(checkout, 'scripts/run.mjs'), verb],
    {
      cwd: checkout,
      env: { PATH: process.env.PATH ?? '', HOME: checkout, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(unprivileged ? UNPRIVILEGED : {}),
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

/** Copies Node if it is below root's home, which other users cannot read. */
function findReadableNode(): string {
  if (spawnSync(process.execPath, ['--version'], UNPRIVILEGED).status === 0) return process.execPath
  const copy = join(checkout, 'scripts', 'node')
  copyFileSync(process.execPath, copy)
  return copy
}

/** A fake npm that fails with this message. */
function createFailingNpm(words: string): Record<string, string> {
  const file = join(checkout, 'npm-cli.js')
  writeFileSync(file, `process.stderr.write(${JSON.stringify(words)}); process.exit(1)`)
  return { npm_execpath: file }
}

describe('a first start that cannot install', () => {
  test('a first start without a network fails with the error of the real npm', async () => {
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
    ['a cache of another user', 'npm error code EACCES\nnpm error path /home/x/.npm', '/home/x/.npm is not writable.'],
    ['a name server that does not answer', 'npm error code EAI_AGAIN', 'The npm registry cannot be reached'],
    ['a lost connection', 'npm error code ECONNRESET\nnpm error network aborted', 'The npm registry cannot be reached'],
    ['anything else', 'npm error code EWHATEVER', 'Installing failed'],
  ])('a first start that fails by %s prints the cause and the output of npm', async (_, output, cause) => {
    const { code, err } = await start({ env: createFailingNpm(output) })
    expect(err).toContain(cause)
    expect(err).toContain(output)
    expect(code).toBe(1)
  })

  test('a first start on a full disk fails before npm is called', async () => {
    const pretend = `import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      fs.statfsSync = () => ({ bavail: 1000, bsize: 4096 })
      syncBuiltinESMExports()`
    const { code, err } = await start({ env: createFailingNpm('never called'), pretend })
    expect(err).toContain('The disk is full')
    expect(err).not.toContain('never called')
    expect(code).toBe(1)
  })

  test('a first start without npm fails', async () => {
    const { code, err } = await start({ env: { PATH: join(checkout, 'nothing') } })
    expect(err).toContain('npm was not found beside Node')
    expect(code).toBe(1)
  })

  test('a first start in a read-only folder fails before npm is called', async () => {
    const env = createFailingNpm('never called')
    chmodSync(checkout, 0o555)
    const { code, err } = await start({ env, unprivileged: isRoot })
    chmodSync(checkout, 0o755)
    expect(err).toContain(`${checkout} is not writable.`)
    expect(err).not.toContain('never called')
    expect(code).toBe(1)
  })
})

/** A fake npm that prints its arguments and installs nothing. */
function createPrintingNpm(): Record<string, string> {
  const file = join(checkout, 'npm-cli.js')
  writeFileSync(file, `process.stderr.write('called: ' + process.argv.slice(2).join(' ')); process.exit(1)`)
  return { npm_execpath: file }
}

describe('packages of tests and development tools', () => {
  const lastInstall = (text: string) => {
    mkdirSync(join(checkout, 'node_modules'))
    writeFileSync(join(checkout, 'node_modules/.serai-installed'), text)
  }

  test.each(['start', 'serai', 'web'])('development packages are not installed by %s', async (verb) => {
    expect((await start({ env: createPrintingNpm(), verb })).err).toMatch(/called: ci --omit=dev/)
  })

  test.each(['test', 'scripts/run.mjs'])(
    'development packages are installed by %s, even with NODE_ENV=production',
    async (verb) => {
      const { err } = await start({ env: { ...createPrintingNpm(), NODE_ENV: 'production' }, verb })
      expect(err).toMatch(/called: ci --include=dev/)
    },
  )

  test('development packages stay installed if a later start installs again', async () => {
    lastInstall('of another lock file all')
    expect((await start({ env: createPrintingNpm() })).err).toMatch(/called: ci --include=dev/)
  })

  test('development packages stay out if a later start installs again without them', async () => {
    lastInstall('of another lock file')
    expect((await start({ env: createPrintingNpm() })).err).toMatch(/called: ci --omit=dev/)
  })
})

test('the page imports only packages that npm start installs', () => {
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

describe('packages installed by hand', () => {
  const installByHand = () => {
    mkdirSync(join(checkout, 'node_modules'))
    writeFileSync(join(checkout, 'node_modules/.package-lock.json'), '{}')
    mkdirSync(join(checkout, 'src/cli'), { recursive: true })
    writeFileSync(join(checkout, 'src/cli/serai.ts'), 'console.error("serai ran")')
  }

  test('the command line does not replace packages installed by hand, which a running service may use', async () => {
    installByHand()
    expect(await start({ env: createPrintingNpm(), verb: 'serai' })).toEqual({ code: 0, err: 'serai ran\n' })
  })

  test('npm start completes packages installed by hand', async () => {
    installByHand()
    expect((await start({ env: createPrintingNpm() })).err).toContain('called: ci')
  })
})

test('the started program ends with npm, even if the shell between them forwards no signal', async () => {
  const npm = join(checkout, 'npm-cli.js')
  writeFileSync(npm, `import { mkdirSync } from 'node:fs'; mkdirSync('node_modules')`)
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ name: 'checkout', type: 'module' }))
  const program = `process.on('SIGTERM', () => { console.log('ended well'); process.exit(0) })
    console.log('started'); setTimeout(() => console.log('forgotten'), 20_000)`
  writeFileSync(join(checkout, 'scripts/server.js'), program)
  // Like npm does. The second command keeps the shell from replacing itself by the first.
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
  ])('an old Node on a %s without a ready-made Node fails with the version to install', async (_, pretend) => {
    const { code, err } = await start({ pretend, env: createFailingNpm('never called') })
    expect(err).toContain('Serai needs Node 26 or newer; this is v18.20.0')
    expect(err).not.toContain('never called')
    expect(code).toBe(1)
  })

  test('a downloaded Node that does not run is removed', async () => {
    const npm = join(checkout, 'npm-cli.js')
    // Like on a full disk: npm succeeds, but the file is truncated.
    const cut = `const { mkdirSync, writeFileSync } = require('node:fs')
      const folder = 'node_modules/node-' + process.platform + '-' + process.arch + '/bin'
      mkdirSync(folder, { recursive: true })
      writeFileSync(folder + '/node', '', { mode: 0o755 })`
    writeFileSync(npm, cut)
    const { code, err } = await start({ pretend: OLD, env: { npm_execpath: npm } })
    expect(err).toContain('Node 26 was installed but does not run here')
    expect(existsSync(join(checkout, '.runtime/node_modules'))).toBe(false)
    expect(code).toBe(1)
  })

  test('the download of the right Node fails with the reason without a network', async () => {
    const { code, err } = await start({ pretend: OLD, env: createFailingNpm('npm error code ENOTFOUND') })
    expect(err).toContain('The npm registry cannot be reached')
    expect(code).toBe(1)
  })
})
