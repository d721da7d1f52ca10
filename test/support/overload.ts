import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { simulatedTraffic } from './nodes-chaos.ts'
import { type ServerProcess, sleep } from './server-process.ts'
import { type Request, startLoad } from './steady-load.ts'

export type OverloadReport = {
  readonly failures: readonly string[]
  /** How many of the noisy account's requests were told to wait. */
  readonly refused: number
  readonly quietBookings: { readonly made: number; readonly failed: number }
  /** What the quiet account waits, before and while the other one is noisy. */
  readonly p95Ms: { readonly before: number; readonly during: number }
  readonly grownMb: number
}

type Options = { readonly seconds: number; readonly noisyPerSecond: number; readonly quietPerSecond: number }

/** One account far over its rate, another one as always. */
export async function runOverload(
  server: ServerProcess,
  tokens: { readonly quiet: string; readonly noisy: string },
  { seconds, noisyPerSecond, quietPerSecond }: Options,
): Promise<OverloadReport> {
  const quiet = (run: string) =>
    startLoad({ url: server.url, token: tokens.quiet, perSecond: quietPerSecond, requestOf: simulatedTraffic(run) })
  await warmUp(server, tokens.quiet)
  const alone = quiet('alone')
  await sleep(seconds * 1_000)
  const before = await alone.stop()
  const memoryBefore = residentMb(server.pid)

  const traffic = simulatedTraffic('noisy')
  const searches = (n: number): Request => traffic(n * 20 + 2)
  const noisy = startLoad({ url: server.url, token: tokens.noisy, perSecond: noisyPerSecond, requestOf: searches })
  const beside = quiet('beside')
  await sleep(seconds * 1_000)
  const [loud, during] = await Promise.all([noisy.stop(), beside.stop()])
  await sleep(1_000)
  return {
    failures: [...before.failures, ...loud.failures, ...during.failures],
    refused: loud.byStatus['429'] ?? 0,
    quietBookings: { made: during.byStatus['201'] ?? 0, failed: during.sent - ok(during.byStatus) },
    p95Ms: { before: before.percentile(0.95), during: during.percentile(0.95) },
    grownMb: Math.round(residentMb(server.pid) - memoryBefore),
  }
}

const ok = (byStatus: Readonly<Record<string, number>>) => (byStatus['200'] ?? 0) + (byStatus['201'] ?? 0)

/** The first requests pay for compiling what they run. */
async function warmUp(server: ServerProcess, token: string): Promise<void> {
  const load = startLoad({ url: server.url, token, perSecond: 20, requestOf: simulatedTraffic('warm') })
  await sleep(2_000)
  await load.stop()
}

export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Connections that say nothing, half a header, or a body one byte at a time. */
export function slowClients(url: string, count: number) {
  const { port, hostname } = new URL(url)
  const startedAt = performance.now()
  const head = 'POST /api/accounts/get_token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const openings = ['', head, `${head}content-length: 5000\r\n\r\n`]
  const gone = Array.from({ length: count }, (_, at) => {
    const socket: Socket = connect(Number(port), hostname)
    socket.write(openings[at % openings.length] ?? '')
    const drip = setInterval(() => {
      if (at % openings.length === 2) socket.write(' ')
    }, 500)
    return new Promise<void>((done) => {
      socket.on('error', () => undefined)
      socket.resume()
      socket.on('close', () => {
        clearInterval(drip)
        done()
      })
    })
  })
  const all = Promise.all(gone).then(() => Math.round(performance.now() - startedAt))
  return {
    /** Resolves when the server has ended every one of them. */
    async closed(withinMs = 40_000): Promise<{ opened: number; closedAfterMs: number }> {
      const late = sleep(withinMs).then(() => Number.POSITIVE_INFINITY)
      return { opened: count, closedAfterMs: await Promise.race([all, late]) }
    },
  }
}
