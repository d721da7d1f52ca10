import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** A client in a thread of its own, so that its work is not counted as the server's. */
export type Request = {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}
export type Answered = { readonly status: number; readonly ms: number; readonly text: string }

export type Client = {
  /** Sends `times` times, `atOnce` in flight; only the last answer's text comes back. */
  send(request: Request, times?: number, atOnce?: number): Promise<{ answers: Answered[]; tookMs: number }>
  close(): Promise<void>
}

export function startClient(url: string, token: string): Client {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, token } })
  return {
    send(request, times = 1, atOnce = 1) {
      return new Promise((resolve, reject) => {
        worker.removeAllListeners()
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.postMessage({ request, times, atOnce })
      })
    },
    close: async () => void (await worker.terminate()),
  }
}

if (!isMainThread && parentPort !== null && workerData?.url !== undefined) {
  const { url, token } = workerData as { url: string; token: string }
  const port = parentPort
  const once = async ({ method, path, body, headers }: Request, keepText: boolean): Promise<Answered> => {
    const startedAt = performance.now()
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `bearer: ${token}`,
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const bytes = await answer.arrayBuffer()
    return {
      status: answer.status,
      ms: performance.now() - startedAt,
      text: keepText ? Buffer.from(bytes).toString('utf8') : '',
    }
  }
  port.on('message', async ({ request, times, atOnce }: { request: Request; times: number; atOnce: number }) => {
    const answers: Answered[] = []
    const startedAt = performance.now()
    let left = times
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left > 0) {
          left -= 1
          answers.push(await once(request, left === 0))
        }
      }),
    )
    port.postMessage({ answers, tookMs: performance.now() - startedAt })
  })
}
