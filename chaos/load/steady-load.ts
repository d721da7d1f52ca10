import { Agent, request } from 'node:http'

export type LoadReport = {
  readonly sent: number
  /** Answers by status; `broken` for lost connections. */
  readonly byStatus: Readonly<Record<string, number>>
  /** The first twenty failures. */
  readonly failures: readonly string[]
  /** Durations in ms, sorted. */
  readonly times: readonly number[]
  percentile(share: number): number
}

export type Request = {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: object
}

export type Load = { stop(): Promise<LoadReport> }

type Options = {
  readonly url: string
  readonly token: string
  readonly perSecond: number
  /** Creates the `n`-th request. */
  createRequest(n: number): Request
  /** Lowest status that is a failure: 400 by default. */
  readonly failsFrom?: number
}

/** Sends at a steady rate without waiting for answers. */
export function startLoad({ url, token, perSecond, createRequest, failsFrom = 400 }: Options): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })
  const times: number[] = []
  const byStatus: Record<string, number> = {}
  const failures: string[] = []
  const underway = new Set<Promise<void>>()
  let sent = 0

  const record = (status: string, failed: string | undefined) => {
    byStatus[status] = (byStatus[status] ?? 0) + 1
    if (failed !== undefined && failures.length < 20) failures.push(failed)
  }
  function send(n: number): Promise<void> {
    const { method, path, body, headers } = createRequest(n)
    const startedAt = performance.now()
    return new Promise((done) => {
      const outgoing = request(
        new URL(path, url),
        {
          agent,
          method,
          timeout: 30_000,
          headers: { authorization: `bearer: ${token}`, 'content-type': 'application/json', ...headers },
        },
        (answer) => {
          const status = answer.statusCode ?? 0
          const chunks: Buffer[] = []
          // Keeps only the bodies of failures, to save work.
          answer.on('data', (chunk: Buffer) => status >= failsFrom && chunks.push(chunk))
          answer.on('close', () => {
            const isComplete = answer.complete
            times.push(performance.now() - startedAt)
            const message = `${method} ${path}: ${status} ${Buffer.concat(chunks).toString().slice(0, 300)}`
            record(isComplete ? String(status) : 'broken', !isComplete || status >= failsFrom ? message : undefined)
            done()
          })
        },
      )
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in 30 s')))
      outgoing.on('error', (error) => {
        record('broken', `${method} ${path}: ${error.message}`)
        done()
      })
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  const startedAt = performance.now()
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
    for (; sent < due; sent += 1) {
      const pending = send(sent).finally(() => underway.delete(pending))
      underway.add(pending)
    }
  }, 10)

  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(underway)
      agent.destroy()
      const sorted = times.sort((a, b) => a - b)
      return {
        sent,
        byStatus,
        failures,
        times: sorted,
        percentile: (share) => Math.round(readPercentile(sorted, share)),
      }
    },
  }
}

export const readPercentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? 0
