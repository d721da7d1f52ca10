import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './postgres.ts'

export type RedisServer = {
  readonly url: string
  readonly port: number
  /** Kills it at once; all its data is lost. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Accepts connections but does not answer until it is resumed. */
  freeze(): void
  resume(): void
  stop(): Promise<void>
}

const PROGRAM = ['valkey-server', 'redis-server'].find(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0,
)

export const hasRedis = PROGRAM !== undefined

/** Starts Redis without persistence on a free loopback port. `readSettings` gets its folder. */
export async function startRedis(readSettings: (folder: string) => readonly string[] = () => []): Promise<RedisServer> {
  if (PROGRAM === undefined) throw new Error('redis-server is not installed')
  const program = PROGRAM
  const folder = mkdtempSync(join(tmpdir(), 'serai-redis-'))
  const port = await freePort()
  const more = readSettings(folder)
  let server: ChildProcess | undefined
  async function start(): Promise<void> {
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    server = spawn(program, [...more, ...settings], { stdio: 'ignore' })
    await waitUntilAnswering(port)
  }
  async function kill(): Promise<void> {
    const child = server
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    child.kill('SIGKILL')
    await gone
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    kill,
    freeze: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function waitUntilAnswering(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await answersPing(port)) return
    await new Promise((later) => setTimeout(later, 50))
  }
  throw new Error('Redis did not come up within 10 s')
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const finish = (answer: boolean) => {
      socket.destroy()
      done(answer)
    }
    socket.once('data', (chunk) => finish(chunk.toString().startsWith('+PONG')))
    socket.once('error', () => finish(false))
    socket.setTimeout(1_000, () => finish(false))
  })
}
