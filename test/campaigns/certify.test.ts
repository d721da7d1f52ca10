import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CertifyOptions,
  certifyVendor,
  playReview,
  readCertifyOptions,
  reportReview,
} from '../../certify/certify.ts'
import { isPassed, judgePoints } from '../../certify/dossier.ts'
import type { Evidence, Exchange, Shown } from '../../certify/review.ts'
import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts'
import { readConfig } from '../../src/config.ts'
import { testLocations } from '../support/app/app.ts'
import { aPlace } from '../support/sandbox/places.ts'
import { sharedThreads } from '../support/vendors/shared-threads.ts'

const folder = mkdtempSync(join(tmpdir(), 'serai-certify-test-'))
const config = readConfig({
  NODE_ENV: 'development',
  SERAI_LOG_LEVEL: 'silent',
  SERAI_DATA_DIR: join(folder, 'data'),
  SERAI_SANDBOX: 'true',
})
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ places: [aPlace('Barcelona')], pictureBase: 'http://127.0.0.1:1/sandbox/pictures' })
})
afterAll(async () => {
  await sandbox?.close()
  rmSync(folder, { recursive: true, force: true })
})
const silent = () => undefined

/** Shared by several reviews. */
const equipment = () => ({
  parts: { locations: testLocations(), readingThreads: sharedThreads },
  openSandbox: async () => ({ ...sandbox, close: async () => undefined }),
})
/** The vendor whose review opens its own sandbox, like the command does. */
const ON_ITS_OWN = 'liteapi'

type Json = Record<string, unknown>
type Notice = { kind: string; title: string; required_at: string[] }

const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value))
const changeShown = (evidence: Evidence, step: string, change: (body: Json) => unknown): Evidence => ({
  ...evidence,
  shown: evidence.shown.map((page): Shown => {
    if (page.step !== step || typeof page.body !== 'object') return page
    const body = clone(page.body) as Json
    change(body)
    return { ...page, body }
  }),
})
const changeSent = (
  evidence: Evidence,
  operation: string,
  change: (call: Exchange) => Partial<Exchange>,
): Evidence => ({
  ...evidence,
  exchanges: evidence.exchanges.map((call) => (call.operation === operation ? { ...call, ...change(call) } : call)),
})

/** Returns the room, booking or voucher of a page. */
function getSubject(step: string, body: Json): Json {
  const data = (body.data ?? body) as Json
  if (step === 'detail') return (data.available_rooms as Json[])[0] ?? {}
  return step === 'check' ? ((data.room ?? {}) as Json) : data
}
const getNotices = (step: string, body: unknown): Notice[] =>
  typeof body === 'object' ? ((getSubject(step, body as Json).notices ?? []) as Notice[]) : []

/** Places with required notices, by the step that shows them. */
const PLACES = { detail: 'detail', check: 'checkout', voucher: 'voucher' } as const

/** Lists the required notices of all places by kind and title. */
function listRequiredNotices(evidence: Evidence): { step: keyof typeof PLACES; kind: string; title: string }[] {
  const all = evidence.shown.flatMap(({ step, body }) => {
    if (step !== 'detail' && step !== 'check' && step !== 'voucher') return []
    const place = PLACES[step]
    return getNotices(step, body)
      .filter(({ required_at: places }) => places.includes(place))
      .map(({ kind, title }) => JSON.stringify({ step, kind, title }))
  })
  return [...new Set(all)].map((text) => JSON.parse(text))
}

/** Required fields of the pages, by step. */
const FIELDS: readonly (readonly [step: string, path: string])[] = [
  ['check', 'total_inclusive'],
  ['check', 'taxes_fees'],
  ['check', 'due_at_property'],
  ['check', 'cancel_policy.penalties'],
  ['check', 'cancel_policy.cancelation'],
  ['read', 'total_price'],
  ['read', 'taxes_fees'],
  ['read', 'vendor_reference'],
  ['read', 'confirmation.vendor'],
  ['read', 'occupancies'],
  ['voucher', 'vendor_reference'],
  ['voucher', 'property.name'],
  ['voucher', 'property.address'],
  ['voucher', 'property.phone'],
  ['voucher', 'check_in'],
  ['voucher', 'room.board'],
  ['voucher', 'rooms'],
  ['cancel', 'penalty'],
  ['after', 'status'],
]

function withoutField(evidence: Evidence, step: string, path: string): Evidence {
  return changeShown(evidence, step, (body) => {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const holder = names.reduce((parent, name) => (parent[name] ?? {}) as Json, getSubject(step, body))
    delete holder[last]
  })
}

/** Ten times the calls per second of a vendor's test host; test/campaigns/certify-pace.test.ts keeps its pace. */
function quicken({ review, ...order }: CertifyOptions): CertifyOptions {
  const { callsPerSecond, settings } = review
  if (callsPerSecond === undefined) return { ...order, review }
  const limits = Object.entries(settings ?? {}).map(([name, limit]) => [name, String(10 * Number(limit))])
  return { ...order, review: { ...review, callsPerSecond: 10 * callsPerSecond, settings: Object.fromEntries(limits) } }
}

describe.each(['expedia_rapid', 'hotelbeds', 'liteapi'])('%s', (vendor) => {
  const order = quicken(readCertifyOptions([vendor, '--no-screenshots', '--out', join(folder, vendor)]))
  const { points } = order.review
  let evidence: Evidence
  let played: Awaited<ReturnType<typeof playReview>>
  const lines: string[] = []
  const passes = (planted: Evidence) => isPassed(judgePoints(points, planted))
  beforeAll(async () => {
    const started = performance.now()
    const out = (line: string) => lines.push(line)
    played = await (vendor === ON_ITS_OWN
      ? playReview(order, config, out)
      : playReview(order, config, out, equipment()))
    evidence = played.evidence
    expect(performance.now() - started).toBeLessThan(5 * 60_000)
  }, 300_000)

  test('a review of the stand-in has evidence for every point and exits with 0', () => {
    const exitCode = reportReview(order, played, (line) => lines.push(line))
    expect(exitCode, lines.filter((line) => line.includes('✗')).join('\n')).toBe(0)
    const judged = judgePoints(points, evidence)
    expect(judged.filter(({ verdict }) => !('files' in verdict))).toEqual([])
    const named = judged.flatMap(({ verdict }) => ('files' in verdict ? verdict.files : []))
    expect(named.filter((file) => !existsSync(join(order.folder, file)))).toEqual([])
    expect(readFileSync(join(order.folder, 'checklist.md'), 'utf8')).not.toContain('missing')
  })

  test('the dossier contains neither secrets nor data of guests', () => {
    const texts = readdirSync(order.folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(txt|json|html|md)$/.test(file))
      .map((file) => readFileSync(join(order.folder, file), 'utf8'))
    expect(texts.length).toBeGreaterThan(50)
    const secrets = order.kind.variables
      .filter(({ secret }) => secret)
      .map(({ name }) => played.environment[name] ?? '')
    for (const secret of secrets.filter((value) => value.length >= 4)) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([])
    }
    expect(
      texts.filter((text) => /zebedee|quackenbush|philippa|umberleigh|7946 ?0958|203\.0\.113/i.test(text)),
    ).toEqual([])
    expect(texts.filter((text) => /^(authorization|x-signature|api-key): (?!\[secret\])/im.test(text))).toEqual([])
  })

  test('a review fails if a required notice is missing from its place', () => {
    const notices = listRequiredNotices(evidence)
    expect(notices.length).toBeGreaterThan(5)
    const unnoticed = notices.filter(({ step, kind, title }) => {
      // Rate comments that availability only refers to may appear as late as the check.
      if (step === 'detail' && kind === 'rate_comment') return false
      return passes(
        changeShown(evidence, step, (body) => {
          const subject = getSubject(step, body)
          subject.notices = getNotices(step, body).filter((notice) => notice.kind !== kind || notice.title !== title)
        }),
      )
    })
    expect(unnoticed).toEqual([])
  })

  test('a review fails if the booking or its printed voucher omits the notices', () => {
    expect(
      passes(changeShown(evidence, 'read', (body) => Object.assign(getSubject('read', body), { notices: [] }))),
    ).toBe(false)
    const unprinted = evidence.shown.map((page) =>
      typeof page.body === 'string' ? { ...page, body: '<p>Voucher</p>' } : page,
    )
    expect(passes({ ...evidence, shown: unprinted })).toBe(false)
  })

  test.each(FIELDS)('a review fails if a page lacks a field: %s %s', (step, path) => {
    // A field is required only if the vendor sends it.
    const isSent = path !== 'property.phone' || vendor !== 'liteapi'
    expect(passes(withoutField(evidence, step, path))).toBe(!isSent)
  })

  test('a review fails if the voucher shows a price', () => {
    const totals = evidence.shown.flatMap(({ step, body }) =>
      step === 'read' ? [getSubject(step, body as Json).total_price] : [],
    )
    const shown = evidence.shown.map((page) =>
      typeof page.body === 'string'
        ? { ...page, body: `${page.body} ${totals.map((total) => Number(total).toFixed(2)).join(' ')}` }
        : page,
    )
    expect(passes({ ...evidence, shown })).toBe(false)
  })

  test('a review fails if the booking request lacks the guest, is sent twice, or is not sent', () => {
    const holder = JSON.stringify(evidence.holder.name.split(' '))
    const [given, family] = JSON.parse(holder)
    const { givenName, familyName } = evidence.guests[0] ?? expect.fail('no guest')
    const asHolder = (call: Exchange) => ({
      body: JSON.parse(JSON.stringify(call.body).replaceAll(givenName, given).replaceAll(familyName, family)),
    })
    expect(passes(changeSent(evidence, 'book', asHolder))).toBe(false)
    const books = evidence.exchanges.filter(({ operation }) => operation === 'book')
    expect(passes({ ...evidence, exchanges: [...evidence.exchanges, ...books] })).toBe(false)
    expect(passes({ ...evidence, exchanges: evidence.exchanges.filter((call) => !books.includes(call)) })).toBe(false)
  })

  test('a review fails if a sample was not played', () => {
    const samples = [...new Set(evidence.shown.map(({ sample }) => sample))]
    expect(samples.length).toBeGreaterThan(5)
    for (const sample of samples) {
      const without = <T extends { sample: string }>(all: readonly T[]) =>
        all.filter((entry) => entry.sample !== sample)
      const planted = { ...evidence, shown: without(evidence.shown), exchanges: without(evidence.exchanges) }
      expect([sample, passes(planted)]).toEqual([sample, false])
    }
  })

  test('a review fails on another session or address or a missing test header, if the vendor checks them', () => {
    const checkedHeaders = ['customer-session-id', 'customer-ip', 'test'].filter(() =>
      points.some(({ id }) => id === 'session'),
    )
    for (const name of checkedHeaders) {
      const planted = changeSent(evidence, 'book', ({ headers }) => ({ headers: { ...headers, [name]: '' } }))
      expect([name, passes(planted)]).toEqual([name, false])
    }
    expect(checkedHeaders.length).toBe(vendor === 'expedia_rapid' ? 3 : 0)
  })

  test('a review fails if a search or a check has the Test header, if the vendor checks it', () => {
    const isChecked = points.some(({ id }) => id === 'test-header')
    for (const operation of ['availability', 'price_check']) {
      const planted = changeSent(evidence, operation, ({ headers }) => ({ headers: { ...headers, test: 'standard' } }))
      expect([operation, passes(planted)]).toEqual([operation, !isChecked])
    }
  })

  test('a review fails if content is read while a customer waits and the vendor forbids it', () => {
    const call = evidence.exchanges.find(({ operation }) => operation === 'content') ?? expect.fail('no content')
    const planted = {
      ...evidence,
      exchanges: [...evidence.exchanges, { ...call, sample: 'two-rooms', step: 'search' }],
    }
    expect(passes(planted)).toBe(!points.some(({ id }) => id === 'content'))
  })

  test('a failed review names the missing evidence in the checklist and exits with 1', () => {
    const planted = withoutField(evidence, 'voucher', 'rooms')
    const out: string[] = []
    const elsewhere = { ...order, folder: join(folder, `${vendor}-planted`) }
    expect(reportReview(elsewhere, { ...played, evidence: planted }, (line) => out.push(line))).toBe(1)
    expect(out.join('\n')).toMatch(/✗ .*missing: .*guest/)
    expect(readFileSync(join(elsewhere.folder, 'checklist.md'), 'utf8')).toContain('**missing**')
  })
})

describe('invalid arguments', () => {
  test.each([
    [['nobody', '--out', 'x'], /Specify one of these vendors: .*hotelbeds/],
    [['hotelbeds'], /--out FOLDER/],
    [['hotelbeds', '--out', 'src'], /is not empty/],
  ])('the arguments %j are refused with the correct usage', (args, why) => {
    expect(() => readCertifyOptions(args)).toThrow(why)
  })

  test('invalid arguments exit with 2 and print the reason and the usage before anything is opened', () => {
    const untouched = join(folder, 'untouched')
    const env = { ...process.env, SERAI_DATA_DIR: untouched }
    const ended = spawnSync(process.execPath, ['certify/run.ts', 'hotelbed', '--out', 'x'], { encoding: 'utf8', env })
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toContain('Specify one of these vendors')
    expect(ended.stderr).toContain('npm run certify')
    expect(existsSync(untouched)).toBe(false)
  })

  test('a live review needs the vendor’s settings and a test host', async () => {
    const args = ['hotelbeds', '--live-test-host', '--out', join(folder, 'live')]
    await expect(certifyVendor(readCertifyOptions(args), config, silent)).rejects.toThrow(
      /needs the vendor's settings: .*API_KEY/,
    )
    const vendorEnvironment = {
      SERAI_HOTELBEDS_API_KEY: 'k',
      SERAI_HOTELBEDS_SECRET: 's',
      SERAI_HOTELBEDS_BOOKING_ORIGIN: 'https://api.hotelbeds.com',
    }
    const certify = (environment: Record<string, string>) =>
      certifyVendor(readCertifyOptions(args), { ...config, vendorEnvironment: environment }, silent)
    await expect(certify(vendorEnvironment)).rejects.toThrow(/is not a test host/)
    const withoutCertificate = {
      ...vendorEnvironment,
      SERAI_HOTELBEDS_BOOKING_ORIGIN: 'https://api.test.hotelbeds.com',
    }
    await expect(certify(withoutCertificate)).rejects.toThrow(
      /api-mtls\.test\.hotelbeds\.com and the client certificate/,
    )
    // The test host with mutual TLS is accepted: only the certificate's file is missing.
    const mutual = {
      ...vendorEnvironment,
      SERAI_HOTELBEDS_BOOKING_ORIGIN: 'https://api-mtls.test.hotelbeds.com',
      SERAI_HOTELBEDS_CERTIFICATE_PATH: '/nowhere/c.pem',
      SERAI_HOTELBEDS_CERTIFICATE_KEY_PATH: '/nowhere/k.pem',
    }
    await expect(certify(mutual)).rejects.toThrow(/\/nowhere\/.\.pem/)
  })

  test.each(['prod_123', 'a-key-without-a-prefix'])(
    'a live key (%s) is refused if test and live hosts are the same',
    async (key) => {
      const args = ['liteapi', '--live-test-host', '--out', join(folder, 'live')]
      const vendorEnvironment = { SERAI_LITEAPI_API_KEY: key, SERAI_LITEAPI_BUSINESS_PHONE: '+4312345678' }
      await expect(certifyVendor(readCertifyOptions(args), { ...config, vendorEnvironment }, silent)).rejects.toThrow(
        /must be a sandbox key/,
      )
    },
  )
})
