import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import Fastify from 'fastify'

const [kind, port, file = ''] = process.argv.slice(2)
const body = readFileSync(file, 'utf8')

if (kind === 'fastify') {
  const app = Fastify()
  app.get('/*', async (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(body))
  await app.listen({ port: Number(port), host: '127.0.0.1' })
} else {
  createServer((_request, reply) => {
    reply.setHeader('content-type', 'application/json; charset=utf-8')
    reply.end(body)
  }).listen(Number(port), '127.0.0.1')
}
