import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient, type SearchEvent, SeraiError } from '../../../packages/client/src/index.ts'
import { cutOff, replyJson, replyProblem, type Step, scriptedServer } from '../../support/http/scripted-server.ts'

let server: Awaited<ReturnType<typeof scriptedServer>>
let client: Client
beforeAll(async () => {
  server = await scriptedServer()
  client = createClient({ baseUrl: server.url, token: 'srt_test' })
})
afterAll(() => server.close())

const REQUEST = { destination_id: 'd', check_in: '2027-02-01', check_out: '2027-02-02', occupancies: [{ adults: 2 }] }
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const property = (property_id: string, total_price: number) => ({ property_id, total_price })
const found = (...availability: object[]) => event('properties', { availability })
const done = (...order: string[]) => event('done', { data: { search_id: 's', order } })

/** Sends the text in small chunks, as a network may. */
const inPieces =
  (text: string, size = 7): Step =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const bytes = Buffer.from(text)
    for (let offset = 0; offset < bytes.length; offset += size) {
      response.write(bytes.subarray(offset, offset + size))
      await new Promise((later) => setImmediate(later))
    }
    response.end()
  }

async function collectEvents(options: object = {}): Promise<SearchEvent[]> {
  const events: SearchEvent[] = []
  for await (const event of client.search.stream(REQUEST, options)) events.push(event)
  return events
}

test('vendors and properties stream as they are found, and done has the latest version of each property in order', async () => {
  const vendor = { vendor_id: 'a', status: 'ok', properties: 2, took_ms: 10 }
  const text =
    found(property('é1', 90), property('p2', 80)) +
    event('vendor', vendor) +
    found(property('é1', 70)) +
    done('é1', 'p2')
  server.play(inPieces(text))
  const events = await collectEvents()
  expect(events.map(({ type }) => type)).toEqual(['properties', 'vendor', 'properties', 'done'])
  expect(events[1]).toEqual({ type: 'vendor', vendor })
  expect(events[2]).toMatchObject({ changed: [property('é1', 70)] })
  expect(events.at(-1)).toEqual({
    type: 'done',
    search: { search_id: 's', availability: [property('é1', 70), property('p2', 80)] },
  })
})

test('if a proxy removes the stream, the whole response is the only event', async () => {
  server.play(replyJson(200, { data: { search_id: 's', availability: [] } }))
  expect(await collectEvents()).toEqual([{ type: 'done', search: { search_id: 's', availability: [] } }])
})

test('a search that fails midway throws with the service’s code', async () => {
  const failure = { status: 502, code: 'vendors_failed', detail: 'No vendor could answer.' }
  server.play(inPieces(found(property('p', 1)) + event('problem', failure)))
  await expect(collectEvents()).rejects.toMatchObject({ status: 502, code: 'vendors_failed', retryable: true })
})

test.each([
  ['breaks off', cutOff(found(property('p', 1)), 'text/event-stream')],
  ['ends before it is done', inPieces(found(property('p', 1)))],
  ['holds half an event', inPieces(`${found(property('p', 1))}event: done\ndata: {"da\n\n`)],
])('a stream that %s throws instead of looking complete', async (_, step) => {
  server.play(step)
  const error = await collectEvents().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SeraiError)
  expect(error).toMatchObject({ code: 'unreadable_answer', retryable: true })
})

test('leaving the loop closes the connection, and so does the signal', async () => {
  const hungUp = Promise.withResolvers<void>()
  server.play((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(found(property('p', 1)))
    response.on('close', () => hungUp.resolve())
  })
  for await (const event of client.search.stream(REQUEST)) {
    expect(event.type).toBe('properties')
    break
  }
  await hungUp.promise
  await expect(collectEvents({ signal: AbortSignal.timeout(500) })).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('opening the stream is repeated like any search', async () => {
  server.play(replyProblem(503, 'overloaded', { 'retry-after': '0' }), inPieces(done()))
  expect(await collectEvents()).toHaveLength(1)
})
