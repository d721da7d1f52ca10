/**
 * Load from a process of its own. A request is bytes made once, an answer is read as far as its length: whatever the client
 * did beyond that would be taken from a server that is quicker than the client.
 */
import { fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { percentile } from './figures.ts'

export type Load = {
  readonly url: string
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly seconds: number
  readonly connections: number
}
export type Loaded = {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}
export type Generator = { readonly pid: number; run(load: Load): Promise<Loaded>; close(): void }

export function startGenerator(): Generator {
  const child = fork(new URL(import.meta.url), { execArgv: [] })
  return {
    pid: child.pid ?? 0,
    run: (load) =>
      new Promise((resolve, reject) => {
        child.removeAllListeners()
        child.once('exit', (code) => reject(new Error(`the load generator ended with ${code}`)))
        child.once('message', (said: Loaded | { error: string }) =>
          'error' in said ? reject(new Error(said.error)) : resolve(said),
        )
        child.send(load)
      }),
    close() {
      child.removeAllListeners()
      child.kill()
    },
  }
}

async function generate({ url, paths, headers, seconds, connections }: Load): Promise<Loaded> {
  const { host, hostname, port } = new URL(url)
  const head = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${head.join('')}\r\n`))
  const times: number[] = []
  const startedAt = performance.now()
  const until = startedAt + seconds * 1_000
  let next = 0
  const take = () => {
    if (performance.now() >= until) return undefined
    next += 1
    return requests[next % requests.length]
  }
  await Promise.all(Array.from({ length: connections }, () => lane(connect(Number(port), hostname), take, times)))
  const tookS = (performance.now() - startedAt) / 1_000
  return { requests: times.length, seconds: tookS, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) }
}

/** One connection: the next request goes out when the last answer is in. */
function lane(socket: Socket, take: () => Buffer | undefined, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let missing = 0
    let head: Buffer | undefined
    const send = () => {
      const request = take()
      if (request === undefined) {
        socket.destroy()
        resolve()
        return
      }
      sentAt = performance.now()
      socket.write(request)
    }
    socket.setNoDelay(true)
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('end', () => reject(new Error('the server hung up')))
    socket.on('data', (chunk) => {
      if (missing > 0) missing -= chunk.length
      else {
        head = head === undefined ? chunk : Buffer.concat([head, chunk])
        const bodyAt = head.indexOf('\r\n\r\n') + 4
        if (bodyAt < 4) return
        const text = head.toString('latin1', 0, bodyAt)
        const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
        if (!text.startsWith('HTTP/1.1 200') || length === undefined) {
          reject(new Error(`not an answer to measure: ${head.toString('utf8', 0, 400)}`))
          socket.destroy()
          return
        }
        missing = Number(length) - (head.length - bodyAt)
        head = undefined
      }
      if (missing > 0) return
      times.push(performance.now() - sentAt)
      send()
    })
  })
}

if (import.meta.main) {
  process.on('message', (load: Load) => {
    generate(load).then(
      (loaded) => process.send?.(loaded),
      (error: Error) => process.send?.({ error: error.message }),
    )
  })
}
