import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createStaticFile } from '../../../src/http/middleware/static-file.ts'

test('a file whose first read failed is read again by the next request, and then cached', async () => {
  let reads = 0
  const read = async () => {
    reads += 1
    if (reads === 1) throw new Error('too many open files')
    return Buffer.from('the page')
  }
  const file = createStaticFile(read, { type: 'text/plain', cacheControl: 'no-cache' })
  const app = Fastify()
  app.get('/', (request, reply) => file.send(request, reply))
  const ask = async () => (await app.inject('/')).statusCode
  expect([await ask(), await ask(), await ask(), reads]).toEqual([500, 200, 200, 2])
  await app.close()
})
