import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Balancer = {
  readonly url: string
  /** Backends that currently receive requests. */
  ready(): readonly string[]
  close(): Promise<void>
}

const PROBE_INTERVAL_MS = 100
const PROBE_TIMEOUT_MS = 2_000
const FAILURES_MAX = 3
const PROBE_TIMED_OUT = 'no answer'

/**
 * A minimal balancer: polls `/readyz` and distributes requests to ready backends in turn. It never retries, so that the
 * cost of a restart is visible.
 */
export async function startBalancer(backends: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const ready = new Set<string>()
  const failures = new Map<string, number>()
  let turn = 0

  /**
   * A backend that drains or is gone is removed at once. Any other failure may be a busy machine, so the third
   * one in a row removes it.
   */
  const updateBackend = (backend: string, result: 'ready' | 'failed' | 'gone') => {
    const failureCount = result === 'failed' ? (failures.get(backend) ?? 0) + 1 : 0
    failures.set(backend, failureCount)
    if (result === 'ready') ready.add(backend)
    else if (result === 'gone' || failureCount >= FAILURES_MAX) ready.delete(backend)
  }
  const probe = (backend: string) =>
    new Promise<void>((done) => {
      const outgoing = get(`${backend}/readyz`, { agent: false, timeout: PROBE_TIMEOUT_MS }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('close', () => {
          const isDraining = Buffer.concat(chunks).includes('draining')
          updateBackend(backend, answer.statusCode === 200 ? 'ready' : isDraining ? 'gone' : 'failed')
          done()
        })
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error(PROBE_TIMED_OUT)))
      outgoing.on('error', (error) => {
        updateBackend(backend, error.message === PROBE_TIMED_OUT ? 'failed' : 'gone')
        done()
      })
    })
  let closed = false
  const watching = backends.map(async (backend) => {
    while (!closed) {
      await probe(backend)
      await new Promise((later) => setTimeout(later, PROBE_INTERVAL_MS))
    }
  })

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const choice = backends.filter((backend) => ready.has(backend))
    turn += 1
    const backend = choice[turn % choice.length]
    if (backend === undefined) {
      refuse(outgoing, 503, 'no_backend')
      return
    }
    const { method, headers } = incoming
    const forwarded = request(new URL(incoming.url ?? '/', backend), { agent, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    forwarded.on('error', () => (outgoing.headersSent ? outgoing.destroy() : refuse(outgoing, 502, 'bad_gateway')))
    incoming.pipe(forwarded)
  }

  const server = createServer(forward)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => [...ready],
    async close() {
      closed = true
      server.closeAllConnections()
      server.close()
      agent.destroy()
      await Promise.all(watching)
    },
  }
}

function refuse(outgoing: ServerResponse, status: number, code: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ code }))
}
