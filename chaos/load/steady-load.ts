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
  /** The `n`-th request. */
  requestOf(n: number): Request
  /** Status codes from this one on are failures: 400 by default. */
  readonly failsFrom?: number
}

/** Sends at a steady rate without waiting for answers. */
export function startLoad({ url, token, perSecond, requestOf, failsFrom = 400 }: Options): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })
  const times: number[] = []
  const byStatus: Record<string, number> = {}
  const failures: string[] = []
  const underway = new Set<Promise<void>>()
  let sent = 0

  const note = (status: string, failed: string | undefined) => {
    byStatus[status] = (byStatus[status] ?? 0) + 1
    if (failed !== undefined && failures.length < 20) failures.push(failed)
  }
  function send(n: number): Promise<void> {
    const { method, path, body, headers } = requestOf(n)
    const startedAt = performance.now()
    return new Promise((done) => {
      const asked = request(
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
          // Only bodies of failures are kept, to save work.
          answer.on('data', (chunk: Buffer) => status >= failsFrom && chunks.push(chunk))
          answer.on('close', () => {
            const whole = answer.complete
            times.push(performance.now() - startedAt)
            const message = `${method} ${path}: ${status} ${Buffer.concat(chunks).toString().slice(0, 300)}`
            note(whole ? String(status) : 'broken', !whole || status >= failsFrom ? message : undefined)
            done()
          })
        },
      )
      asked.on('timeout', () => asked.destroy(new Error('no answer in 30 s')))
      asked.on('error', (error) => {
        note('broken', `${method} ${path}: ${error.message}`)
        done()
      })
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  const startedAt = performance.now()
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
    for (; sent < due; sent += 1) {
      const one = send(sent).finally(() => underway.delete(one))
      underway.add(one)
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
        percentile: (share) => Math.round(percentileOf(sorted, share)),
      }
    },
  }
}

/** Of times in order, the smallest first. */
export const percentileOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? 0
