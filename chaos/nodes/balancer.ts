import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Balancer = {
  readonly url: string
  /** Which backends it would send a request to now. */
  ready(): readonly string[]
  close(): Promise<void>
}

const LOOK_EVERY_MS = 100
const LOOK_TIMEOUT_MS = 2_000
const REFUSALS_MAX = 3
const SILENCE = 'no answer'

/**
 * As little as any balancer does: asks `/readyz`, sends to those that say yes, in turn. It never tries a request twice, so
 * that whatever a restart costs is seen.
 */
export async function startBalancer(backends: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const ready = new Set<string>()
  const refusals = new Map<string, number>()
  let turn = 0

  /** Who drains or is gone gets nothing more; any other no may be a busy machine's, so it counts the third time. */
  const judge = (backend: string, says: 'yes' | 'no' | 'gone') => {
    const noes = says === 'no' ? (refusals.get(backend) ?? 0) + 1 : 0
    refusals.set(backend, noes)
    if (says === 'yes') ready.add(backend)
    else if (says === 'gone' || noes >= REFUSALS_MAX) ready.delete(backend)
  }
  const look = (backend: string) =>
    new Promise<void>((done) => {
      const asked = get(`${backend}/readyz`, { agent: false, timeout: LOOK_TIMEOUT_MS }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('close', () => {
          const isDraining = Buffer.concat(chunks).includes('draining')
          judge(backend, answer.statusCode === 200 ? 'yes' : isDraining ? 'gone' : 'no')
          done()
        })
      })
      asked.on('timeout', () => asked.destroy(new Error(SILENCE)))
      asked.on('error', (error) => {
        judge(backend, error.message === SILENCE ? 'no' : 'gone')
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
    if (backend === undefined) {
      refuse(outgoing, 503, 'no_backend')
      return
    }
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
