import Fastify, { type InjectOptions } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FieldError } from '../../../src/domain/errors.ts'
import { WEBHOOK_EVENTS, WEBHOOKS_MAX } from '../../../src/domain/webhook.ts'
import { addJsonBody } from '../../../src/http/body/json-body.ts'
import { parseQuery } from '../../../src/http/body/list-request.ts'
import { VALIDATION } from '../../../src/http/body/validation.ts'
import { identifyCaller, refuseUnidentified } from '../../../src/http/middleware/authentication.ts'
import { addErrorHandler } from '../../../src/http/middleware/error-handler.ts'
import { addSecurityHeaders } from '../../../src/http/middleware/security-headers.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { createCursorCodec } from '../../../src/lists/cursor.ts'
import type { Database } from '../../../src/store/database.ts'
import { createManageWebhooks } from '../../../src/webhooks/manage-webhooks.ts'
import { webhookRoutes } from '../../../src/webhooks/routes.ts'
import { createWebhookStore } from '../../../src/webhooks/store/webhooks.ts'
import { createWebhookSender, type Resolve } from '../../../src/webhooks/webhook-sender.ts'
import { startReceiver } from '../../support/http/webhook-receiver.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'
import { manualClock } from '../../support/time/clock.ts'

const clock = manualClock()
const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'webhooks')

/** Notations of addresses that must never be called; `new URL` must recognise each of them. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '０x7f.1',
  '①②⑦.0.0.1',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '169.254.170.2',
  '192.0.0.192',
  '168.63.129.16',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[2001:db8::1]',
]

const PRIVATE_NAMES = [
  'localhost',
  'localhost.',
  'inside.example',
  'metadata.google.internal',
  'mixed.example',
  'six.example',
]

const NAMES: Record<string, readonly string[]> = {
  'good.example': ['93.184.216.34', '2606:2800:220:1::1'],
  localhost: ['127.0.0.1'],
  'localhost.': ['127.0.0.1'],
  'inside.example': ['10.1.2.3'],
  'metadata.google.internal': ['169.254.169.254'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'six.example': ['::ffff:127.0.0.1'],
  'nowhere.example': [],
}

const resolveName: Resolve = async (hostname) => {
  const found = NAMES[hostname]
  if (found === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  return found
}

let database: Database
beforeAll(async () => {
  database = await openMigrated()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.write(async (tx) => {
    await tx.deleteFrom('webhooks').execute()
  })
})

async function startApp(allowPrivateTargets = false) {
  const sender = createWebhookSender({ allowPrivateTargets, resolve: resolveName })
  const app = Fastify({ ajv: VALIDATION, routerOptions: { querystringParser: parseQuery } })
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  addErrorHandler(app)
  addJsonBody(app)
  const holder = { email: '', name: '', tokenHash: 'h', role: 'client' } as const
  const tokens = {
    holder: async (token: string) => (token.startsWith('acc_') ? { ...holder, accountId: token } : undefined),
  }
  await addSecurityHeaders(app, { isSecure: false })
  app.addHook(
    'onRequest',
    identifyCaller(tokens, { identify: async () => undefined, identifyLink: async () => undefined }),
  )
  app.addHook('onRequest', refuseUnidentified)
  await app.register(webhookRoutes, {
    manageWebhooks: createManageWebhooks({
      webhooks: createWebhookStore(database, keyring),
      checkTarget: sender.checkTarget,
      clock,
      ids: randomIds,
    }),
    cursors: createCursorCodec(Buffer.alloc(32, 1)),
  })
  const as = (account: string, options: InjectOptions) =>
    app.inject({ ...options, headers: { authorization: `Bearer ${account}` } })
  return {
    as,
    post: (payload: object, account = 'acc_a') => as(account, { method: 'POST', url: '/api/webhooks', payload }),
    list: async (query = '', account = 'acc_a') => as(account, { url: `/api/webhooks${query}` }),
    async stop() {
      await app.close()
      await sender.close()
    },
  }
}

describe('operations on webhooks', () => {
  let app: Awaited<ReturnType<typeof startApp>>
  beforeEach(async () => {
    app = await startApp()
  })
  afterEach(() => app.stop())

  test('a new webhook has a secret that is shown only once', async () => {
    const answer = await app.post({ url: 'https://good.example/hooks', description: 'prod', unknown: 1 })
    expect(answer.statusCode).toBe(201)
    expect(answer.headers['cache-control']).toBe('no-store')
    const { data } = answer.json()
    expect(data).toMatchObject({ url: 'https://good.example/hooks', events: [...WEBHOOK_EVENTS], status: 'active' })
    expect(data.created_at).toBe(new Date(clock.now()).toISOString())
    expect(Buffer.from(data.secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
    const listed = await app.list()
    expect(listed.statusCode).toBe(200)
    const { secret: _, ...shown } = data
    expect(listed.json()).toMatchObject({ data: [shown], meta: { total_count: 1, page_size: 50 } })
    expect(listed.body).not.toContain('whsec_')
  })

  test('events: null and description: null mean the same as omitted fields', async () => {
    const answer = await app.post({ url: 'https://good.example/hooks', events: null, description: null })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.json().data).toMatchObject({ events: [...WEBHOOK_EVENTS], description: '' })
  })

  test('an invalid event is reported once, and so are events that are not a list', async () => {
    const readErrors = async (events: unknown) =>
      (await app.post({ url: 'https://good.example/', events }))
        .json()
        .errors.map(({ field, code }: FieldError) => [field, code])
    expect(await readErrors(['booking.gone'])).toEqual([['events[0]', 'not_allowed']])
    expect(await readErrors('all')).toEqual([['events', 'wrong_type']])
  })

  test('webhooks are listed by the list rules, and invalid parameters are reported in the envelope', async () => {
    for (const [n, path] of ['b', 'a', 'c'].entries()) {
      clock.advance(n)
      await app.post({ url: `https://good.example/${path}` })
    }
    const paths = async (query: string) =>
      (await app.list(query)).json().data.map(({ url }: { url: string }) => url.slice(-1))
    expect(await paths('')).toEqual(['b', 'a', 'c'])
    expect(await paths('?order_by[]=url&order_directions[]=desc')).toEqual(['c', 'b', 'a'])
    expect(await paths('?filters[0][field]=url&filters[0][op]=ends_with&filters[0][value]=/a')).toEqual(['a'])
    expect(await paths('?first=2')).toEqual(['b', 'a'])
    const wrong = await app.list('?limit=0')
    expect(wrong.statusCode).toBe(422)
    expect(wrong.json()).toMatchObject({ data: [], meta: { errors: [{ field: 'limit' }] } })
  })

  test('an account sees and deletes only its own webhooks', async () => {
    const { id } = (await app.post({ url: 'https://good.example/' })).json().data
    expect((await app.list('', 'acc_b')).json().data).toEqual([])
    const foreign = await app.as('acc_b', { method: 'DELETE', url: `/api/webhooks/${id}` })
    expect(foreign.statusCode).toBe(404)
    expect(foreign.json()).toMatchObject({ code: 'webhook_not_found' })
    expect((await app.as('acc_a', { method: 'DELETE', url: `/api/webhooks/${id}` })).statusCode).toBe(204)
    expect((await app.as('acc_a', { method: 'DELETE', url: `/api/webhooks/${id}` })).statusCode).toBe(404)
    expect((await app.as('acc_a', { method: 'DELETE', url: '/api/webhooks/%00' })).statusCode).toBe(404)
    expect((await app.as('nobody', { url: '/api/webhooks' })).statusCode).toBe(401)
  })

  test('an eleventh webhook is refused', async () => {
    for (let n = 0; n < WEBHOOKS_MAX; n += 1)
      expect((await app.post({ url: 'https://good.example/' })).statusCode).toBe(201)
    const answer = await app.post({ url: 'https://good.example/' })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toMatchObject([{ field: 'url', code: 'too_many' }])
    expect((await app.post({ url: 'https://good.example/' }, 'acc_b')).statusCode).toBe(201)
  })

  test.each([
    [{}, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: 'https://good.example/', events: [] }, 'events'],
    [{ url: 'https://good.example/', events: ['booking.pending'] }, 'events[0]'],
    [{ url: 'https://good.example/', events: 'booking.confirmed' }, 'events'],
    [{ url: 'https://good.example/', description: 'x'.repeat(201) }, 'description'],
    [{ url: `https://good.example/${'x'.repeat(2048)}` }, 'url'],
  ])('the webhook %j is refused with the field %s', async (body, field) => {
    const answer = await app.post(body)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors.map((error: { field: string }) => error.field)).toContain(field)
  })
})

describe('targets', () => {
  let app: Awaited<ReturnType<typeof startApp>>
  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app.stop())

  const refused: readonly (readonly [url: string, code: string])[] = [
    ['not an address', 'invalid_url'],
    ['/hooks', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['http://good.example/', 'https_required'],
    ['file:///etc/passwd', 'https_required'],
    ['gopher://good.example/', 'https_required'],
    ['data:text/plain,x', 'https_required'],
    ['https://user:secret@good.example/', 'credentials_in_url'],
    ['https://nowhere.example/', 'unresolvable'],
    ['https://unknown.example/', 'unresolvable'],
    ...PRIVATE_NAMES.map((name) => [`https://${name}/`, 'private_address'] as const),
    ...PRIVATE_HOSTS.map((host) => [`https://${host}/latest/meta-data`, 'private_address'] as const),
  ]
  test.each(refused)('the target %s is refused at registration with %s', async (url, code) => {
    const answer = await app.post({ url })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toMatchObject([{ field: 'url', code }])
  })

  test.each(PRIVATE_HOSTS)('the target %s is refused when sending, whatever was registered', async (host) => {
    const sender = createWebhookSender({ allowPrivateTargets: false, resolve: resolveName, timeoutMs: 300 })
    expect(await sender.send(`https://${host}:1/`, {}, '{}')).toEqual({ status: undefined, why: 'refused' })
    await sender.close()
  })

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'a name that was public at registration and resolves to %s when sending gets no connection',
    async (later) => {
      const receiver = await startReceiver()
      const asked: string[] = []
      const sender = createWebhookSender({
        allowPrivateTargets: false,
        timeoutMs: 1_000,
        resolve: async (hostname) => {
          asked.push(hostname)
          return asked.length === 1 ? ['93.184.216.34'] : [later]
        },
      })
      const url = `https://rebinding.example:${receiver.port}/`
      expect(await sender.checkTarget(url)).toBeUndefined()
      expect(await sender.send(url, {}, '{}')).toEqual({ status: undefined, why: 'refused' })
      expect(asked).toEqual(['rebinding.example', 'rebinding.example'])
      expect(receiver.connections()).toBe(0)
      await sender.close()
      await receiver.stop()
    },
  )

  test('if private targets are allowed, loopback and plain http are accepted without a DNS lookup', async () => {
    const open = await startApp(true)
    const receiver = await startReceiver()
    expect((await open.post({ url: receiver.url })).statusCode).toBe(201)
    expect((await open.post({ url: 'https://unknown.example/' })).statusCode).toBe(201)
    expect((await open.post({ url: 'ftp://127.0.0.1/' })).statusCode).toBe(422)
    const sender = createWebhookSender({ allowPrivateTargets: true })
    expect(await sender.send(receiver.url, { 'webhook-id': '1' }, '{}')).toEqual({ status: 204 })
    await sender.close()
    await receiver.stop()
    await open.stop()
  })
})
