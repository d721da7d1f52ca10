import { type ClientRequest, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { SearchDone } from '../../../src/search/schemas/availability.ts'
import { AccommodationSummary, VendorReportSchema } from '../../../src/search/schemas/search.ts'
import { FoundProperties } from '../../../src/search/schemas/search-events.ts'
import {
  findLocationId,
  type SearchAnswer,
  type SearchApp,
  type Summary,
  searchApp,
  searchUntilComplete,
} from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { withLargeCity } from '../../support/sandbox/large-city.ts'

type Event = { readonly name: string; readonly data: Record<string, unknown>; readonly atMs: number }

let app: SearchApp
let port = 0
let nights = 0
beforeAll(async () => {
  app = await searchApp({}, { places: withLargeCity(3) })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.server.address() as AddressInfo).port
  await searchUntilComplete(app)
})
afterAll(() => app.close())
afterEach(() => app.clearFaults())

const freshStay = () => {
  nights += 1
  return { check_in: app.day(50 + nights), check_out: app.day(52 + nights) }
}

type Streaming = {
  readonly events: Event[]
  readonly request: ClientRequest
  readonly ended: Promise<{ status: number; type: string }>
}

/** Opens a stream on a real connection and collects its events. */
function stream(fields: Record<string, unknown>, path = '/api/accommodation_searches/search'): Streaming {
  const events: Event[] = []
  const headers = {
    authorization: `bearer: ${app.token}`,
    accept: 'text/event-stream',
    'content-type': 'application/json',
  }
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false })
  const ended = new Promise<{ status: number; type: string }>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const [, name = '', json = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
          events.push({ name, data: JSON.parse(json), atMs: performance.now() })
        }
      })
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, type: String(answer.headers['content-type']) }))
    })
  })
  ended.catch(() => undefined)
  sent.end(JSON.stringify(app.body(fields)))
  return { events, request: sent, ended }
}

type Done = Omit<SearchAnswer, 'availability'> & { order: string[] }
const readDone = ({ events }: Streaming) => events.at(-1)?.data.data as Done
const listProperties = ({ events }: Streaming) =>
  events.flatMap(({ name, data }) => (name === 'properties' ? (data.availability as Summary[]) : []))

/** Combines the events as a client would: a property first arrives whole, later only what changed. */
function assemble(streaming: Streaming): SearchAnswer {
  const { order, ...rest } = readDone(streaming)
  const latest = new Map<string, Summary>()
  for (const sent of listProperties(streaming)) {
    const { free_cancellation, ...merged } = { ...latest.get(sent.property_id), ...sent }
    latest.set(sent.property_id, { ...merged, ...(free_cancellation && { free_cancellation }) })
  }
  return { ...rest, availability: order.map((id) => latest.get(id) as Summary) }
}

/** Removes everything that may differ between two identical searches. */
function comparable(data: SearchAnswer) {
  const { search_id: _id, expires_at: _expiry, vendors, ...rest } = data
  return { ...rest, vendors: vendors.map(({ took_ms: _ms, ...vendor }) => vendor) }
}

describe('events', () => {
  test('a stream sends each vendor and its properties as they arrive, then done, all matching their schemas', async () => {
    const streaming = stream(freshStay())
    expect(await streaming.ended).toEqual({ status: 200, type: 'text/event-stream; charset=utf-8' })
    const names = streaming.events.map(({ name }) => name)
    expect(names.filter((name) => name === 'vendor')).toHaveLength(STAND_IN_IDS.length)
    expect(names.filter((name) => name === 'properties').length).toBeGreaterThanOrEqual(2)
    expect(names.at(-1)).toBe('done')
    expect(names.filter((name) => name === 'done')).toHaveLength(1)
    for (const { name, data } of streaming.events) {
      if (name === 'vendor') expectToMatch(VendorReportSchema, data)
      else if (name === 'done') expectToMatch(SearchDone, data)
      else expectToMatch(FoundProperties, data)
    }
    for (const property of assemble(streaming).availability) expectToMatch(AccommodationSummary, property)
  })

  test.each([
    '',
    '?order_by[]=total_price',
    '?order_by[]=name&order_directions[]=desc',
    '?page_size=5&filters[]=star_rating:>=<3',
  ])('the combined events equal the blocking response in any order (%s)', async (query) => {
    const path = `/api/accommodation_searches/search${query}`
    const fields = { ...freshStay(), currency: 'USD', chek_in: 1 }
    const streaming = stream(fields, path)
    await streaming.ended
    const blocking = await app.search(fields, { url: path })
    expect(comparable(assemble(streaming))).toEqual(comparable(blocking))
  })

  test('a property is sent in full once, and later only with the members that changed', async () => {
    const streaming = stream(freshStay())
    await streaming.ended
    const latest = new Map<string, Record<string, unknown>>()
    let changes = 0
    for (const property of listProperties(streaming)) {
      const before = latest.get(property.property_id)
      if (before === undefined) expectToMatch(AccommodationSummary, property)
      else {
        changes += 1
        const { property_id: _id, ...changed } = property
        expect(changed).not.toHaveProperty('name')
        expect(Object.keys(changed)).toContain('offers')
        for (const [name, value] of Object.entries(changed)) expect(value).not.toEqual(before[name] ?? null)
      }
      latest.set(property.property_id, { ...before, ...property })
    }
    expect(changes).toBeGreaterThan(0)
    expect(latest.size).toBe(readDone(streaming).order.length)
  })

  test('a fast vendor is reported long before a slow one', async () => {
    await app.sandbox.control.hotelbeds.addFaults({ kind: 'latency', operation: '*', ms: 800 })
    const streaming = stream(freshStay())
    await streaming.ended
    const reports = streaming.events.filter(({ name }) => name === 'vendor')
    expect(reports).toHaveLength(STAND_IN_IDS.length)
    const [slow, quick] = [reports.at(-1), reports.at(-2)]
    expect(slow?.data.vendor_id).toBe('hotelbeds')
    expect((slow?.atMs ?? 0) - (quick?.atMs ?? 0)).toBeGreaterThan(400)
    const first = streaming.events.find(({ name }) => name === 'properties')
    expect((slow?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(400)
  })

  test('a streamed search is saved and can be opened', async () => {
    const streaming = stream(freshStay())
    await streaming.ended
    const { search_id, order } = readDone(streaming)
    expect((await app.detail(search_id, order[0] ?? '')).statusCode).toBe(200)
  })
})

describe('accept header', () => {
  const fetchType = async (accept: string) => {
    const answer = await app.post({}, { headers: { accept } })
    return String(answer.headers['content-type']).split(';')[0]
  }

  test.each([
    'application/json, text/event-stream;q=0',
    'text/event-stream;q=0',
    'text/event-stream;q=0.5, application/json',
    '*/*',
    'text/html',
  ])('accept: %s gets JSON', async (accept) => {
    expect(await fetchType(accept)).toBe('application/json')
  })

  test.each([
    'text/event-stream',
    'Text/Event-Stream',
    'application/json, text/event-stream',
    'text/event-stream, */*;q=0.1',
  ])('accept: %s gets a stream', async (accept) => {
    expect(await fetchType(accept)).toBe('text/event-stream')
  })
})

describe('compression', () => {
  const fetchStream = async (encoding: string) => {
    const headers = { authorization: `bearer: ${app.token}`, accept: 'text/event-stream', 'accept-encoding': encoding }
    const payload = app.body({ destination_id: findLocationId('Barcelona'), ...freshStay() })
    const url = '/api/accommodation_searches/search'
    const answer = await app.http.inject({ method: 'POST', url, headers, payload })
    return { answer, bytes: answer.rawPayload.length }
  }

  test('a stream uses an encoding that the client accepts, and 500 properties take at most 400 kB', async () => {
    await searchUntilComplete(app, { destination_id: findLocationId('Barcelona') })
    const plain = await fetchStream('identity')
    expect(plain.answer.headers['content-encoding']).toBeUndefined()
    const found = plain.answer.body.match(/"order":\[([^\]]*)\]/)?.[1]?.split(',').length ?? 0
    expect(found).toBeGreaterThan(250)
    for (const [encoding, unpack] of Object.entries({ br: brotliDecompressSync, gzip: gunzipSync })) {
      const { answer, bytes } = await fetchStream(encoding)
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(answer.headers.vary).toContain('accept-encoding')
      expect(unpack(answer.rawPayload).toString()).toMatch(/event: done\ndata: .*\n\n$/)
      expect((bytes / found) * 500).toBeLessThan(400_000)
    }
    expect((await fetchStream('gzip;q=0, br;q=0')).answer.headers['content-encoding']).toBeUndefined()
  }, 60_000)
})

describe('failing streams', () => {
  test('a failed vendor is reported in a vendor event, and done is partial', async () => {
    await app.sandbox.control.hotelbeds.addFaults({ kind: 'reset_before', operation: '*' })
    const streaming = stream(freshStay())
    await streaming.ended
    const reports = streaming.events.filter(({ name }) => name === 'vendor').map(({ data }) => data)
    expect(reports).toContainEqual(expect.objectContaining({ vendor_id: 'hotelbeds', status: 'error' }))
    expect(readDone(streaming).partial).toBe(true)
  })

  test('a problem event replaces done if no vendor responded', async () => {
    for (const control of Object.values(app.sandbox.control))
      await control.addFaults({ kind: 'error_before', operation: '*' })
    const streaming = stream(freshStay())
    await streaming.ended
    const last = streaming.events.at(-1)
    expect(last?.name).toBe('problem')
    expect(last?.data).toMatchObject({ status: 502, code: 'vendors_failed' })
    expect(streaming.events.some(({ name }) => name === 'done')).toBe(false)
  })

  test('an invalid request returns an ordinary 422 before the stream begins', async () => {
    const streaming = stream({ currency: 'XYZ' })
    const { status, type } = await streaming.ended
    expect([status, type]).toEqual([422, 'application/problem+json; charset=utf-8'])
  })
})

describe('clients that disconnect', () => {
  const busy = () => STAND_IN_IDS.reduce((sum, id) => sum + app.traffic.busySockets(id), 0)
  const until = async (condition: () => boolean, ms: number) => {
    const end = performance.now() + ms
    while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
    return condition()
  }

  test.each(['text/event-stream', 'application/json'])(
    'a client that disconnects frees the vendors’ connections (%s)',
    async (accept) => {
      for (const control of Object.values(app.sandbox.control))
        await control.addFaults({ kind: 'hang', operation: '*' })
      const fields = { ...freshStay(), timeout_ms: 15_000 }
      const headers = { authorization: `bearer: ${app.token}`, accept, 'content-type': 'application/json' }
      const path = '/api/accommodation_searches/search'
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false })
      sent.on('error', () => undefined)
      sent.end(JSON.stringify(app.body(fields)))
      expect(await until(() => busy() >= STAND_IN_IDS.length, 5_000)).toBe(true)
      sent.destroy()
      // The documented limit is 100 ms; a busy machine gets more.
      expect(await until(() => busy() === 0, 1_000)).toBe(true)
    },
  )

  test('a client that disconnects does not affect another client with the same search', async () => {
    await app.sandbox.control.expedia_rapid.addFaults({ kind: 'latency', operation: '*', ms: 500 })
    const stay = freshStay()
    const leaving = stream(stay)
    const staying = stream(stay)
    expect(await until(() => app.traffic.busySockets('expedia_rapid') === 1, 5_000)).toBe(true)
    leaving.request.destroy()
    await staying.ended
    expect(readDone(staying)).toMatchObject({ partial: false })
  })
})
