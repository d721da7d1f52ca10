import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { signWebhook, type WebhookEvent } from '../../../packages/client/src/index.ts'
import {
  createFastifyPlugin,
  createFetchHandler,
  createHonoHandler,
  createNodeHandler,
} from '../../../packages/client/src/webhooks/index.ts'

const SECRET = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`
/** The spaces and the emoji do not survive parsing and serializing, or a wrong decoding. */
const BODY = '{ "type" : "booking.confirmed",  "data": { "name": "Zoë 🏨" } }'

type Reply = Promise<{ readonly status: number }>
type Serve = (receiver: {
  secret: string
  onEvent: (event: WebhookEvent) => unknown
  onError?: (error: unknown) => void
}) => Promise<{
  send(body: string, headers: Record<string, string>): Reply
  close(): Promise<unknown>
}>

const init = (body: string, headers: Record<string, string>) => ({ method: 'POST', body, headers })

async function listen(listener: RequestListener) {
  const http = createServer(listener)
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`
  return {
    send: (body: string, headers: Record<string, string>) => fetch(url, init(body, headers)),
    close: () => new Promise((done) => http.close(done)),
  }
}

const SERVERS: readonly (readonly [name: string, serve: Serve])[] = [
  ['Node', (receiver) => listen(createNodeHandler(receiver))],
  [
    'Express after express.raw()',
    (receiver) =>
      listen(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        await createNodeHandler(receiver)(Object.assign(request, { body: Buffer.concat(chunks) }), response)
      }),
  ],
  [
    'Fastify',
    async (receiver) => {
      const app = Fastify()
      await app.register(createFastifyPlugin({ ...receiver, path: '/hook' }))
      app.post('/json', async ({ body }) => body)
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      // Other routes still get parsed bodies.
      const echoed = await fetch(`${url}/json`, init('{"a":1}', { 'content-type': 'application/json' }))
      expect(await echoed.json()).toEqual({ a: 1 })
      return { send: (body, headers) => fetch(`${url}/hook`, init(body, headers)), close: () => app.close() }
    },
  ],
  [
    'Next.js',
    async (receiver) => {
      const POST = createFetchHandler(receiver)
      return {
        send: (body, headers) => POST(new Request('http://shop/hook', init(body, headers))),
        close: async () => 0,
      }
    },
  ],
  [
    'Hono',
    async (receiver) => {
      const handle = createHonoHandler(receiver)
      return {
        send: (body, headers) => handle({ req: { raw: new Request('http://shop/hook', init(body, headers)) } }),
        close: async () => 0,
      }
    },
  ],
]

async function sign(body: string) {
  const at = Math.floor(Date.now() / 1000)
  return {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(at),
    'webhook-signature': await signWebhook(SECRET, 'evt_1', at, body),
  }
}

test.each(SERVERS)(
  'the handler for %s accepts a signed message, and reports changed and failed ones',
  async (_, serve) => {
    const events: WebhookEvent[] = []
    const errors: unknown[] = []
    let failure: Error | undefined
    const server = await serve({
      secret: SECRET,
      async onEvent(event) {
        if (failure) throw failure
        events.push(event)
      },
      onError: (error) => errors.push(error),
    })
    try {
      const headers = await sign(BODY)
      expect((await server.send(BODY, headers)).status).toBe(204)
      expect(events).toMatchObject([{ id: 'evt_1', type: 'booking.confirmed', data: { name: 'Zoë 🏨' } }])
      expect((await server.send(BODY.replace('confirmed', 'cancelled'), headers)).status).toBe(400)
      expect((await server.send(BODY, { 'content-type': 'application/json' })).status).toBe(400)
      failure = new Error('the database is down')
      expect((await server.send(BODY, headers)).status).toBe(500)
      expect(events).toHaveLength(1)
      expect(errors).toHaveLength(3)
      expect(errors[2]).toBe(failure)
    } finally {
      await server.close()
    }
  },
)

test('a body that Express has parsed already is refused with the reason', async () => {
  const errors: unknown[] = []
  const handle = createNodeHandler({ secret: SECRET, onEvent: () => 0, onError: (error) => errors.push(error) })
  const server = await listen((request, response) => handle(Object.assign(request, { body: {} }), response))
  expect((await server.send(BODY, await sign(BODY))).status).toBe(500)
  expect(String(errors[0])).toContain('before express.json()')
  await server.close()
})

test('a message that is too large is refused', async () => {
  const server = await listen(createNodeHandler({ secret: SECRET, onEvent: () => 0 }))
  const large = 'x'.repeat(1_100_000)
  expect((await server.send(large, await sign(large))).status).toBe(400)
  await server.close()
})
