import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient, signInWith, verifyWebhook } from '../../../packages/client/src/index.ts'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { VERSION } from '../../../src/lib/version.ts'
import { type Ended, runSeraiApiInProcess } from '../../support/cli/run-serai-api.ts'
import { DEMO, devServer, PLACE } from '../../support/client/dev-server.ts'
import { type InstalledClient, installClient } from '../../support/client/installed-client.ts'
import { startReceiver } from '../../support/http/webhook-receiver.ts'

let server: Awaited<ReturnType<typeof devServer>>
let client: InstalledClient
/** An empty directory for all files of the program. */
let home: string
beforeAll(async () => {
  ;[server, client] = await Promise.all([devServer(), installClient()])
  home = mkdtempSync(join(tmpdir(), 'serai-home-'))
})
afterAll(async () => {
  client?.close()
  rmSync(home, { recursive: true, force: true })
  await server?.close()
})

const environment = (env: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_STATE_HOME: join(home, 'state'),
  ...env,
})

/** Starts the installed program. */
const start = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [client.program, ...args], { cwd: home, env: environment({}) })

function runInstalled(args: readonly string[], input = ''): Promise<Ended> {
  const child = start(args)
  let [out, err] = ['', '']
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  child.stdin?.end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })))
}

const run = (args: readonly string[], { input = '', env = {} } = {}): Promise<Ended> =>
  runSeraiApiInProcess(args, environment(env), input)

const loginArguments = () => ['login', '--url', server.url, '--email', DEMO.email]
const login = () => run(loginArguments(), { input: `${DEMO.password}\n` })
const CREDENTIALS = () => join(home, 'config/serai/credentials.json')

describe('the installed program', () => {
  test('the installed program makes a simulated booking in three commands from an empty directory', async () => {
    expect(readdirSync(home)).toEqual([])
    expect(await runInstalled(loginArguments(), `${DEMO.password}\n`)).toMatchObject({ code: 0, out: '' })
    const search = await runInstalled(['search', 'Barcelona', '--simulate'])
    expect(search).toMatchObject({ code: 0, out: expect.stringContaining('PROPERTY') })
    const booked = await runInstalled(['book', '1', '--guest', 'Ana Costa', '--json'])
    expect(booked.code, booked.err).toBe(0)
    expect(JSON.parse(booked.out)).toMatchObject({ data: { status: 'confirmed', simulated: true } })
    expect(await server.ledger()).toEqual([])
  })

  test('--version prints the version of the service', async () => {
    const ended = await runInstalled(['--version'])
    expect(ended).toMatchObject({ code: 0, out: `${VERSION}\n`, err: '' })
  })

  test('the installed program exits with the code of its command and prints the reason to standard error', async () => {
    const ended = await runInstalled(['bookings', 'bkg_0', '--json'])
    expect(ended).toMatchObject({ code: 6, out: '' })
    expect(JSON.parse(ended.err)).toMatchObject({ status: 404 })
  })
})

describe('credentials', () => {
  test('stored credentials are readable only by their owner, contain no password, and are never printed', async () => {
    const { out, err } = await login()
    expect(statSync(CREDENTIALS()).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'config/serai')).mode & 0o777).toBe(0o700)
    const stored = readFileSync(CREDENTIALS(), 'utf8')
    expect(stored).not.toContain(DEMO.password)
    const { token } = JSON.parse(stored)
    const doctor = await run(['doctor'])
    const json = await run(['doctor', '--json'])
    for (const text of [out, err, doctor.out, doctor.err, json.out]) expect(text).not.toContain(token)
  })

  test('a login with a wrong password stores nothing and exits with 3', async () => {
    const before = readFileSync(CREDENTIALS(), 'utf8')
    const ended = await run(['login', '--url', server.url, '--email', DEMO.email], { input: 'wrong\n' })
    expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('invalid_credentials') })
    expect(readFileSync(CREDENTIALS(), 'utf8')).toBe(before)
  })

  test('credentials are not sent over an unencrypted network', async () => {
    const ended = await run(['login', '--url', 'http://api.example.com', '--email', DEMO.email], { input: 'x\n' })
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('unencrypted') })
  })

  test('credentials of one service are not sent to another', async () => {
    const receiver = await startReceiver()
    const ended = await run(['bookings'], { env: { SERAI_URL: receiver.url } })
    expect([ended.code, receiver.connections()]).toEqual([3, 0])
    await receiver.stop()
  })

  test('a key can be set in the environment, and a refused key exits with 3', async () => {
    const env = { SERAI_URL: server.url, SERAI_API_KEY: 'srk_test_0000000000000000' }
    const ended = await run(['bookings'], { env })
    expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('SERAI_API_KEY') })
    expect(ended.err + ended.out).not.toContain(env.SERAI_API_KEY)
  })
})

test('a test key from standard input or the environment makes simulated bookings without a confirmation', async () => {
  const account = createClient({ baseUrl: server.url, ...signInWith(DEMO, { baseUrl: server.url }) })
  const scopes = ['search' as const, 'book' as const, 'read' as const]
  const { key } = await account.accounts.createKey({ name: 'command line', mode: 'test', scopes })
  const before = (await server.ledger()).length
  const signedIn = await run(['login', '--url', server.url, '--key', '-'], { input: `${key}\n` })
  expect(signedIn.code, signedIn.err).toBe(0)
  expect(signedIn.out + signedIn.err).not.toContain(key)
  expect((await run(['search', PLACE])).code).toBe(0)
  const booked = await run(['book', '1', '--guest', 'Ana Costa', '--json'])
  expect(booked.code, booked.err).toBe(0)
  expect(JSON.parse(booked.out)).toMatchObject({ data: { status: 'confirmed', simulated: true } })
  const { booking_id } = JSON.parse(booked.out).data
  const env = { SERAI_URL: server.url, SERAI_API_KEY: key }
  expect(await run(['cancel', booking_id, '--yes'], { env })).toMatchObject({
    code: 3,
    err: expect.stringContaining('insufficient_scope'),
  })
  expect((await server.ledger()).length).toBe(before)
})

describe('the whole journey over the stand-ins', () => {
  const stay = ['--nights', '2', '--currency', 'EUR', '--timeout', '15']

  test('the commands from places to cancel make exactly one booking', async () => {
    await login()
    const before = (await server.ledger()).length
    expect((await run(['places', PLACE.slice(0, 5)])).out).toContain(PLACE)
    const search = await run(['search', PLACE, ...stay])
    expect(search.code, search.err).toBe(0)
    // One line per vendor, without terminal control sequences.
    for (const vendor of STAND_IN_IDS)
      expect(search.err.split('\n').filter((line) => line.includes(vendor)).length, vendor).toBe(1)
    expect(search.out + search.err).not.toContain('\u001b')
    expect(search.out, 'price with free cancellation, and cheapest price').toMatch(/ [\d.]+ EUR +[\d.]+ EUR\n/)
    expect((await run(['show', '1'])).out).toMatch(
      /ROOM +BEDS +BOARD .* TAXES, FEES +AT PROPERTY +TOTAL\n +1\.1 .* [Bb]ed/,
    )
    const checked = await run(['check', '1.1', '--json'])
    expect(JSON.parse(checked.out)).toMatchObject({ data: { status: 'matched' } })

    const order = ['book', '1.1', '--guest', 'Ana Costa', '--reference', 'cli-1']
    const unconfirmed = await run(order)
    expect(unconfirmed).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect((await server.ledger()).length).toBe(before)
    const booked = await run([...order, '--yes', '--json'])
    expect(booked.code, booked.err).toBe(0)
    const { booking_id, status } = JSON.parse(booked.out).data
    expect(status).toBe('confirmed')
    expect((await server.ledger()).length - before).toBe(1)

    expect((await run(['bookings'])).out).toContain(booking_id)
    expect((await run(['bookings', booking_id])).out).toContain('booking.confirmed')
    expect((await run(['cancel', booking_id, '--preview'])).out).toContain('Cancelling costs')
    expect(await run(['cancel', booking_id])).toMatchObject({ code: 2 })
    expect(await run(['cancel', booking_id, '--yes'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^cancelled/),
    })
  })

  test('a changed price is shown and exits with 4 until it is accepted', async () => {
    await run(['search', 'Barcelona', '--simulate'])
    await run(['show', '1'])
    const order = ['book', '1.1', '--guest', 'Ana Costa']
    const refused = await run([...order, '--simulate=price_changed'])
    expect(refused).toMatchObject({ code: 4, err: expect.stringContaining('total_price') })
    expect(await run([...order, '--simulate=sold_out'])).toMatchObject({ code: 4 })
    expect(await run([...order, '--simulate=price_changed', '--accept-changes'])).toMatchObject({ code: 0 })
  })

  test('a property shown by its id or by a room keeps its number, so that the suggested command books the right one', async () => {
    const found = JSON.parse((await run(['search', 'Barcelona', '--simulate', '--json'])).out)
    const { property_id } = found.data.availability[2]
    for (const target of ['3', '3.2', property_id]) {
      const shown = await run(['show', target])
      expect(shown.out, target).toMatch(/\n +3\.1 /)
      expect(shown.err, target).toContain('serai-api book 3.1 ')
    }
    expect((await run(['show', 'prp_elsewhere'])).err).toContain('serai-api book prp_elsewhere ')
  })

  test('a booking whose outcome is not known in time exits with 5', async () => {
    await run(['search', 'Nice', '--simulate'])
    const ended = await run(['book', '1', '--guest', 'Ana Costa', '--simulate=vendor_timeout', '--wait', '0'])
    expect(ended).toMatchObject({ code: 5, err: expect.stringContaining('Do not book again') })
  })
})

describe('booking again', () => {
  const order = ['book', '1', '--guest', 'Ana Costa', '--yes', '--json']
  const bookingId = ({ code, out, err }: Ended) => {
    expect(code, err).toBe(0)
    return JSON.parse(out).data.booking_id
  }

  test('repeating a book command returns the same booking until it is cancelled; another guest needs a new search', async () => {
    await login()
    expect((await run(['search', PLACE])).code).toBe(0)
    const before = (await server.ledger()).length
    const first = bookingId(await run(order))
    expect(bookingId(await run(order))).toBe(first)
    expect((await server.ledger()).length - before).toBe(1)
    const another = order.with(3, 'Bea Costa')
    const refused = await run(another)
    expect(refused).toMatchObject({ code: 4, out: '' })
    expect(JSON.parse(refused.err)).toMatchObject({ code: 'offer_used', booking_id: first, effect: 'none' })
    expect((await server.ledger()).length - before).toBe(1)
    expect((await run(['cancel', first, '--yes'])).code).toBe(0)
    expect((await run(order)).code).toBe(4)
    const second = bookingId(await run(order))
    expect(second).not.toBe(first)
    expect((await run(['search', PLACE])).code).toBe(0)
    expect([first, second]).not.toContain(bookingId(await run(another)))
  })

  test('repeating a book command after all answers were lost finds the booking', async () => {
    let isLosing = false
    const proxy = createServer(async (request, response) => {
      const body = request.method === 'POST' ? await text(request) : undefined
      const { authorization = '', 'idempotency-key': key = '', accept = '' } = request.headers as Record<string, string>
      const headers = {
        authorization,
        accept,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': key }),
      }
      const init = { method: request.method ?? 'GET', headers, ...(body === undefined ? {} : { body }) }
      const answer = await fetch(`${server.url}${request.url}`, init)
      const answered = await answer.text()
      if (isLosing && request.url === '/api/accommodation/book') return response.destroy()
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(answered)
    })
    await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready))
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    try {
      await run(['login', '--url', url, '--email', DEMO.email], { input: `${DEMO.password}\n` })
      expect((await run(['search', PLACE])).code).toBe(0)
      const before = (await server.ledger()).length
      isLosing = true
      const lost = await run(order.slice(0, -1))
      expect(lost).toMatchObject({ code: 5, err: expect.stringContaining('unreachable') })
      isLosing = false
      bookingId(await run(order))
      expect((await server.ledger()).length - before).toBe(1)
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })

  test('a key that may book but not read gets its booking', async () => {
    const account = createClient({ baseUrl: server.url, ...signInWith(DEMO, { baseUrl: server.url }) })
    const { key } = await account.accounts.createKey({ name: 'books', mode: 'live', scopes: ['search', 'book'] })
    const env = { SERAI_URL: server.url, SERAI_API_KEY: key }
    expect((await run(['search', PLACE], { env })).code).toBe(0)
    bookingId(await run(order, { env }))
  })
})

test('`listen` forwards every event of `trigger`, signed and with the id of the service', async () => {
  const events = [
    'booking.confirmed',
    'booking.rejected',
    'booking.in_doubt',
    'booking.needs_review',
    'booking.cancelled',
    'booking.discrepancy',
    'booking.confirmation_number',
  ]
  await login()
  const receiver = await startReceiver()
  const secret = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`
  const listening = start(['listen', '--to', receiver.url, '--secret', secret, '--interval', '1'])
  try {
    await new Promise<void>((ready) =>
      listening.stderr?.on('data', (chunk) => String(chunk).includes('Ready') && ready()),
    )
    for (const event of events) expect(await run(['trigger', event]), event).toMatchObject({ code: 0 })
    const seen = () => new Set(receiver.received.map(({ body }) => body.type))
    for (let tries = 0; tries < 100 && seen().size < events.length; tries += 1)
      await new Promise((later) => setTimeout(later, 200))
    expect([...seen()].sort()).toEqual([...events].sort())
    for (const { headers, text } of receiver.received) {
      const event = await verifyWebhook({ secret, headers, body: text })
      expect(event.id).toMatch(/^evt_\w+_\d+$/)
    }
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(ids.length)
  } finally {
    listening.kill('SIGINT')
    await new Promise((done) => listening.once('close', done))
    await receiver.stop()
  }
})

test('`trigger` advances the time of its own booking only', async () => {
  await login()
  const { booking, test: testing } = createClient({
    baseUrl: server.url,
    ...signInWith(DEMO, { baseUrl: server.url }),
  })
  const guests = [{ given_name: 'Ana', family_name: 'Costa' }]
  await testing.resetClock()
  const { booking_id } = await booking.create({ offer: 'another offer', guests }, { simulate: 'success' })
  const before = await booking.show({ booking_id })
  expect(before.status).toBe('confirmed')
  expect(await run(['trigger', 'booking.confirmation_number'])).toMatchObject({ code: 0 })
  expect((await booking.show({ booking_id })).events).toEqual(before.events)
  const { now } = await testing.readClock()
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(30 * 60_000)
})

describe('output and exit codes', () => {
  test('`doctor` passes on a healthy service and reports the faults of another', async () => {
    await login()
    const healthy = await run(['doctor'])
    expect(healthy.code, healthy.out).toBe(0)
    const unhealthy = await run(['doctor', '--json'], {
      env: { SERAI_URL: 'http://127.0.0.1:1', SERAI_API_KEY: 'srk_test_123456789' },
    })
    expect(unhealthy.code).toBe(1)
    expect(JSON.parse(unhealthy.out).filter(({ ok }: { ok: boolean }) => !ok).length).toBeGreaterThan(2)
  })

  test.each([
    ['an unknown command', ['serch'], 2],
    ['an unknown option', ['search', 'Paris', '--nigths', '2'], 2],
    ['a missing argument', ['show'], 2],
    ['an invalid number', ['search', 'Paris', '--nights', 'two'], 2],
    ['a child without an age', ['search', 'Paris', '--children', '7,'], 2],
    ['a simulation that does not exist', ['search', 'Paris', '--simulate=sucess'], 2],
    ['a place that does not exist', ['places', 'qqqqqq'], 6],
    ['a booking that does not exist', ['bookings', 'bkg_0'], 6],
    ['a value that the service refuses', ['search', 'Paris', '--check-in', '2020-01-01'], 4],
  ])('%s exits with its own code and a message without a stack trace', async (_, args, code) => {
    const ended = await run(args)
    expect(ended.code, ended.err).toBe(code)
    expect(ended.err).not.toMatch(/^\s+at .*[:(]/m)
    expect(ended.err.trim()).not.toBe('')
  })

  test('--json prints the body that the API sends, also of an error and of a list', async () => {
    await login()
    const account = signInWith(DEMO, { baseUrl: server.url })
    const authorization = `Bearer ${await account.token({ retries: 2 })}`
    const read = async (path: string) =>
      JSON.parse(await (await fetch(`${server.url}/api${path}`, { headers: { authorization } })).text())
    const print = async (...args: string[]) => JSON.parse((await run([...args, '--json'])).out)
    const { search_id, availability } = (await print('search', 'Barcelona', '--simulate')).data
    for (const room of ['1', '2']) {
      const { booking_id } = (await print('book', room, '--guest', 'Ana Costa')).data
      expect(await print('bookings', booking_id)).toEqual(await read(`/accommodation/bookings/${booking_id}`))
    }
    expect(await print('places', 'barcel')).toEqual(await read('/locations/search?starts_with=barcel&limit=10'))
    const newest = 'order_by[]=created_at&order_directions[]=desc'
    expect(await print('bookings', '--limit', '1')).toEqual(await read(`/accommodation/bookings?first=1&${newest}`))
    const saved = await read(`/accommodation_searches/${search_id}/availability?first=1`)
    expect(Object.keys(availability[0]).sort()).toEqual(Object.keys(saved.data[0]).sort())
    expect(Object.keys(await print('show', '1'))).toEqual(['accommodation'])
    const { instance, ...problem } = JSON.parse((await run(['bookings', 'bkg_0', '--json'])).err)
    const { instance: _, ...expected } = await read('/accommodation/bookings/bkg_0')
    expect(problem).toEqual(expected)
    expect(instance).toMatch(/^cli_/)
  })

  test('all pages of bookings are printed with --json, one document each', async () => {
    const [first, second] = (await run(['bookings', '--all', '--json'])).out.trim().split(/\n(?=\{)/)
    const { data, meta } = JSON.parse(first ?? '')
    expect(data.length).toBeGreaterThan(1)
    expect(meta['has_next_page?']).toBe(second !== undefined)
  })

  test('errors are printed as JSON with --json', async () => {
    const { err } = await run(['bookings', 'bkg_0', '--json'])
    expect(JSON.parse(err)).toMatchObject({ status: 404, code: 'booking_not_found' })
  })

  test.each(['bash', 'zsh', 'fish'])('the completion for %s contains every command', async (shell) => {
    const { code, out } = await run(['completion', shell])
    expect(code).toBe(0)
    for (const name of [
      'login',
      'places',
      'search',
      'show',
      'check',
      'book',
      'bookings',
      'cancel',
      'listen',
      'trigger',
      'doctor',
    ])
      expect(out).toContain(name)
  })

  test('every command prints its usage with --help', async () => {
    const { out } = await run(['--help'])
    const names = [...out.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThanOrEqual(12)
    for (const name of names)
      expect(await run([name, '--help']), name).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Usage: serai-api/),
      })
  })

  test('`logout` revokes and deletes the token', async () => {
    await login()
    const { token } = JSON.parse(readFileSync(CREDENTIALS(), 'utf8'))
    expect(await run(['logout'])).toMatchObject({ code: 0 })
    expect(existsSync(CREDENTIALS())).toBe(false)
    expect((await run(['bookings'])).code).toBe(3)
    expect(await run(['bookings'], { env: { SERAI_URL: server.url, SERAI_API_KEY: token } })).toMatchObject({ code: 3 })
  })
})
