/**
 * Vendors that respond at once: each request is forwarded to the sandbox the first time and answered from memory
 * afterwards, after a configurable pause. They cost almost nothing, so that a bench on two cores measures the service.
 */
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

type Answer = { readonly status: number; readonly headers: Record<string, string>; readonly body: Buffer }
export type ReplayOrder =
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'forget served' }
  | { readonly kind: 'served' }

const KEPT_HEADERS = ['content-type', 'content-encoding', 'link', 'pagination-total-results', 'expires']
/** A country in any vendor's format: a value of two capitals, in a query or in JSON. */
const COUNTRY = /(?<==)[A-Z]{2}(?=&| |$)|(?<=":")[A-Z]{2}(?=")/g
const origins = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>
const searchAddresses = JSON.parse(process.argv[3] ?? '[]') as string[]
const answers = new Map<string, Answer>()
let served: Answer[] = []
let pauseMs = 0
/** Vendors never respond at the same instant: the first one is the fastest. */
const FASTEST = 0.7
const vendorOrigins = Object.values(origins)
const paceFactor = (origin: string) =>
  FASTEST + ((1 - FASTEST) * vendorOrigins.indexOf(origin)) / Math.max(1, vendorOrigins.length - 1)

const listening = Object.entries(origins).map(
  ([name, origin]) =>
    new Promise<[string, string]>((resolve) => {
      const server = createServer(
        { keepAliveTimeout: 60_000 },
        (request, response) => void answer(origin, request, response),
      )
      server.listen(0, '127.0.0.1', () => {
        const address = server.address() as { port: number }
        resolve([name, `http://127.0.0.1:${address.port}`])
      })
    }),
)
process.send?.({ origins: Object.fromEntries(await Promise.all(listening)) })
process.on('disconnect', () => process.exit(0))
process.on('message', (order: ReplayOrder) => {
  if (order.kind === 'pause') pauseMs = order.ms
  if (order.kind === 'forget served') served = []
  process.send?.({ done: true, ...(order.kind === 'served' && { texts: served.map(decodeBody) }) })
})

async function answer(origin: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const isAvailability = searchAddresses.includes(`${request.method} ${request.url?.split('?', 1)[0]}`)
  // The response is the same for all countries, so that different requests find it in memory.
  const key = `${request.method} ${request.url} ${body.toString('latin1')}`.replace(COUNTRY, '')
  const known = answers.get(key) ?? (await forward(origin, request, body))
  if (isAvailability && known.status === 200) {
    answers.set(key, known)
    served.push(known)
    if (pauseMs > 0) await sleep(pauseMs * paceFactor(origin))
  }
  response.writeHead(known.status, { ...known.headers, 'content-length': String(known.body.length) })
  response.end(known.body)
}

function forward(origin: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = ask(new URL(url ?? '/', origin), { method, headers }, async (reply) => {
      const chunks: Buffer[] = []
      for await (const chunk of reply) chunks.push(chunk as Buffer)
      const kept = KEPT_HEADERS.flatMap((name) => {
        const value = reply.headers[name]
        return value === undefined ? [] : [[name, String(value)]]
      })
      resolve({ status: reply.statusCode ?? 502, headers: Object.fromEntries(kept), body: Buffer.concat(chunks) })
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

const decodeBody = ({ headers, body }: Answer) =>
  (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8')
