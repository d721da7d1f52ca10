import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ERRORS, type ErrorCode } from '../../../src/domain/error-table.ts'

type Seen = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
/** Responds to one request. */
export type Step = (response: ServerResponse) => void

/** A server that responds to requests by a script of steps and repeats the last one. */
export async function scriptedServer() {
  let seen: Seen[] = []
  let steps: readonly Step[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const step = steps[seen.length] ?? steps.at(-1)
      const body = Buffer.concat(chunks).toString()
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      step?.(response)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen: () => seen,
    play(...script: readonly Step[]) {
      seen = []
      steps = script
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export const replyJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** A problem of the service, with the effect of its code. */
export const replyProblem = (status: number, code: ErrorCode, headers: Record<string, string> = {}): Step =>
  replyJson(
    status,
    {
      type: `/docs/errors#${code}`,
      title: code,
      status,
      detail: `It is ${code}.`,
      instance: 'req_server',
      code,
      effect: ERRORS[code].effect,
    },
    { 'content-type': 'application/problem+json', 'x-request-id': 'req_server', ...headers },
  )

export const replyHtml =
  (status: number, text = '<html><h1>Bad gateway</h1></html>'): Step =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(text)

export const replyEmpty =
  (status: number): Step =>
  (response) =>
    response.writeHead(status, { 'content-length': '0' }).end()

/** Announces more bytes than it sends, then closes the connection. */
export const cutOff =
  (text: string, type = 'application/json'): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': String(text.length + 100) })
    response.write(text, () => setTimeout(() => response.destroy(), 20))
  }

export const hangUp: Step = (response) => response.destroy()
export const silence: Step = () => undefined
