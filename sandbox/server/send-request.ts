import { request } from 'node:http'

type Outgoing = {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}
export type Received = { readonly status: number; readonly text: string }

const TIMEOUT_MS = 30_000

/** Sends one request over a connection of its own. */
export function sendRequest({ method, url, headers = {}, body }: Outgoing): Promise<Received> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const outgoing = request(new URL(url), { method, headers, agent: false, signal }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('error', reject)
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 500, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
