/** Answers each path with constant bytes and does nothing else. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

const [kind, file = ''] = process.argv.slice(2)
const bodies = new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>))
const TYPE = 'application/json; charset=utf-8'

if (kind === 'fastify') {
  const app = Fastify()
  app.get('/*', async (request, reply) => reply.header('content-type', TYPE).send(bodies.get(request.url) ?? '{}'))
  console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
} else {
  const server = createServer((request, reply) => {
    const body = bodies.get(request.url ?? '') ?? '{}'
    reply.setHeader('content-type', TYPE)
    // Without it the body would be chunked, unlike in the other servers.
    reply.setHeader('content-length', Buffer.byteLength(body))
    reply.end(body)
  })
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
}
