import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../../scripts/system-packages.ts'
import { freePort, identity } from './postgres.ts'

export type PgBouncer = {
  readonly url: string
  /** Sends all new connections to another server. */
  pointAt(port: number): void
  stop(): Promise<void>
}

const PROGRAM = findProgram('pgbouncer', '/usr/sbin/pgbouncer')
export const hasPgBouncer = PROGRAM !== undefined

/** The recommended settings. */
const [, SETTINGS = ''] = /```ini\n([^`]*)```/.exec(readFileSync('docs/operating/availability.md', 'utf8')) ?? []

const configure = (listenPort: number, port: number) => `
[databases]
postgres = host=127.0.0.1 port=${port} user=serai
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
default_pool_size = 20
${SETTINGS}`

/** Starts PgBouncer in front of a server, on a free loopback port. */
export async function startPgBouncer(port: number): Promise<PgBouncer> {
  if (PROGRAM === undefined) throw new Error('pgbouncer is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'serai-pgbouncer-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const listenPort = await freePort()
  writeFileSync(file, configure(listenPort, port))
  const server: ChildProcess = spawn(PROGRAM, ['-q', file], { ...identity, stdio: 'ignore' })
  const gone = new Promise((done) => server.once('exit', done))
  for (let tries = 0; !(await isListening(listenPort)); tries += 1) {
    if (tries > 100) throw new Error('PgBouncer did not come up within 5 s')
    await new Promise((later) => setTimeout(later, 50))
  }
  return {
    url: `postgres://serai@127.0.0.1:${listenPort}/postgres`,
    pointAt(next) {
      writeFileSync(file, configure(listenPort, next))
      server.kill('SIGHUP')
    },
    async stop() {
      server.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true))
    socket.once('error', () => done(false))
    socket.once('close', () => done(false))
    socket.setTimeout(1_000, () => socket.destroy())
    socket.once('connect', () => socket.destroy())
  })
