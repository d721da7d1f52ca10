import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/lib/time/clock.ts'
import type { Reading } from '../../src/vendors/transport/call.ts'
import { readWith } from '../../src/vendors/transport/call.ts'
import { createHttpClient } from '../../src/vendors/transport/http-client.ts'
import { ReadingThreads } from '../../src/vendors/transport/reading-threads.ts'
import { VendorError } from '../../src/vendors/vendor-error.ts'
import { startStopwatch } from '../support/time/measure.ts'

const ITEMS = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `${id} ${(id * 7919) % 9973} é` }))
const forever = () => new AbortController().signal

/** Module that only the thread can load. */
const toModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
const COUNTING = toModule(
  'import { isMainThread } from "node:worker_threads"\n' +
    'export const read = (items, { add }) => ({ count: items.length + add, isMainThread })',
)
const createJob = (module: string, text = JSON.stringify(ITEMS), frame: unknown = { add: 1 }) => {
  const packed = gzipSync(text)
  return { raw: new Uint8Array(packed), encoding: 'gzip', module, frame, canWait: false }
}

function opened(size = 1) {
  const threads = new ReadingThreads(size)
  onTestFinished(() => threads.close())
  return threads
}

/** One thread that has already loaded a module. */
async function openedAndReady() {
  const threads = opened()
  await threads.read(createJob(COUNTING), forever())
  return threads
}

describe('reading threads', () => {
  test('a response is decoded on a reading thread, and only the result is returned', async () => {
    const outcome = await opened().read(createJob(COUNTING), forever())
    expect(outcome).toEqual({ answer: { count: 3_001, isMainThread: false } })
  })

  test("a truncated response is the vendor's fault, one that cannot be unpacked is unreadable", async () => {
    const thread = opened()
    const cut = await thread.read(createJob(COUNTING, `${JSON.stringify(ITEMS).slice(0, -9)}{}]`), forever())
    expect(cut).toMatchObject({ fault: 'malformed', parsed: { text: expect.stringContaining('"id":0') } })
    const job = { ...createJob(COUNTING), raw: new Uint8Array(500).fill(7) }
    await expect(thread.read(job, forever())).rejects.toThrow('cannot be unpacked')
    const long = createJob(COUNTING, ' '.repeat(17 * 1024 * 1024))
    await expect(thread.read(long, forever())).rejects.toThrow('a body over 16 MiB')
  })

  test('a response is dropped if its caller aborts, and the next one is read', async () => {
    const thread = opened()
    const slow = toModule('export const read = () => { for (const end = Date.now() + 400; Date.now() < end; ) {} }')
    const gone = new AbortController()
    const readMs = startStopwatch()
    setTimeout(() => gone.abort(new Error('no time left')), 50)
    await expect(thread.read(createJob(slow), gone.signal)).rejects.toThrow('no time left')
    expect(readMs()).toBeLessThan(350)
    expect(await thread.read(createJob(COUNTING), forever())).toMatchObject({ answer: { count: 3_001 } })
  })

  test('a queued response is not read if its caller has aborted', async () => {
    const thread = await openedAndReady()
    const slow = toModule(
      'let count = 0\n' +
        'export const read = () => { for (const end = Date.now() + 60; Date.now() < end; ) {} return (count += 1) }',
    )
    const gone = new AbortController()
    const first = thread.read(createJob(slow), forever())
    const left = Array.from({ length: 8 }, () => thread.read(createJob(slow), gone.signal).catch(() => 'gone'))
    const last = thread.read(createJob(slow), forever())
    gone.abort()
    expect(await Promise.all(left)).toEqual(Array(8).fill('gone'))
    expect(await first).toMatchObject({ answer: 1 })
    // One more had already been sent.
    expect(await last).toMatchObject({ answer: 3 })
  })

  test('an urgent response is read before low-priority ones, except the running one', async () => {
    const thread = await openedAndReady()
    const naming = toModule('const read = (_items, name) => name\nexport { read }')
    const order: unknown[] = []
    const reads = ['content 1', 'content 2', 'content 3', 'search 1', 'search 2'].map(async (name) => {
      const job = { ...createJob(naming, '[]', name), canWait: name.startsWith('content') }
      const outcome = await thread.read(job, forever())
      order.push('answer' in outcome && outcome.answer)
    })
    await Promise.all(reads)
    expect(order).toEqual(['content 1', 'search 1', 'search 2', 'content 2', 'content 3'])
  })

  test('a response is dropped when the service closes', async () => {
    const thread = opened()
    const endless = toModule('export const read = () => { for (;;); }')
    const reading = thread.read(createJob(endless), forever())
    setTimeout(() => thread.close(), 100)
    await expect(reading).rejects.toThrow('cannot be read')
  })

  test('two threads read two responses at the same time', async () => {
    const threads = opened(2)
    // Each waits until both have started, which requires two threads.
    const meeting = toModule(
      'export const read = (_items, shared) => {\n' +
        '  const begun = new Int32Array(shared)\n' +
        '  Atomics.add(begun, 0, 1)\n' +
        '  for (const end = Date.now() + 300; Atomics.load(begun, 0) < 2 && Date.now() < end; ) {}\n' +
        '  return Atomics.load(begun, 0)\n' +
        '}',
    )
    // Repeated until the second thread has started.
    await vi.waitFor(
      async () => {
        const begun = new SharedArrayBuffer(4)
        const both = [1, 2].map(() => threads.read(createJob(meeting, '[]', begun), forever()))
        expect(await Promise.all(both)).toEqual([{ answer: 2 }, { answer: 2 }])
      },
      { timeout: 10_000 },
    )
  })

  test('a response sent to a thread that ends is lost, queued ones are not', async () => {
    const threads = opened()
    const deadly = toModule('export const read = () => process.exit(1)')
    const jobs = [deadly, COUNTING, COUNTING, COUNTING].map((module) => threads.read(createJob(module), forever()))
    const outcomes = await Promise.allSettled(jobs)
    expect(outcomes[0]).toMatchObject({ status: 'rejected' })
    expect(outcomes.slice(2).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  })

  test('a response that ends the thread affects no other response', async () => {
    const thread = opened()
    const deadly = toModule('export const read = () => process.exit(1)')
    await expect(thread.read(createJob(deadly), forever())).rejects.toThrow('cannot be read')
    expect(await thread.read(createJob(COUNTING), forever())).toMatchObject({ answer: { count: 3_001 } })
  })
})

describe('over HTTP', () => {
  const bodies = new Map<string, string>()
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(gzipSync(bodies.get(request.url ?? '') ?? ''))
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => server.close())

  /** Repeated until the thread is ready; before that, responses are decoded on the main thread. */
  async function answerTo(path: string, reading: Reading) {
    const { port } = server.address() as AddressInfo
    const origins = { main: `http://127.0.0.1:${port}` }
    const client = createHttpClient({ vendor: 'test', origins, clock: systemClock, threads: opened() })
    onTestFinished(() => client.close())
    const call = { class: 'search', operation: 'try', method: 'GET', path, ifLost: 'none' } as const
    const context = { signal: forever(), requestId: 'r' }
    const [here] = [await client.send({ ...call, reading }, context)]
    expect(here.read).toBeUndefined()
    for (;;) {
      const reply = await client.send({ ...call, reading }, context)
      if (reply.read !== undefined) return { here, there: reply }
    }
  }

  test('the result is the same on the main thread and on a reading thread', async () => {
    bodies.set('/long', JSON.stringify(ITEMS))
    const { read } = (await import(COUNTING)) as Pick<Reading, 'read'>
    const reading: Reading = { module: COUNTING, read, frame: { add: 2 } }
    const { here, there } = await answerTo('/long', reading)
    expect(readWith(reading, here)).toEqual({ count: 3_002, isMainThread: true })
    expect(readWith(reading, there)).toEqual({ count: 3_002, isMainThread: false })
  })

  test('a fault of the vendor is reported as one, a bug of ours is not', async () => {
    bodies.set('/long', JSON.stringify(ITEMS))
    const broken = toModule('export const read = () => { throw new TypeError("ours") }')
    const { read } = (await import(broken)) as Pick<Reading, 'read'>
    const { there } = await answerTo('/long', { module: broken, read, frame: undefined })
    expect(() => there.read?.()).toThrow(TypeError)
    bodies.set('/cut', `${JSON.stringify(ITEMS).slice(0, -9)}{}]`)
    const counting = (await import(COUNTING)) as Pick<Reading, 'read'>
    const cut = await answerTo('/cut', { module: COUNTING, ...counting, frame: { add: 1 } })
    expect(() => cut.there.read?.()).toThrow(VendorError)
  })
})
