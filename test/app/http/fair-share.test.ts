import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { mcpRoutes } from '../../../src/agents/routes.ts'
import { shareFairly } from '../../../src/http/limits/fair-share.ts'
import { addErrorHandler } from '../../../src/http/middleware/error-handler.ts'

type Rig = {
  ask(account: string, path: string, signal?: AbortSignal): Promise<number>
  /** Like ask, but without a connection, so that many arrive within a millisecond. */
  askAtOnce(account: string, path: string): Promise<number>
  /** Sends an MCP message, which runs until `finish`. */
  send(account: string, method: string): Promise<number>
  /** Ends every running search. */
  finish(): void
  /** Blocks the event loop long enough to be noticed, then lets it run. */
  delay(): Promise<void>
  /** Blocks the event loop without letting other work run. */
  delayed(): void
  underway(): number
  /** Accounts whose searches have started, in order. */
  begun(): readonly string[]
}

let app: FastifyInstance | undefined
afterEach(() => app?.close())

/** Opens a server with a booking, a search that runs until `finish`, and MCP. */
async function openRig(): Promise<Rig> {
  const server = Fastify()
  app = server
  const held: (() => void)[] = []
  const begun: string[] = []
  const block = () => {
    const until = performance.now() + 150
    while (performance.now() < until);
  }
  server.decorateRequest('caller', undefined)
  addErrorHandler(server)
  server.addHook('onRequest', (request, _reply, done) => {
    const accountId = String(request.headers['x-account'])
    request.caller = { accountId, email: '', name: '', tokenHash: '', role: 'client' }
    done()
  })
  server.addHook('onRequest', shareFairly(server))
  server.get('/search', { config: { operation: 'search.create' } }, async (request) => {
    begun.push(String(request.headers['x-account']))
    await new Promise<void>((resolve) => held.push(resolve))
    return {}
  })
  await server.register(mcpRoutes, {
    async handleMcp(_request, { accountId }) {
      begun.push(accountId)
      await new Promise<void>((resolve) => held.push(resolve))
      return Response.json({})
    },
    closeMcp() {},
  })
  server.get('/book', { config: { operation: 'booking.create' } }, async () => ({}))
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  return {
    ask: async (account, path, signal) => {
      const answer = await fetch(`${url}${path}`, { headers: { 'x-account': account }, signal: signal ?? null })
      await answer.arrayBuffer()
      return answer.status
    },
    askAtOnce: async (account, path) =>
      (await server.inject({ method: 'GET', url: path, headers: { 'x-account': account } })).statusCode,
    async send(account, method) {
      const headers = { 'x-account': account, 'content-type': 'application/json' }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method })
      const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      return answer.status
    },
    finish() {
      for (const end of held.splice(0)) end()
    },
    delayed: block,
    async delay() {
      block()
      await new Promise((later) => setTimeout(later, 30))
    },
    underway: () => held.length,
    begun: () => begun,
  }
}

test('while the process is behind, only the account with the most running requests has to wait', async () => {
  const rig = await openRig()
  expect(await rig.ask('quiet', '/book')).toBe(200)
  const greedy = Array.from({ length: 2 }, () => rig.ask('greedy', '/search'))
  await expect.poll(rig.underway).toBe(2)
  rig.delayed()
  greedy.push(...Array.from({ length: 6 }, () => rig.ask('greedy', '/search')))
  const quiet = rig.ask('quiet', '/search')
  // Both arrive long before the last request of the greedy account.
  expect(await Promise.all([rig.ask('greedy', '/book'), rig.ask('quiet', '/book')])).toEqual([200, 200])
  expect(rig.begun().indexOf('quiet')).toBeLessThan(5)
  await expect.poll(rig.underway).toBe(9)
  rig.finish()
  expect(new Set(await Promise.all([...greedy, quiet]))).toEqual(new Set([200]))
})

test('a request that finds the queue full is refused, and a client that disconnects makes room', async () => {
  const rig = await openRig()
  expect(await rig.ask('quiet', '/book')).toBe(200)
  const greedy = Array.from({ length: 2 }, () => rig.ask('greedy', '/search'))
  await expect.poll(rig.underway).toBe(2)
  rig.delayed()
  const left = new AbortController()
  const leaving = rig.ask('greedy', '/search', left.signal).catch(() => 'left')
  greedy.push(...Array.from({ length: 60 }, () => rig.ask('greedy', '/search')))
  left.abort()
  expect(await leaving).toBe('left')
  const finishing = setInterval(rig.finish, 20)
  const statuses = await Promise.all(greedy)
  clearInterval(finishing)
  const refused = statuses.filter((status) => status === 429).length
  expect(refused).toBeGreaterThan(5)
  expect(statuses.filter((status) => status === 200).length).toBe(62 - refused)
  await new Promise((later) => setTimeout(later, 700))
  const again = rig.ask('greedy', '/search')
  await expect.poll(rig.underway).toBe(1)
  rig.finish()
  expect(await again).toBe(200)
})

test('a burst of searches is spread out before anything is late', async () => {
  const rig = await openRig()
  expect(await rig.ask('quiet', '/book')).toBe(200)
  // Long enough that the delay of the start is forgotten.
  await new Promise((later) => setTimeout(later, 400))
  const generator = Array.from({ length: 14 }, () => rig.askAtOnce('greedy', '/search'))
  await expect.poll(rig.underway).toBeGreaterThan(5)
  expect(rig.underway()).toBeLessThan(12)
  await expect.poll(rig.underway, { timeout: 5_000 }).toBe(14)
  rig.finish()
  expect(new Set(await Promise.all(generator))).toEqual(new Set([200]))
})

test('an account that is alone may use the whole capacity', async () => {
  const rig = await openRig()
  const first = Array.from({ length: 10 }, () => rig.ask('only', '/search'))
  await expect.poll(rig.underway).toBe(10)
  await rig.delay()
  const more = rig.ask('only', '/search')
  await expect.poll(rig.underway).toBe(11)
  rig.finish()
  expect(new Set(await Promise.all([...first, more]))).toEqual(new Set([200]))
})

test('even alone, an account may not have more running requests than the process should hold', async () => {
  const rig = await openRig()
  const held = Array.from({ length: 50 }, () => rig.ask('only', '/search'))
  await expect.poll(rig.underway, { timeout: 5_000 }).toBe(50)
  expect(await rig.ask('only', '/search')).toBe(429)
  expect(await rig.ask('only', '/book')).toBe(200)
  rig.finish()
  expect(new Set(await Promise.all(held))).toEqual(new Set([200]))
})

test('MCP messages are shared like searches, except calls of tools, whose operations are shared', async () => {
  const rig = await openRig()
  const held = Array.from({ length: 50 }, () => rig.send('only', 'tools/list'))
  await expect.poll(rig.underway, { timeout: 5_000 }).toBe(50)
  expect(await rig.send('only', 'tools/list')).toBe(429)
  held.push(rig.send('only', 'tools/call'), rig.send('other', 'tools/list'))
  await expect.poll(rig.underway).toBe(52)
  rig.finish()
  expect(new Set(await Promise.all(held))).toEqual(new Set([200]))
})
