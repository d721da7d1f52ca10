import { receiveWebhook, type WebhookReceiver } from './receive-webhook.ts'
import { type HeaderList, WebhookError } from './verify-webhook.ts'

export type { WebhookReceiver }

/** For Next.js (`export const POST = createFetchHandler(…)`), workers and other servers with `Request` and `Response`. */
export const createFetchHandler =
  (receiver: WebhookReceiver) =>
  async (request: Request): Promise<Response> =>
    new Response(null, { status: await receiveWebhook(receiver, request.headers, () => request.text()) })

export function createHonoHandler(receiver: WebhookReceiver) {
  const handle = createFetchHandler(receiver)
  return ({ req }: { readonly req: { readonly raw: Request } }): Promise<Response> => handle(req.raw)
}

type NodeRequest = AsyncIterable<Uint8Array | string> & {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Set by Express if a parser came first. */
  readonly body?: unknown
}
type NodeResponse = { statusCode: number; end(): unknown }

/** For Express and servers of Node. In Express, before `express.json()`, or with `express.raw({ type: '*\/*' })`. */
export const createNodeHandler =
  (receiver: WebhookReceiver) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const readBody = () => (request.body === undefined ? readStream(request) : requireRaw(request.body))
    response.statusCode = await receiveWebhook(receiver, request.headers, readBody)
    response.end()
  }

const BODY_MAX_LENGTH = 1_000_000

async function readStream(chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.length > BODY_MAX_LENGTH) throw new WebhookError('The message is too large.')
  }
  return text + decoder.decode()
}

function requireRaw(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  throw new Error('The body was parsed before its signature was verified. Mount the handler before express.json().')
}

type FastifyApp = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(path: string, handle: (request: FastifyRequest, reply: FastifyReply) => unknown): unknown
}
type FastifyRequest = { readonly headers: HeaderList; readonly body: unknown }
type FastifyReply = { code(status: number): { send(): unknown } }

/** A plugin with a route for `app.register`. Keeps the raw body for its own route only. */
export const createFastifyPlugin =
  ({ path, ...receiver }: WebhookReceiver & { readonly path: string }) =>
  async (app: FastifyApp): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.post(path, async ({ headers, body }, reply) =>
      reply.code(await receiveWebhook(receiver, headers, () => requireRaw(body))).send(),
    )
  }
