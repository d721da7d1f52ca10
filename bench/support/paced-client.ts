import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** What to send, and how often: `perSecond` starts whether or not the ones before are answered. */
export type Pace = {
  readonly path: string
  /** Sent in turn. */
  readonly bodies: readonly unknown[]
  readonly times: number
  readonly perSecond: number
  /** Ask for events, and note when the first properties come. */
  readonly stream?: boolean
}
export type Paced = {
  readonly requestId: string
  /** 0 where the connection was closed before an answer, as happens under far too much load. */
  readonly status: number
  readonly bytes: number
  readonly ms: number
  /** Until the first `properties` event; NaN where there is none. */
  readonly firstMs: number
}

export type PacedClient = ReturnType<typeof startPacedClient>

/** A client in a thread of its own that reads answers and forgets them. */
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

function send(agent: Agent, url: string, token: string, { path, stream = false }: Pace, body: unknown): Promise<Paced> {
  count += 1
  const requestId = `bench-${count}`
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const lost = () =>
      resolve({ requestId, status: 0, bytes: 0, ms: performance.now() - startedAt, firstMs: Number.NaN })
    const headers = {
      authorization: `bearer: ${token}`,
      'content-type': 'application/json',
      'x-request-id': requestId,
      ...(stream && { accept: 'text/event-stream' }),
    }
    const sent = request(new URL(path, url), { method: 'POST', agent, headers }, (reply) => {
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
      reply.once('error', lost)
    })
    sent.once('error', lost)
    sent.end(JSON.stringify(body))
  })
}

if (!isMainThread && parentPort !== null && workerData?.pacedToken !== undefined) {
  const { url, pacedToken } = workerData as { url: string; pacedToken: string }
  const port = parentPort
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  port.on('message', async (pace: Pace) => {
    const beganAt = performance.now()
    const answers: Promise<Paced>[] = []
    for (let at = 0; at < pace.times; at += 1) {
      await sleep(Math.max(0, beganAt + (at * 1_000) / pace.perSecond - performance.now()))
      answers.push(send(agent, url, pacedToken, pace, pace.bodies[at % pace.bodies.length]))
    }
    port.postMessage(await Promise.all(answers))
  })
}
