import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOLS } from '../../../src/agents/tools.ts'
import { readConfig } from '../../../src/config.ts'
import { checkBody } from '../../../src/http/body/check-body.ts'
import { OTHER_ACCOUNT, testApp } from '../../support/app/app.ts'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'

type Json = Record<string, unknown>
/** The fields that these tests read; the client validates the whole result against its output schema. */
type Prepared = {
  prepared_id: string
  terms_digest: string
  summary: string
  terms: {
    total_price: number
    currency: string
    check_in: string
    check_out: string
    guests: string[]
    property: { name: string }
    fees: { currency: string }[]
    cancel_policy: { penalties: { currency: string }[] }
  }
}
type Booked = { booking_id: string; status: string; total_price: number; currency: string; guests: string[] }

let app: LedgerApp
const url = new URL('http://127.0.0.1/mcp')
const open: Client[] = []
/** Validators of the listed output schemas by tool. */
const listed = new Map<string, ValidateFunction>()
beforeAll(async () => {
  app = await ledgerApp()
  const { tools } = await (await connect()).listTools()
  for (const { name, outputSchema } of tools)
    listed.set(name, new Ajv2020({ strict: false, validateFormats: false }).compile(outputSchema as object))
})
afterAll(async () => {
  for (const client of open) await client.close()
  await app.close()
})

/**
 * Avoids sockets, so that a busy machine does not look like an overloaded service; test/process/mcp.test.ts uses them.
 */
async function inProcess(_url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = Object.fromEntries(new Headers(init.headers))
  const payload = typeof init.body === 'string' ? { payload: init.body } : {}
  const method = init.method === 'POST' ? 'POST' : 'GET'
  const answer = await app.http.inject({ method, url: '/mcp', headers: { ...headers, host: '127.0.0.1' }, ...payload })
  const refused = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
  return new Response(answer.statusCode === 202 ? null : answer.body, { status: answer.statusCode, headers: refused })
}

type Options = {
  token?: string
  era?: 'auto' | 'legacy'
  answers?: 'accept' | 'decline'
  headers?: Record<string, string>
}

async function connect({ token = app.token, era = 'auto', answers, headers = {} }: Options = {}): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era }, capabilities: answers === undefined ? {} : { elicitation: { form: {} } } },
  )
  if (answers !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message)
      return answers === 'accept' ? { action: 'accept', content: { confirm: true } } : { action: 'decline' }
    })
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit, fetch: inProcess }))
  open.push(client)
  return client
}
const questions: string[] = []

async function use<T = Json>(client: Client, name: string, args: Json): Promise<{ isError: boolean; data: T }> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
  const [first] = content as { type: string; text: string }[]
  const data = JSON.parse(first?.text ?? 'null')
  if (isError !== true) expect(structuredContent).toEqual(data)
  const tool = TOOLS.find((known) => known.name === name)
  if (isError !== true) expect(listed.get(name)?.(data), name).toBe(true)
  // The tool list only outlines the output; this is the whole schema.
  if (isError !== true && tool !== undefined) checkBody(tool.output, data)
  return { isError: isError === true, data }
}

async function expectSuccess<T = Json>(client: Client, name: string, args: Json): Promise<T> {
  const { isError, data } = await use<T>(client, name, args)
  expect(isError, `${name}: ${JSON.stringify(data)}`).toBe(false)
  return data
}

const expectError = async (client: Client, name: string, args: Json) => {
  const { isError, data } = await use<{ code: string; message: string } & Json>(client, name, args)
  expect(isError, JSON.stringify(data)).toBe(true)
  return data
}

const day = (ahead: number) => new Date(app.clock.now() + ahead * 86_400_000).toISOString().slice(0, 10)
const GUESTS = [{ given_name: 'Ada', family_name: 'Lovelace' }]

async function stays(client: Client, more: Json = {}) {
  const { places } = await expectSuccess<{ places: { id: string }[] }>(client, 'search_places', { query: 'Zermatt' })
  const args = {
    place_id: places[0]?.id,
    check_in: day(40),
    check_out: day(42),
    rooms: [{ adults: 2 }],
    currency: 'EUR',
  }
  type Stays = {
    search_id: string
    stays: { property_id: string; total_price: number; free_cancellation?: { total_price: number } }[]
    next_cursor: string
    found: number
  }
  return expectSuccess<Stays>(client, 'search_stays', { ...args, ...more })
}

let visited = 0
/** First room of a property that no test has used yet. */
async function offer(client: Client): Promise<string> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { search_id, stays: list } = await stays(client, { sort: 'distance', limit: 10 })
    const property_id = list[visited % list.length]?.property_id
    visited += 1
    type Rooms = { rooms: { offer_id: string; rooms_left: number | null }[] }
    const { rooms } = await expectSuccess<Rooms>(client, 'get_rooms', { search_id, property_id })
    const free = rooms.find(({ rooms_left: left }) => left !== null && left >= 3) ?? rooms[0]
    if (free !== undefined) return free.offer_id
  }
  throw new Error('No room is free.')
}

const prepare = async (client: Client): Promise<Prepared> =>
  expectSuccess<Prepared>(client, 'prepare_booking', { offer_id: await offer(client), guests: GUESTS })

const bookedAtVendors = async () => (await app.ledger()).length

describe('MCP tools', () => {
  test.each(['auto', 'legacy'] as const)('a client that negotiates %s is offered the same eight tools', async (era) => {
    const client = await connect({ era })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    expect(tools).toHaveLength(8)
    for (const { name, annotations, outputSchema, inputSchema, description } of tools) {
      const moves = name === 'confirm_booking' || name === 'cancel_booking'
      expect([name, annotations?.destructiveHint]).toEqual([name, moves])
      expect(annotations?.readOnlyHint, name).toBe(!moves && name !== 'prepare_booking')
      expect(outputSchema?.type, name).toBe('object')
      expect(JSON.stringify({ inputSchema, outputSchema }), name).not.toMatch(/\$ref|x-errors/)
      expect(description?.length, name).toBeGreaterThan(40)
    }
    expect(client.getInstructions()).toContain('Money moves only in confirm_booking and cancel_booking')
  })

  test.each(['auto', 'legacy'] as const)(
    'the tools (%s) take an agent from a place to exactly one booking and its cancellation',
    async (era) => {
      const client = await connect({ era })
      const before = await bookedAtVendors()
      const prepared = await prepare(client)
      expect(await bookedAtVendors(), 'preparing books nothing').toBe(before)
      expect(prepared.summary).toContain(`Total: EUR ${prepared.terms.total_price.toFixed(2)}`)

      const args = { prepared_id: prepared.prepared_id, terms_digest: prepared.terms_digest }
      const booked = await expectSuccess<Booked>(client, 'confirm_booking', args)
      expect(booked).toMatchObject({ status: 'confirmed', guests: ['Ada Lovelace'] })
      expect(await expectSuccess(client, 'confirm_booking', args), 'again').toEqual(booked)
      expect(await expectSuccess(client, 'get_booking', { prepared_id: prepared.prepared_id })).toEqual(booked)
      expect(await bookedAtVendors()).toBe(before + 1)

      const shown = await app.request({ url: `/api/accommodation/bookings/${booked.booking_id}` })
      const api = shown.json().data
      expect(prepared.terms).toMatchObject({
        total_price: api.total_price,
        currency: api.currency,
        check_in: api.check_in,
        due_at_property: api.due_at_property,
        cancel_policy: api.cancel_policy,
        fees: api.fees,
      })

      const { booking_id } = booked
      const preview = await expectSuccess<{ cancel_digest: string; penalty: number }>(client, 'preview_cancellation', {
        booking_id,
      })
      const stale = await expectError(client, 'cancel_booking', {
        booking_id,
        cancel_digest: `${preview.cancel_digest}x`,
      })
      expect(stale.code).toBe('digest_mismatch')
      expect(JSON.stringify(stale), 'the right digest is not handed out').not.toContain(preview.cancel_digest)
      expect(await expectSuccess(client, 'get_booking', { booking_id })).toMatchObject({ status: 'confirmed' })
      const cancelled = await expectSuccess(client, 'cancel_booking', {
        booking_id,
        cancel_digest: preview.cancel_digest,
      })
      expect(cancelled).toMatchObject({ status: 'cancelled', penalty: preview.penalty })
      expect(await expectSuccess(client, 'cancel_booking', { booking_id, cancel_digest: 'any' }), 'again').toEqual(
        cancelled,
      )
      const over = await expectSuccess<{ summary: string }>(client, 'preview_cancellation', { booking_id })
      expect(over.summary, 'asks for nothing').toMatch(/^Already cancelled: /)
    },
  )

  test('search_stays pages, filters and sorts the results', async () => {
    const client = await connect()
    const first = await stays(client, { sort: 'price', limit: 3 })
    const more = { sort: 'price', limit: 3, cursor: first.next_cursor }
    const second = await stays(client, more)
    expect(second.search_id).toBe(first.search_id)
    const totals = [...first.stays, ...second.stays].map(({ total_price }) => total_price)
    expect(totals).toEqual([...totals].sort((a, b) => a - b))
    expect(new Set([...first.stays, ...second.stays].map(({ property_id }) => property_id)).size).toBe(totals.length)
    const cheap = await stays(client, { max_total: totals[1], limit: 10 })
    expect(cheap.stays.every(({ total_price }) => total_price <= (totals[1] ?? 0))).toBe(true)
    expect(cheap.found).toBeLessThan(first.found)
    expect(await expectError(client, 'search_stays', { ...(await createArgs(client)), cursor: 'x' })).toMatchObject({
      code: 'invalid_cursor',
    })
  })

  test('search_stays with free_cancellation returns stays at the price of an offer with free cancellation', async () => {
    const client = await connect()
    const { stays: list } = await stays(client, { free_cancellation: true })
    const prices = list.map(({ total_price, free_cancellation }) => [total_price, free_cancellation?.total_price ?? 0])
    expect(prices.length).toBeGreaterThan(0)
    expect(prices.filter(([shown, free]) => free !== shown)).toEqual([])
  })

  test('get_rooms pages through every room of a hotel from the cheapest on, and the last one can be prepared', async () => {
    const client = await connect()
    const { search_id, stays: list } = await stays(client)
    type Page = { rooms: { offer_id: string; total_price: number }[]; more_rooms: number }
    const firsts = list.map(async ({ property_id }) => ({
      property_id,
      page: await expectSuccess<Page>(client, 'get_rooms', { search_id, property_id }),
    }))
    const largest = (await Promise.all(firsts)).reduce((a, b) => (b.page.more_rooms > a.page.more_rooms ? b : a))
    const args = { search_id, property_id: largest.property_id }
    const query = new URLSearchParams({ ...args, raw: 'true' })
    const api = (await app.request({ url: `/api/accommodation_searches/accommodation?${query}` })).json()
    const totals = api.available_rooms.map((room: { total_inclusive: number }) => room.total_inclusive)
    expect(totals.length, 'more than fit into one answer').toBeGreaterThan(10)

    const seen: Page['rooms'] = []
    for (let more = 1; more > 0; ) {
      const page = await expectSuccess<Page>(client, 'get_rooms', { ...args, offset: seen.length })
      expect(page.rooms.length).toBeLessThanOrEqual(10)
      expect(JSON.stringify(page).length).toBeLessThan(20_000)
      seen.push(...page.rooms)
      more = page.more_rooms
      expect(more).toBe(totals.length - seen.length)
    }
    expect(seen.map(({ total_price }) => total_price)).toEqual(totals)
    await expectSuccess(client, 'prepare_booking', { offer_id: seen.at(-1)?.offer_id, guests: GUESTS })
    const beyond = await expectSuccess<Page>(client, 'get_rooms', { ...args, offset: totals.length + 5 })
    expect(beyond).toMatchObject({ rooms: [], more_rooms: 0 })
  })

  const createArgs = async (client: Client) => {
    const { places } = await expectSuccess<{ places: { id: string }[] }>(client, 'search_places', { query: 'Zermatt' })
    return { place_id: places[0]?.id, check_in: day(40), check_out: day(42), rooms: [{ adults: 2 }] }
  }

  test('invalid arguments return errors that a model can correct, and never crash a tool', async () => {
    const client = await connect()
    const past = { ...(await createArgs(client)), check_in: day(-3), check_out: day(-1) }
    expect(await expectError(client, 'search_stays', past)).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'check_in', message: expect.any(String) }],
    })
    const { places } = await expectSuccess<{ places: { id: string }[] }>(client, 'search_places', {
      query: 'Switzerland',
    })
    expect(
      await expectError(client, 'search_stays', { ...(await createArgs(client)), place_id: places[0]?.id }),
    ).toMatchObject({
      code: 'location_too_large',
      choose_instead: expect.arrayContaining([{ id: expect.any(String), name: expect.any(String), type: 'city' }]),
    })
    for (const place_id of ['Zermatt', '00000000-0000-4000-8000-000000000000']) {
      const refused = JSON.stringify(
        await expectError(client, 'search_stays', { ...(await createArgs(client)), place_id }),
      )
      expect(refused, 'by the name of the argument').toContain('place_id')
      expect(refused).not.toContain('destination_id')
    }
    const long = 'x'.repeat(4_000)
    for (const { name, input } of TOOLS) {
      const fields = Object.keys((input as unknown as { properties: Json }).properties)
      for (const wrong of [
        {},
        { unknown: 1 },
        Object.fromEntries(fields.map((field) => [field, long])),
        Object.fromEntries(fields.map((field) => [field, 7])),
      ]) {
        const refused = await expectError(client, name, wrong)
        expect(refused, `${name} ${Object.keys(wrong)}`).toMatchObject({
          code: 'invalid_request',
          message: expect.stringMatching(/^(These fields are not valid: |Send either )/),
          effect: 'none',
        })
      }
    }
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  })
})

test('prepare_booking refuses and discards an order that could not be booked, before the user is asked to agree', async () => {
  const client = await connect()
  const offer_id = await offer(client)
  const order = (more: Json) => ({ offer_id, guests: GUESTS, ...more })
  const [ada] = GUESTS
  const wrong: [Json, string, string][] = [
    [{ special_requests: 'Card 4111 1111 1111 1111' }, 'card_data_not_accepted', 'special_requests'],
    [{ guests: [{ given_name: '<b>', family_name: 'Lovelace' }] }, 'invalid_request', 'guests[0].given_name'],
    [{ guests: [{ ...ada, email: 'nobody' }] }, 'invalid_request', 'guests[0].email'],
    [{ guests: [ada, ada] }, 'invalid_request', 'guests'],
  ]
  for (const [more, code, field] of wrong)
    expect(await expectError(client, 'prepare_booking', order(more))).toMatchObject({ code, errors: [{ field }] })
  await expectSuccess(client, 'prepare_booking', order({ special_requests: 'A quiet room' }))
})

describe('confirming a booking', () => {
  test('confirm_booking requires the digest of exactly these terms', async () => {
    const client = await connect()
    const before = await bookedAtVendors()
    const { prepared_id, terms_digest } = await prepare(client)
    const wrong = `${terms_digest.slice(0, -1)}${terms_digest.endsWith('0') ? '1' : '0'}`
    const refused = await expectError(client, 'confirm_booking', { prepared_id, terms_digest: wrong })
    expect(refused).toEqual({ code: 'digest_mismatch', message: expect.any(String), effect: 'none' })
    expect(JSON.stringify(refused), 'the right digest is not handed out').not.toContain(terms_digest)
    expect(await bookedAtVendors()).toBe(before)
  })

  test('an id is valid only for the account it was issued to, and until it expires', async () => {
    const [client, other] = [await connect(), await connect({ token: app.otherToken })]
    const { prepared_id, terms_digest } = await prepare(client)
    const before = await bookedAtVendors()
    const args = { prepared_id, terms_digest }
    expect(await expectError(other, 'confirm_booking', args)).toMatchObject({ code: 'no_such_prepared_booking' })
    expect(
      await expectError(other, 'prepare_booking', { offer_id: await offer(client), guests: GUESTS }),
    ).toMatchObject({
      code: 'no_such_offer',
    })
    expect(await expectError(client, 'confirm_booking', { ...args, prepared_id: 'prp_0' })).toMatchObject({
      code: 'no_such_prepared_booking',
    })
    app.clock.advance(3_600_000)
    expect(await expectError(client, 'confirm_booking', args)).toMatchObject({ code: 'prepared_booking_expired' })
    expect(await bookedAtVendors()).toBe(before)
  })

  test('a hundred concurrent confirmations make one booking', async () => {
    const client = await connect()
    const { prepared_id, terms_digest } = await prepare(client)
    const before = await bookedAtVendors()
    const all = await Promise.all(
      Array.from({ length: 100 }, () => use<Booked>(client, 'confirm_booking', { prepared_id, terms_digest })),
    )
    expect(all.filter(({ isError }) => isError).map(({ data }) => data)).toEqual([])
    expect(new Set(all.map(({ data }) => data.booking_id)).size).toBe(1)
    expect(await bookedAtVendors()).toBe(before + 1)
  }, 60_000)

  test('terms that got worse are prepared again, and nothing is booked until the user agrees', async () => {
    const client = await connect()
    const { prepared_id, terms_digest, terms } = await prepare(client)
    const before = await bookedAtVendors()
    await app.faults({ kind: 'price_change', operation: 'price_check' })
    const refused = await expectError(client, 'confirm_booking', { prepared_id, terms_digest })
    await app.noFaults()
    expect(refused.code).toMatch(/^(price|terms)_changed$/)
    expect(refused.prepared_id).not.toBe(prepared_id)
    expect((refused.terms as Prepared['terms']).property).toEqual(terms.property)
    expect(await bookedAtVendors()).toBe(before)
  })

  test('if the vendor charges in another currency than requested, the user agrees to the amount that is charged', async () => {
    const client = await connect()
    const { search_id, stays: list } = await stays(client, { currency: 'USD', sort: 'distance' })
    type Total = { total_price: number; currency: string }
    type Rooms = { rooms: (Total & { offer_id: string; charged: Total | null })[] }
    const found: Rooms['rooms'] = []
    for (const { property_id } of list)
      found.push(...(await expectSuccess<Rooms>(client, 'get_rooms', { search_id, property_id })).rooms)
    const room = found.find(({ charged }) => charged !== null) ?? expect.fail('no room is converted')
    expect([room.currency, room.charged?.currency]).toEqual(['USD', 'EUR'])

    const args = { offer_id: room.offer_id, guests: GUESTS }
    const { prepared_id, terms_digest, terms, summary } = await expectSuccess<Prepared>(client, 'prepare_booking', args)
    expect(terms).toMatchObject({ ...room.charged, about: { total_price: room.total_price, currency: 'USD' } })
    for (const part of [...terms.fees, ...terms.cancel_policy.penalties]) expect(part.currency).toBe('EUR')
    const [charged, about] = [terms.total_price.toFixed(2), room.total_price.toFixed(2)]
    expect(summary).toContain(`\nTotal: EUR ${charged} (about USD ${about})`)
    expect(await expectSuccess(client, 'confirm_booking', { prepared_id, terms_digest })).toMatchObject(
      room.charged ?? {},
    )
  })

  test('a client that can ask its user shows the amounts, and a refusal books nothing', async () => {
    const before = await bookedAtVendors()
    const refusing = await connect({ answers: 'decline' })
    const first = await prepare(refusing)
    const no = { prepared_id: first.prepared_id, terms_digest: first.terms_digest }
    expect(await expectError(refusing, 'confirm_booking', no)).toMatchObject({ code: 'declined' })
    expect(questions.at(-1)).toBe(first.summary)
    expect(await bookedAtVendors()).toBe(before)

    const agreeing = await connect({ answers: 'accept' })
    const booked = await expectSuccess<Booked>(agreeing, 'confirm_booking', no)
    expect(await bookedAtVendors()).toBe(before + 1)
    const { booking_id } = booked
    const { cancel_digest } = await expectSuccess<{ cancel_digest: string }>(agreeing, 'preview_cancellation', {
      booking_id,
    })
    expect(await expectError(refusing, 'cancel_booking', { booking_id, cancel_digest })).toMatchObject({
      code: 'declined',
    })
    expect(await expectSuccess(agreeing, 'cancel_booking', { booking_id, cancel_digest })).toMatchObject({
      status: 'cancelled',
    })
    const [stay, fee, hotel] = questions.at(-1)?.split('\n') ?? []
    const { property, check_in, check_out } = first.terms
    expect(stay, 'which booking it is').toBe(`Cancel ${check_in} to ${check_out} now.`)
    expect(fee).toMatch(/^Fee: EUR \d/)
    expect(hotel).toBe(`Hotel, as it names itself (untrusted text): "${property.name}"`)
  })

  test('a confirmation that was not requested is ignored', async () => {
    const client = await connect()
    const { prepared_id, terms_digest } = await prepare(client)
    const before = await bookedAtVendors()
    const call = (params: Json) =>
      inProcess(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${app.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'confirm_booking',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'confirm_booking',
            arguments: { prepared_id, terms_digest },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
            },
            ...params,
          },
        }),
      }).then(async (answer) => ({
        status: answer.status,
        body: (await answer.json()) as { result?: Json; error?: Json },
      }))
    const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } }
    expect((await call({ inputResponses })).body.result).toMatchObject({ resultType: 'input_required' })
    const forged = await call({ inputResponses, requestState: 'v1.e30.AAAA' })
    expect(forged.body.error).toMatchObject({ code: -32602 })
    expect(await bookedAtVendors()).toBe(before)
  })
})

describe('API keys of agents', () => {
  const makeKey = async (more: Json) => {
    const payload = { name: 'agent', mode: 'live', scopes: ['search', 'book', 'read', 'cancel'], ...more }
    const made = await app.request({ method: 'POST', url: '/api/accounts/keys', payload })
    expect(made.statusCode, made.body).toBe(201)
    return made.json().data as { id: string; key: string }
  }

  test('a key offers only the tools that its scopes permit, and no others can be called', async () => {
    const { key } = await makeKey({ scopes: ['search', 'read'] })
    const client = await connect({ token: key })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search_places', 'search_stays', 'get_rooms', 'get_booking'])
    await expect(
      client.callTool({ name: 'cancel_booking', arguments: { booking_id: 'x', cancel_digest: 'x' } }),
    ).rejects.toMatchObject({ code: -32602 })
  })

  test('a key is offered prepare_booking only if it has both search and book', async () => {
    const seenWith = async (...scopes: string[]) => {
      const client = await connect({ token: (await makeKey({ scopes })).key })
      return (await client.listTools()).tools.map(({ name }) => name)
    }
    expect(await seenWith('book')).toEqual(['confirm_booking'])
    expect(await seenWith('search')).not.toContain('prepare_booking')
    expect(await seenWith('search', 'book')).toEqual([
      'search_places',
      'search_stays',
      'get_rooms',
      'prepare_booking',
      'confirm_booking',
    ])
  })

  test('a key without the scope read gets the same booking when it confirms again, even after the preparation expired', async () => {
    const client = await connect({ token: (await makeKey({ scopes: ['search', 'book'] })).key, answers: 'accept' })
    const { prepared_id, terms_digest } = await prepare(client)
    const before = await bookedAtVendors()
    const args = { prepared_id, terms_digest }
    const booked = await expectSuccess<Booked>(client, 'confirm_booking', args)
    const questionsBefore = questions.length
    expect(await expectSuccess(client, 'confirm_booking', args), 'again').toEqual(booked)
    app.clock.advance(3_600_000)
    expect(await expectSuccess(client, 'confirm_booking', args), 'an hour later').toEqual(booked)
    expect(questions, 'the user is not asked twice').toHaveLength(questionsBefore)
    expect(await expectError(client, 'confirm_booking', { ...args, terms_digest: 'another' })).toMatchObject({
      code: 'digest_mismatch',
    })
    expect(await bookedAtVendors()).toBe(before + 1)
  })

  test('a key without the scope search is informed that the price or terms have changed', async () => {
    const { prepared_id, terms_digest } = await prepare(await connect())
    const client = await connect({ token: (await makeKey({ scopes: ['book'] })).key })
    await app.faults({ kind: 'price_change', operation: 'price_check' })
    const refused = await expectError(client, 'confirm_booking', { prepared_id, terms_digest })
    await app.noFaults()
    expect(refused.code).toMatch(/^(price|terms)_changed$/)
    expect(refused.new_total).toEqual(expect.any(Number))
    expect(refused.message, 'has no room to book').not.toContain('in this response')
  })

  test('a key with the scope read gets the current status of the booking when it confirms again', async () => {
    const client = await connect({ token: (await makeKey({})).key })
    const { prepared_id, terms_digest } = await prepare(client)
    const { booking_id } = await expectSuccess<Booked>(client, 'confirm_booking', { prepared_id, terms_digest })
    const { cancel_digest } = await expectSuccess<{ cancel_digest: string }>(client, 'preview_cancellation', {
      booking_id,
    })
    await expectSuccess(client, 'cancel_booking', { booking_id, cancel_digest })
    expect(await expectSuccess(client, 'confirm_booking', { prepared_id, terms_digest })).toMatchObject({
      booking_id,
      status: 'cancelled',
    })
  })

  test('a key is the actor of its agent’s bookings', async () => {
    const { id, key } = await makeKey({})
    const client = await connect({ token: key })
    const { prepared_id, terms_digest } = await prepare(client)
    const { booking_id } = await expectSuccess<Booked>(client, 'confirm_booking', { prepared_id, terms_digest })
    const { events } = (await app.request({ url: `/api/accommodation/bookings/${booking_id}` })).json().data
    expect(events[0].actor).toEqual({ kind: 'key', id })
  })

  test('a hundred concurrent confirmations do not exceed the budget of a key', async () => {
    const free = await connect()
    const prepared: Prepared[] = []
    for (let index = 0; index < 10; index += 1) prepared.push(await prepare(free))
    const totals = prepared.map(({ terms }) => terms.total_price)
    const amount = Math.ceil(totals.reduce((sum, total) => sum + total, 0) / 3)
    const { key } = await makeKey({ budget: { amount, currency: 'EUR', per: 'day' } })
    const client = await connect({ token: key })
    const before = await bookedAtVendors()
    const calls = prepared.flatMap(({ prepared_id, terms_digest }) =>
      Array.from({ length: 10 }, () =>
        use<Booked & { code: string }>(client, 'confirm_booking', { prepared_id, terms_digest }),
      ),
    )
    const all = await Promise.all(calls)
    const refused = all.filter(({ isError }) => isError).map(({ data }) => data)
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['budget_exceeded']))
    expect(refused[0]).toMatchObject({ budget: { amount, currency: 'EUR', left: expect.any(Number) } })
    const booked = new Map(all.filter(({ isError }) => !isError).map(({ data }) => [data.booking_id, data.total_price]))
    expect(booked.size).toBeGreaterThan(0)
    expect([...booked.values()].reduce((sum, total) => sum + total, 0)).toBeLessThanOrEqual(amount)
    expect(await bookedAtVendors()).toBe(before + booked.size)
  }, 120_000)

  test('a test key makes only simulated bookings', async () => {
    const client = await connect({ token: (await makeKey({ mode: 'test' })).key })
    const before = await bookedAtVendors()
    const { prepared_id, terms_digest } = await prepare(client)
    expect(await expectSuccess(client, 'confirm_booking', { prepared_id, terms_digest })).toMatchObject({
      status: 'confirmed',
      simulated: true,
    })
    expect(await bookedAtVendors()).toBe(before)
  })
})

describe('MCP over HTTP', () => {
  const post = (headers: Record<string, string>, body = '{}') =>
    app.http.inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'content-type': 'application/json', ...headers },
      payload: body,
    })
  const bearer = () => ({ authorization: `Bearer ${app.token}` })

  test('MCP requests without a valid token are refused', async () => {
    const none = await post({})
    expect([none.statusCode, none.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Bearer')])
    expect((await post({ authorization: 'Bearer srt_nope' })).statusCode).toBe(401)
    expect((await app.http.inject({ method: 'GET', url: '/mcp', headers: bearer() })).statusCode).toBe(405)
  })

  test.each([
    { host: 'evil.example' },
    { host: '127.0.0.1', origin: 'https://evil.example' },
    { host: '127.0.0.1', origin: 'null' },
  ])('an MCP request with another host or origin is refused: %j', async (headers) => {
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect((await post({ ...bearer(), ...headers }, list)).statusCode).toBe(403)
  })

  test('an MCP request is limited to the usual body size', async () => {
    expect((await post(bearer(), `"${'x'.repeat(70_000)}"`)).statusCode).toBe(413)
  })

  test('an account can have eight subscriptions at most, and they do not keep the service from closing', async () => {
    const ownApp = await testApp()
    await ownApp.http.listen({ host: '127.0.0.1', port: 0 })
    const token = await ownApp.signIn()
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { notifications: { toolsListChanged: true }, _meta: meta }
    const url = `http://127.0.0.1:${(ownApp.http.server.address() as AddressInfo).port}/mcp`
    const listen = (as: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${as}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
      })
    const answer = await listen(token)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('event-stream')])
    const more = await Promise.all(Array.from({ length: 8 }, () => listen(token)))
    expect(more.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 429])
    expect((await listen(await ownApp.signIn(OTHER_ACCOUNT))).status).toBe(200)
    for (let rounds = 0; rounds < 10; rounds += 1) {
      await new Promise((later) => setTimeout(later, 20))
      collectGarbage()
    }
    const startedAt = performance.now()
    await ownApp.close()
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test('a tool that runs while the service closes is completed, and no new one is started', async () => {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ownApp = await testApp(
      {},
      {
        onRoute(route) {
          if (route.url !== '/api/accommodation_searches/search') return
          const { handler } = route
          route.handler = async function (request, reply) {
            begun.resolve()
            await released.promise
            return handler.call(this, request, reply)
          }
        },
      },
    )
    const token = await ownApp.signIn()
    const use = async (name: string, args: Json) => {
      const answer = await ownApp.as(token, {
        method: 'POST',
        url: '/mcp',
        headers: { host: '127.0.0.1', accept: 'application/json, text/event-stream', 'x-simulate-return': 'success' },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      })
      return JSON.parse(/\{.*\}/.exec(answer.body)?.[0] ?? 'null').result
    }
    const [place] = (await use('search_places', { query: 'Paris' })).structuredContent.places
    const stay = { check_in: day(40), check_out: day(42), rooms: [{ adults: 2 }] }
    const search = use('search_stays', { place_id: place.id, ...stay })
    await begun.promise
    const closed = ownApp.close()
    const late = await use('search_places', { query: 'Rome' })
    released.resolve()
    expect((await search).structuredContent.stays.length).toBeGreaterThan(0)
    expect([late.isError, late.content[0].text]).toEqual([true, expect.stringContaining('"code":"overloaded"')])
    await closed
  })

  test('MCP is disabled in production unless it is switched on, and its path then returns 404', async () => {
    const secrets = { SERAI_SECRETS: `k1:${randomBytes(32).toString('base64')}` }
    const production = (more: Record<string, string> = {}) => {
      try {
        return readConfig({ NODE_ENV: 'production', SERAI_SANDBOX: 'false', ...secrets, ...more }).mcp.isServed
      } catch (error) {
        return String(error)
      }
    }
    expect(production()).toBe(false)
    expect(production({ SERAI_MCP: 'true' })).toBe(true)
    const off = await testApp({ mcp: { isServed: false, token: undefined } })
    expect((await off.http.inject({ method: 'POST', url: '/mcp', payload: {} })).statusCode).toBe(404)
    await off.close()
  })
})
