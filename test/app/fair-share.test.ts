import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { addFairShare } from '../../src/http/plugins/fair-share.ts'
import { addProblems } from '../../src/http/plugins/problems.ts'

type Rig = {
  /** One request of an account; resolves with its status. */
  ask(account: string, path: string): Promise<number>
  /** Lets every search that is under way end. */
  finish(): void
  /** Keeps the loop busy for long enough to be noticed. */
  delay(): Promise<void>
  underway(): number
}

let app: FastifyInstance | undefined
afterEach(() => app?.close())

/** Two routes, one of them a search that ends when it is told to. */
async function openRig(): Promise<Rig> {
  const server = Fastify()
  app = server
  const held: (() => void)[] = []
  server.decorateRequest('caller', undefined)
  addProblems(server)
  server.addHook('onRequest', (request, _reply, done) => {
    const accountId = String(request.headers['x-account'])
    request.caller = { accountId, email: '', name: '', tokenHash: '' }
    done()
  })
  addFairShare(server)
  server.get('/search', { config: { operation: 'search.create' } }, async () => {
    await new Promise<void>((resolve) => held.push(resolve))
    return {}
  })
  server.get('/book', { config: { operation: 'booking.create' } }, async () => ({}))
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  return {
    ask: async (account, path) => {
      const answer = await fetch(`${url}${path}`, { headers: { 'x-account': account } })
      await answer.arrayBuffer()
      return answer.status
    },
    finish() {
      for (const end of held.splice(0)) end()
    },
    async delay() {
      const until = performance.now() + 150
      while (performance.now() < until);
      await new Promise((later) => setTimeout(later, 30))
    },
    underway: () => held.length,
  }
}

test('while the process is behind, whoever has most under way is refused more, and nobody else is', async () => {
  const rig = await openRig()
  expect(await rig.ask('quiet', '/book')).toBe(200)
  const greedy = Array.from({ length: 2 }, () => rig.ask('greedy', '/search'))
  await expect.poll(rig.underway).toBe(2)
  await rig.delay()
  expect(await rig.ask('greedy', '/search')).toBe(429)
  expect(await rig.ask('greedy', '/book')).toBe(200)
  await rig.delay()
  const quiet = rig.ask('quiet', '/search')
  await expect.poll(rig.underway).toBe(3)
  rig.finish()
  expect(await Promise.all([...greedy, quiet])).toEqual([200, 200, 200])
  await rig.delay()
  const again = rig.ask('greedy', '/search')
  await expect.poll(rig.underway).toBe(1)
  rig.finish()
  expect(await again).toBe(200)
})

test('an account that is alone may have all there is', async () => {
  const rig = await openRig()
  const first = Array.from({ length: 10 }, () => rig.ask('only', '/search'))
  await expect.poll(rig.underway).toBe(10)
  await rig.delay()
  const more = rig.ask('only', '/search')
  await expect.poll(rig.underway).toBe(11)
  rig.finish()
  expect(new Set(await Promise.all([...first, more]))).toEqual(new Set([200]))
})
