import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Balancer = {
  readonly url: string
  /** Which backends it would send a request to now. */
  ready(): readonly string[]
  close(): Promise<void>
}

const LOOK_EVERY_MS = 100

/**
 * As little as any balancer does: asks `/readyz`, sends to those that say yes, in turn. It never tries a request twice, so
 * that whatever a restart costs is seen.
 */
export async function startBalancer(backends: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const ready = new Set<string>()
  let turn = 0

  const look = (backend: string) =>
    new Promise<void>((done) => {
      const asked = get(`${backend}/readyz`, { agent: false, timeout: 2_000 }, (answer) => {
        if (answer.statusCode === 200) ready.add(backend)
        else ready.delete(backend)
        answer.resume().on('close', done)
      })
      asked.on('timeout', () => asked.destroy())
      asked.on('error', () => {
        ready.delete(backend)
        done()
      })
    })
  let closed = false
  const watching = backends.map(async (backend) => {
    while (!closed) {
      await look(backend)
      await new Promise((later) => setTimeout(later, LOOK_EVERY_MS))
    }
  })

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const choice = backends.filter((backend) => ready.has(backend))
    turn += 1
    const backend = choice[turn % choice.length]
    if (backend === undefined) return refuse(outgoing, 503, 'no_backend')
    const { method, headers } = incoming
    const sent = request(new URL(incoming.url ?? '/', backend), { agent, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    sent.on('error', () => (outgoing.headersSent ? outgoing.destroy() : refuse(outgoing, 502, 'bad_gateway')))
    incoming.pipe(sent)
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
