import { connect, type Socket } from 'node:net'
import { sleep } from '../../test/support/servers/server-process.ts'

const CLOSED_WITHIN_MS = 40_000

/** Connections that send nothing, half a header, or a body one byte at a time. */
export function openSlowClients(url: string, count: number) {
  const { port, hostname } = new URL(url)
  const startedAt = performance.now()
  const head = 'POST /api/accounts/get_token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const openings = ['', head, `${head}content-length: 5000\r\n\r\n`]
  const closings = Array.from({ length: count }, (_, index) => {
    const socket: Socket = connect(Number(port), hostname)
    socket.write(openings[index % openings.length] ?? '')
    const drip = setInterval(() => {
      if (index % openings.length === 2) socket.write(' ')
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
  const all = Promise.all(closings).then(() => Math.round(performance.now() - startedAt))
  return {
    /** Resolves when the server has closed all connections. */
    async closed(): Promise<{ opened: number; closedAfterMs: number }> {
      const timeout = sleep(CLOSED_WITHIN_MS).then(() => Number.POSITIVE_INFINITY)
      return { opened: count, closedAfterMs: await Promise.race([all, timeout]) }
    },
  }
}
