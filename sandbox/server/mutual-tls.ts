import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { createSelfSigned, type SelfSigned } from './self-signed.ts'

export type MutualTls = {
  readonly origin: string
  /** Certificate that the client must present, and the authority of the server. */
  readonly client: SelfSigned
  readonly authority: string
  close(): Promise<void>
}

/**
 * HTTPS proxy for a stand-in, with mutual TLS: forwards requests, but returns 403 if the
 * operation needs a client certificate and there is none.
 */
export async function openMutualTls(
  standIn: string,
  needsCertificate: (method: string, path: string) => boolean,
): Promise<MutualTls> {
  const [own, client] = [createSelfSigned('stand-in'), createSelfSigned('client')]
  const server = createServer({ ...own, ca: client.cert, requestCert: true, rejectUnauthorized: false })
  server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/', socket } = incoming
    if (needsCertificate(method, url) && !(socket as TLSSocket).authorized) {
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"Client certificate required"}')
      return
    }
    const forwarded = httpRequest(new URL(url, standIn), { method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    // Propagates a broken connection to the client.
    forwarded.on('error', () => incoming.socket.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://127.0.0.1:${port}`,
    client,
    authority: own.cert,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
