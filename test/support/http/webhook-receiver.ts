import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> }
}

/** HTTP server on loopback that keeps every request; `ratesAnswer` responds to the n-th one. */
export async function startReceiver(answer: (response: ServerResponse, nth: number) => void = ok) {
  const received: Received[] = []
  let connections = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      received.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) })
      answer(response, received.length)
    })
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    received,
    port,
    url: `http://127.0.0.1:${port}/hooks`,
    connections: () => connections,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export function ok(response: ServerResponse): void {
  response.writeHead(204).end()
}

/** Throws if the signature is invalid. */
export const verify = (secret: string, { text, headers }: Received) =>
  new Webhook(secret).verify(text, headers as Record<string, string>)
