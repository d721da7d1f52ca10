import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** Requests to send at a steady rate: `perSecond` are started even if earlier ones are not answered. */
export type Pace = {
  readonly path: string
  /** Sent in turn. */
  readonly bodies: readonly unknown[]
  readonly times: number
  readonly perSecond: number
  /** Requests events and measures the time of the first properties. */
  readonly stream?: boolean
  /** `accept-encoding`. */
  readonly encoding?: string
}
export type Paced = {
  readonly requestId: string
  /** 0 if the connection was closed before a response, which happens under excessive load. */
  readonly status: number
  readonly bytes: number
  readonly ms: number
  /** Time until the first `properties` event; NaN if there is none. */
  readonly firstMs: number
}

export type PacedClient = ReturnType<typeof startPacedClient>

/** A client in a separate thread that reads responses and discards them. */
export function startPacedClient(url: string, token: string) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, pacedToken: token } })
  return {
    send: (pace: Pace): Promise<Paced[]> =>
      new Promise((resolve, reject) => {
        worker.removeAllListeners()
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.postMessage(pace)
      }),
    close: async () => void (await worker.terminate()),
  }
}

let count = 0

function send(
  agent: Agent,
  url: string,
  token: string,
  { path, stream = false, encoding }: Pace,
  body: unknown,
): Promise<Paced> {
  count += 1
  const requestId = `bench-${count}`
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const resolveLost = () =>
      resolve({ requestId, status: 0, bytes: 0, ms: performance.now() - startedAt, firstMs: Number.NaN })
    const headers = {
      authorization: `bearer: ${token}`,
      'content-type': 'application/json',
      'x-request-id': requestId,
      ...(stream && { accept: 'text/event-stream' }),
      ...(encoding !== undefined && { 'accept-encoding': encoding }),
    }
    const outgoing = request(new URL(path, url), { method: 'POST', agent, headers }, (reply) => {
      let bytes = 0
      let firstMs = Number.NaN
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (stream && Number.isNaN(firstMs) && chunk.includes('event: properties'))
          firstMs = performance.now() - startedAt
      })
      reply.once('end', () =>
        resolve({ requestId, status: reply.statusCode ?? 0, bytes, ms: performance.now() - startedAt, firstMs }),
      )
      reply.once('error', resolveLost)
    })
    outgoing.once('error', resolveLost)
    outgoing.end(JSON.stringify(body))
  })
}

if (!isMainThread && parentPort !== null && workerData?.pacedToken !== undefined) {
  const { url, pacedToken } = workerData as { url: string; pacedToken: string }
  const port = parentPort
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  port.on('message', async (pace: Pace) => {
    const startedAt = performance.now()
    const answers: Promise<Paced>[] = []
    for (let index = 0; index < pace.times; index += 1) {
      await sleep(Math.max(0, startedAt + (index * 1_000) / pace.perSecond - performance.now()))
      answers.push(send(agent, url, pacedToken, pace, pace.bodies[index % pace.bodies.length]))
    }
    port.postMessage(await Promise.all(answers))
  })
}
