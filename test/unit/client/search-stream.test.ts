import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient, type SearchEvent, SeraiError } from '../../../packages/client/src/index.ts'
import { cutOff, json, problem, type Step, scriptedServer } from '../../support/http/scripted-server.ts'

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

/** In pieces of a few bytes, as a network may deliver it. */
const inPieces =
  (text: string, size = 7): Step =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size))
      await new Promise((later) => setImmediate(later))
    }
    response.end()
  }

async function eventsOf(options: object = {}): Promise<SearchEvent[]> {
  const events: SearchEvent[] = []
  for await (const one of client.search.stream(REQUEST, options)) events.push(one)
  return events
}

test('vendors and properties come as they are found, the last version of a property counts, and done has all in order', async () => {
  const vendor = { vendor_id: 'a', status: 'ok', properties: 2, took_ms: 10 }
  const text =
    found(property('é1', 90), property('p2', 80)) +
    event('vendor', vendor) +
    found(property('é1', 70)) +
    done('é1', 'p2')
  server.play(inPieces(text))
  const events = await eventsOf()
  expect(events.map(({ type }) => type)).toEqual(['properties', 'vendor', 'properties', 'done'])
  expect(events[1]).toEqual({ type: 'vendor', vendor })
  expect(events[2]).toMatchObject({ changed: [property('é1', 70)] })
  expect(events.at(-1)).toEqual({
    type: 'done',
    search: { search_id: 's', availability: [property('é1', 70), property('p2', 80)] },
  })
})

test('where something on the way takes the stream out, the whole answer is the only event', async () => {
  server.play(json(200, { data: { search_id: 's', availability: [] } }))
  expect(await eventsOf()).toEqual([{ type: 'done', search: { search_id: 's', availability: [] } }])
})

test('a search that fails midway is an error with the service’s code', async () => {
  const words = { status: 502, code: 'vendors_failed', detail: 'No vendor could answer.' }
  server.play(inPieces(found(property('p', 1)) + event('problem', words)))
  await expect(eventsOf()).rejects.toMatchObject({ status: 502, code: 'vendors_failed', retryable: true })
})

test.each([
  ['breaks off', cutOff(found(property('p', 1)), 'text/event-stream')],
  ['ends before it is done', inPieces(found(property('p', 1)))],
  ['holds half an event', inPieces(`${found(property('p', 1))}event: done\ndata: {"da\n\n`)],
])('a stream that %s is an error, never a search that looks complete', async (_, step) => {
  server.play(step)
  const error = await eventsOf().catch((one: unknown) => one)
  expect(error).toBeInstanceOf(SeraiError)
  expect(error).toMatchObject({ code: 'unreadable_answer', retryable: true })
})

test('whoever stops reading hangs up, and the signal ends it too', async () => {
  const hungUp = Promise.withResolvers<void>()
  server.play((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(found(property('p', 1)))
    response.on('close', () => hungUp.resolve())
  })
  for await (const one of client.search.stream(REQUEST)) {
    expect(one.type).toBe('properties')
    break
  }
  await hungUp.promise
  await expect(eventsOf({ signal: AbortSignal.timeout(500) })).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('opening the stream is tried again like any search', async () => {
  server.play(problem(503, 'overloaded', { 'retry-after': '0' }), inPieces(done()))
  expect(await eventsOf()).toHaveLength(1)
})
