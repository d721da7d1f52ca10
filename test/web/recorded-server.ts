import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Site } from '../support/servers/browser.ts'
import { freePort } from '../support/servers/postgres.ts'

export const VISIT_HEADER = 'x-recorded-visit'

type Written = { readonly status: number; readonly type?: string; readonly body?: string }
/** Answers a call of the API. `lost` closes the connection without a response. */
export type AnswerRequest = (
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: string,
) => Promise<Written | 'lost'>

/** Paths that get recorded answers; all others come from the site. */
export const isApi = (pathname: string): boolean => pathname.startsWith('/api/') || pathname === '/page-config.json'

export type RecordedServer = {
  readonly url: string
  /** Answers of each open visit, by the value of its header. */
  readonly visits: Map<string, AnswerRequest>
}

const servers = new Map<string, Promise<RecordedServer>>()

/** One server per test process, with the files of a site and recorded answers for its API. */
export function serverFor(site: Site): Promise<RecordedServer> {
  const server = servers.get(site.url) ?? start(site)
  servers.set(site.url, server)
  return server
}

type KeptFile = { readonly status: number; readonly headers: Record<string, string>; readonly body: Buffer }

async function start(site: Site): Promise<RecordedServer> {
  const visits = new Map<string, AnswerRequest>()
  const files = new Map<string, Promise<KeptFile>>()

  async function answerFile({ url = '/', headers: { accept = '*/*' } }: IncomingMessage, response: ServerResponse) {
    const kept = files.get(`${accept} ${url}`) ?? fetchFile(site, url, accept)
    files.set(`${accept} ${url}`, kept)
    const { status, headers, body } = await kept
    response.writeHead(status, headers).end(body)
  }

  const server = createServer(async (request, response) => {
    // A browser repeats a request if a reused connection is closed.
    response.shouldKeepAlive = false
    const { pathname } = new URL(request.url ?? '', site.url)
    if (!isApi(pathname)) return answerFile(request, response)
    const answer = visits.get(String(request.headers[VISIT_HEADER]))
    const answered = (await answer?.(request, await text(request))) ?? 'lost'
    if (answered === 'lost') return void request.socket.resetAndDestroy()
    const { status, type, body } = answered
    response.writeHead(status, { 'cache-control': 'no-store', ...(type && { 'content-type': type }) }).end(body)
  })
  const port = await freePort()
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  // Does not keep the test process alive.
  server.unref()
  return { url: `http://127.0.0.1:${port}`, visits }
}

const KEPT_HEADERS = ['content-type', 'cache-control', 'content-security-policy', 'etag']

async function fetchFile({ url }: Site, path: string, accept: string): Promise<KeptFile> {
  const response = await fetch(`${url}${path}`, { headers: { accept } })
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: Buffer.from(await response.arrayBuffer()),
  }
}
