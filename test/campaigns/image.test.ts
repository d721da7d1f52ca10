import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { spawnServer } from '../support/servers/server-process.ts'
import { KNOWN_VARIABLES, manifest, REPOSITORY, readText, TEST_SECRETS } from '../unit/deploy/deploy-files.ts'

const lines = readText('Dockerfile')
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const instructions = (word: string) =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1).trim())
const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
const dataDir = mkdtempSync(join(tmpdir(), 'serai-image-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** A start takes a second, but much longer on a busy machine. */
const START_TIMEOUT_MS = 60_000

/** Runs a command like the container: inherits only PATH and the compile cache. */
const run = (command: readonly string[], env: Record<string, string>, cwd = REPOSITORY, asNobody = false) =>
  spawnSync(process.execPath, command.slice(1), {
    cwd,
    ...(asNobody ? { uid: 65_534, gid: 65_534 } : {}),
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      NODE_ENV: 'production',
      SERAI_DATA_DIR: dataDir,
      PORT: '0',
      ...env,
    },
    timeout: START_TIMEOUT_MS,
  })

test('npm start, the image, the systemd unit, the benchmark and the documentation set the same memory options', () => {
  const optionsIn = (file: string) =>
    Object.fromEntries(
      [...readText(file).matchAll(/(--max-semi-space-size|MALLOC_[A-Z_]+)(?:=|: ')(\d+)/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
  const started = optionsIn('scripts/run.mjs')
  expect(Object.keys(started)).toHaveLength(4)
  for (const file of ['Dockerfile', 'bench/support/servers.ts', 'docs/deploying.md'])
    expect(optionsIn(file), file).toEqual(started)
  const unit = { ...optionsIn('deploy/systemd/serai.service'), ...optionsIn('deploy/systemd/serai.env.example') }
  expect(unit).toEqual(started)
})

test('every path copied into the image exists and is not ignored by the build', () => {
  const ignored = readText('.dockerignore').split('\n')
  const sources = instructions('COPY')
    .filter((copy) => !copy.startsWith('--from='))
    .flatMap((copy) => copy.split(/\s+/).slice(0, -1))
  expect(sources).toEqual(expect.arrayContaining(['src', 'data', 'docs', 'web', 'package.json', 'package-lock.json']))
  for (const source of sources) {
    expect(existsSync(join(REPOSITORY, source)), source).toBe(true)
    expect(ignored, source).toContain(`!${source}`)
  }
  expect(ignored[1]).toBe('*')
})

test('the image has one pinned base and no development packages, and does not run as root', () => {
  const bases = instructions('FROM').map((from) => from.split(' ')[0])
  expect(bases).toEqual(['docker.io/library/node:26-bookworm-slim', 'base', 'base', 'base'])
  expect(lastStage.join('\n')).toContain('COPY --from=packages /app/node_modules node_modules')
  expect(lines.some((line) => /npm ci --omit=dev --ignore-scripts/.test(line))).toBe(true)
  expect(lastStage).toContain('USER 1000:1000')
})

test('the variables of the image are known to the service and contain no secret', () => {
  const names = instructions('ENV').flatMap((env) => [...env.matchAll(/(\w+)=/g)].map(([, name]) => name ?? ''))
  expect(names.filter((name) => !KNOWN_VARIABLES.has(name))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['NODE_ENV', 'HOST', 'PORT', 'SERAI_DATA_DIR']))
  expect(names).not.toContain('SERAI_SECRETS')
})

test('the server imports no development package', () => {
  const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: Record<string, string> }
  const files = readdirSync(join(REPOSITORY, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const packages = files.flatMap((file) =>
    [
      ...readFileSync(join(REPOSITORY, 'src', file), 'utf8').matchAll(
        /^(?:import|export)(?! type\b)[^'"]*?from '([^.'][^']*)'|^import '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gms,
      ),
    ].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? ''),
  )
  const getPackageName = (path: string) =>
    path
      .split('/')
      .slice(0, path.startsWith('@') ? 2 : 1)
      .join('/')
  const missing = new Set(
    packages
      .filter((path) => !path.startsWith('node:') && !builtinModules.includes(path))
      .map(getPackageName)
      .filter((name) => dependencies[name] === undefined),
  )
  expect(packages.length).toBeGreaterThan(100)
  expect([...missing]).toEqual([])
})

test('only the two files that start the sandbox import it, and they are imported only on demand', () => {
  const starters = ['process/spawn-sandbox.ts', 'process/sandbox-process.ts']
  const imports = readdirSync(join(REPOSITORY, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !starters.includes(file))
    .flatMap((file) =>
      [...readText(`src/${file}`).matchAll(/^(?:import|export)(?! type\b)(?:[^'"(]*?\bfrom)? '(\.[^']+)'/gm)].map(
        ([, path]) => `${file} imports ${path}`,
      ),
    )
  expect(imports.length).toBeGreaterThan(300)
  expect(imports.filter((line) => /\/sandbox\/|spawn-sandbox|sandbox-process/.test(line))).toEqual([])
})

test('without the sandbox folder the service loads, and enabling the sandbox fails with the reason', {
  timeout: 2 * START_TIMEOUT_MS,
}, () => {
  for (const folder of ['sandbox', 'certify']) {
    expect(instructions('COPY').join(' ')).not.toContain(folder)
    expect(readText('.dockerignore')).not.toContain(folder)
  }
  const image = join(dataDir, 'image')
  for (const path of ['src', 'package.json']) cpSync(join(REPOSITORY, path), join(image, path), { recursive: true })
  for (const path of ['data', 'docs', 'node_modules']) symlinkSync(join(REPOSITORY, path), join(image, path))
  const load = ['node', '-e', "import('./src/process/serve.ts').then(() => import('./src/compose/app.ts'))"]
  expect(run(load, {}, image)).toMatchObject({ status: 0, stderr: '' })
  const wanted = { SERAI_SECRETS: TEST_SECRETS, SERAI_SANDBOX: 'true' }
  const { status, stderr } = run(['node', 'src/cli/serai.ts', 'serve'], wanted, image)
  expect(status).toBe(1)
  expect(stderr).toContain('This installation has no sandbox. Set SERAI_SANDBOX=false')
})

test('the command of the migration job works in an empty data directory and can be repeated', {
  timeout: 2 * START_TIMEOUT_MS,
}, () => {
  const [container] = manifest('migrate/job.yaml').spec.template.spec.containers
  const command = container?.command ?? []
  expect(run(command, { SERAI_SECRETS: TEST_SECRETS })).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Migrated'),
  })
  expect(run(command, { SERAI_SECRETS: TEST_SECRETS })).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('up to date'),
  })
})

test("the image's command refuses to serve without a secret", { timeout: START_TIMEOUT_MS }, () => {
  const command = JSON.parse(instructions('CMD').at(-1) ?? '[]') as string[]
  const [container] = manifest('deployment.yaml').spec.template.spec.containers
  expect(container?.command).toEqual(command)
  const { status, stderr } = run(command, {})
  expect(status).toBe(1)
  expect(stderr).toContain('SERAI_SECRETS is not set')
})

/** Mounted by every Linux system, writable for everybody, and in memory. */
const TMPFS = '/dev/shm'

test('in a tmpfs the server starts, and warns that bookings are lost when it ends', {
  timeout: START_TIMEOUT_MS,
}, async () => {
  const folder = mkdtempSync(join(TMPFS, 'serai-'))
  const env = { NODE_ENV: 'production', SERAI_SECRETS: TEST_SECRETS, SERAI_WORKERS: '1', SERAI_DRAIN_MS: '0' }
  const server = spawnServer({ dataDir: folder, port: 0, env })
  await server.ready
  await expect.poll(() => server.output()).toContain(`${folder} is in memory`)
  expect(await server.stop()).toBe(0)
  rmSync(folder, { recursive: true })
})

test('a tmpfs that belongs to root is writable for the user of the image', () => {
  // Docker mounts it with the mode of the folder in the image.
  expect(lastStage.join('\n')).toMatch(/install -d -o node -g node -m 1777 \/data/)
})

test('in a folder of another user the server says what is wrong and does not start', {
  timeout: START_TIMEOUT_MS,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'serai-closed-'))
  chmodSync(folder, 0o555)
  const command = ['node', 'src/cli/serai.ts', 'serve']
  const isRoot = process.getuid?.() === 0
  const { status, stderr } = run(command, { SERAI_SECRETS: TEST_SECRETS, SERAI_DATA_DIR: folder }, REPOSITORY, isRoot)
  expect(status).toBe(1)
  expect(stderr).toMatch(new RegExp(`^${folder}/serai\\.db cannot be written by user \\d+\\. .*SERAI_DATA_DIR`, 'm'))
  rmSync(folder, { recursive: true })
})

test('the health check of the image passes only if the server is live', { timeout: START_TIMEOUT_MS }, () => {
  const check = /CMD (\[.*\])$/.exec(instructions('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]'
  const [program, flag, script = ''] = JSON.parse(check) as string[]
  expect([program, flag]).toEqual(['node', '-e'])
  expect(script).toContain('/healthz')
  const serveOnce = (status: number) =>
    `require('node:http').createServer((q, s) => { s.writeHead(q.url === '/healthz' ? ${status} : 404); s.end() }).listen(0, '127.0.0.1', function () { process.env.PORT = String(this.address().port); ${script} })`
  expect(run(['node', '-e', serveOnce(200)], {}).status).toBe(0)
  expect(run(['node', '-e', serveOnce(503)], {}).status).toBe(1)
  expect(run(['node', '-e', script], { PORT: '1' }).status).toBe(1)
})
