/**
 * Load from a separate process. Requests are created once, and responses are read only as far as their length: any
 * further client work would limit a server that is faster than the client.
 */
import { fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { percentile } from './figures.ts'

type Headers = Readonly<Record<string, string>>
export type Post = { readonly path: string; readonly headers: Headers; readonly body: unknown }
type Load = {
  readonly url: string
  readonly headers: Headers
  readonly connections: number
  /** Paths to request repeatedly in turn, or requests to send once each. */
  readonly work: { readonly paths: readonly string[]; readonly seconds: number } | { readonly posts: readonly Post[] }
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
        child.once('message', (message: Loaded | { error: string }) =>
          'error' in message ? reject(new Error(message.error)) : resolve(message),
        )
        child.send(load)
      }),
    close() {
      child.removeAllListeners()
      child.kill()
    },
  }
}

async function generate({ url, headers, connections, work }: Load): Promise<Loaded> {
  const { host, hostname, port } = new URL(url)
  const nextRequest =
    'posts' in work ? sendEachOnce(work.posts, { host, ...headers }) : cyclePaths(work, { host, ...headers })
  const times: number[] = []
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, () => lane(() => connect(Number(port), hostname), nextRequest, times)),
  )
  const tookS = (performance.now() - startedAt) / 1_000
  return { requests: times.length, seconds: tookS, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) }
}

type NextRequest = () => Buffer | undefined

function cyclePaths(
  { paths, seconds }: { readonly paths: readonly string[]; readonly seconds: number },
  headers: Headers,
): NextRequest {
  const requests = paths.map((path) => encodeRequest('GET', path, headers))
  const until = performance.now() + seconds * 1_000
  let next = 0
  return () => {
    if (performance.now() >= until) return undefined
    next += 1
    return requests[next % requests.length]
  }
}

function sendEachOnce(posts: readonly Post[], headers: Headers): NextRequest {
  const requests = posts.map((post) => {
    const body = JSON.stringify(post.body)
    const bodyHeaders = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    return encodeRequest('POST', post.path, { ...headers, ...post.headers, ...bodyHeaders }, body)
  })
  return () => requests.pop()
}

function encodeRequest(method: string, path: string, headers: Headers, body = ''): Buffer {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`)
}

/** The next request is sent when the previous response has arrived, on a new connection if the server ends this one. */
function lane(open: () => Socket, nextRequest: NextRequest, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = open()
    let sentAt = 0
    let missing = 0
    let isLast = false
    let head: Buffer | undefined
    const send = () => {
      const request = nextRequest()
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
    socket.on('end', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk: Buffer) => {
      if (missing > 0) missing -= chunk.length
      else {
        head = head === undefined ? chunk : Buffer.concat([head, chunk])
        const bodyAt = head.indexOf('\r\n\r\n') + 4
        if (bodyAt < 4) return
        const text = head.toString('latin1', 0, bodyAt)
        const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
        if (!text.startsWith('HTTP/1.1 20') || length === undefined) {
          reject(new Error(`unexpected response: ${head.toString('utf8', 0, 400)}`))
          socket.destroy()
          return
        }
        isLast = /\r\nconnection: close\r\n/i.test(text)
        missing = Number(length) - (head.length - bodyAt)
        head = undefined
      }
      if (missing > 0) return
      times.push(performance.now() - sentAt)
      if (!isLast) return send()
      socket.destroy()
      lane(open, nextRequest, times).then(resolve, reject)
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
