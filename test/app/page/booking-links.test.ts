import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createErasePersons } from '../../../src/booking/guests/erase-persons.ts'
import { withoutPersons } from '../../../src/booking/present/booking.ts'
import { createErasureStore } from '../../../src/booking/store/erasure.ts'
import { readConfig } from '../../../src/config.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import type { Database } from '../../../src/store/database.ts'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { withGuests } from '../../support/app/page-browser.ts'
import { type Mailbox, startMailbox } from '../../support/mail/mailbox.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

const GUEST = { given_name: 'Gil', family_name: 'Reis', email: 'gil@example.com' }
const FROM_PAGE = { 'sec-fetch-site': 'same-origin', 'x-serai-page': '1' }
const BOOKINGS = '/api/accommodation/bookings'
const DAY = 86_400_000

let mailbox: Mailbox
let app: LedgerApp
let database: Database
const routes: RouteOptions[] = []
beforeAll(async () => {
  mailbox = await startMailbox({ hideSTARTTLS: true })
  database = await openMigrated()
  const smtp = { host: '127.0.0.1', port: mailbox.port, secure: false, startTls: 'off' } as const
  const sender = { name: 'Serai', address: 'bookings@sender.example', domain: 'sender.example' }
  const mail = { smtp: { ...smtp, user: undefined, password: undefined }, sender, keep: false, operator: undefined }
  app = await ledgerApp({ mail, ...withGuests('off', true) }, { database, onRoute: (route) => routes.push(route) })
})
afterAll(async () => {
  await app.close()
  await mailbox.stop()
})

type Call = { method?: 'GET' | 'POST' | 'DELETE'; url: string; payload?: object; cookie?: string; address?: string }
const call = ({ cookie, address, ...options }: Call) =>
  app.call({
    ...options,
    headers: { ...FROM_PAGE, ...(cookie === undefined ? {} : { cookie }) },
    ...(address === undefined ? {} : { remoteAddress: address }),
  })

/** Books, and returns the booking with the link of its confirmation. */
async function book() {
  const { booking_info } = await app.room()
  const answer = await app.book({ ...booking_info, guests: [GUEST], contact: { email: GUEST.email } })
  expect(answer.statusCode).toBe(201)
  mailbox.received.length = 0
  await app.deliverMails()
  const { booking_id: id, reference } = answer.json().data
  return { id, reference, token: readToken(id) }
}

/** Token in the only mail about this booking, as text and as HTML. */
function readToken(id: string): string {
  const pattern = new RegExp(`/bookings/${id}#(srl_[\\w.-]+)`)
  const found = mailbox.received.flatMap(({ mail }) =>
    [mail.text, mail.html].map((body = '') => pattern.exec(body)?.[1]),
  )
  const [token, ...others] = new Set(found.filter((each) => each !== undefined))
  expect(others).toEqual([])
  return token ?? expect.fail('no link')
}

const open = (token: string) => call({ method: 'POST', url: '/api/session/booking', payload: { token } })
/** Opens the link in a new browser and returns its cookie. */
async function openCookie(token: string): Promise<string> {
  const answer = await open(token)
  expect(answer.statusCode).toBe(200)
  return String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
}

test('the link of a mail shows, prints, previews and cancels its booking in a browser without an account', async () => {
  const { id, token } = await book()
  const opened = await open(token)
  expect(opened.headers['set-cookie']).toMatch(
    new RegExp(`^serai_booking=srl_[^;]+; Max-Age=86400; Path=${BOOKINGS}/${id}; HttpOnly; SameSite=Strict$`),
  )
  const cookie = await openCookie(token)
  const url = `${BOOKINGS}/${id}`
  expect((await call({ url, cookie })).json().data).toMatchObject({ booking_id: id, status: 'confirmed' })
  expect((await call({ url: `${url}/voucher`, cookie })).statusCode).toBe(200)
  const preview = await call({ method: 'POST', url: `${url}/cancel?preview=true`, cookie })
  expect(preview.json().data).toMatchObject({ preview: true })
  const cancelled = await call({ method: 'POST', url: `${url}/cancel`, cookie })
  expect(cancelled.json().data).toMatchObject({ status: 'cancelled' })
  const { events } = (await app.request({ url })).json().data
  expect(events.map(({ reason }: { reason: string }) => reason)).toContain('guest_link')
  expect(app.logged.join('')).not.toMatch(/srl_[^"]*\./)
})

test('the opened link permits no other operation and no other booking', async () => {
  const [mine, other] = [await book(), await book()]
  const cookie = await openCookie(mine.token)
  expect((await call({ url: `${BOOKINGS}/${other.id}`, cookie })).statusCode).toBe(401)
  const allowed = ['booking.show', 'booking.voucher', 'booking.receipt', 'booking.cancel']
  const others = routes.filter(
    ({ method, config }) =>
      !['HEAD', 'OPTIONS'].includes(String(method)) &&
      config?.access !== 'public' &&
      !allowed.includes(config?.operation ?? ''),
  )
  expect(others.length).toBeGreaterThan(50)
  for (const { method, url } of others) {
    const path = url.replace(':booking_id', mine.id).replaceAll(/:\w+/g, 'x')
    const answer = await call({ method: method as 'GET', url: path, cookie })
    expect(answer.statusCode, `${method} ${path}`).toBe(401)
  }
  const { statusCode } = await app.call({
    url: `${BOOKINGS}/${mine.id}`,
    headers: { cookie, 'sec-fetch-site': 'cross-site' },
  })
  expect(statusCode).toBe(401)
})

test('the link of an account that sees net prices shows none', async () => {
  const { id, token } = await book()
  await app.manageAccounts.setSeesNet('ana@example.com', true)
  // The permission is cached for a second.
  app.clock.advance(2_000)
  const url = `${BOOKINGS}/${id}`
  expect((await app.request({ url })).json().data).toHaveProperty('net')
  const shown = (await call({ url, cookie: await openCookie(token) })).json().data
  expect(shown.booking_id).toBe(id)
  expect(shown).not.toHaveProperty('net')
  await app.manageAccounts.setSeesNet('ana@example.com', false)
  app.clock.advance(2_000)
})

test('an operator revokes the link and the browsers that opened it; the next mail has a new link', async () => {
  const { id, reference, token } = await book()
  const cookie = await openCookie(token)
  const operator = await operatorToken(app)
  const revoked = await app.as(operator, {
    method: 'POST',
    url: `/api/operator/bookings/${id}/revoke_links`,
    payload: { reason: 'forwarded by mistake' },
  })
  expect(revoked.statusCode).toBe(204)
  expect((await open(token)).json()).toMatchObject({ status: 404, code: 'booking_not_found' })
  expect((await call({ url: `${BOOKINGS}/${id}`, cookie })).statusCode).toBe(401)
  expect((await ask(reference)).statusCode).toBe(202)
  await waitForMail(1)
  expect((await open(readToken(id))).statusCode).toBe(200)
})

test('a link and its cookie end when the personal data is erased', async () => {
  const { id, token } = await book()
  const cookie = await openCookie(token)
  expect((await app.request({ method: 'POST', url: `${BOOKINGS}/${id}/cancel` })).statusCode).toBe(200)
  expect((await call({ url: `${BOOKINGS}/${id}`, cookie })).statusCode).toBe(200)
  const keys = deriveKeyring(readConfig({ NODE_ENV: 'test' }).secrets, 'persons')
  const erasing = createErasePersons({ store: createErasureStore(database, keys, withoutPersons), clock: app.clock })
  expect(await erasing.erase(id)).toBe(true)
  expect((await open(token)).statusCode).toBe(404)
  expect((await call({ url: `${BOOKINGS}/${id}`, cookie })).statusCode).toBe(401)
})

const ask = (reference: string, email = GUEST.email, address = '192.0.2.1') =>
  call({ method: 'POST', url: '/api/session/booking_link', payload: { reference, email }, address })

async function waitForMail(count: number): Promise<void> {
  mailbox.received.length = 0
  await vi.waitFor(
    async () => {
      await app.deliverMails()
      expect(mailbox.received).toHaveLength(count)
    },
    { timeout: 5_000 },
  )
}

test('asking for a link gives the same response for a known and an unknown booking, and mails only the contact', async () => {
  const { id, reference } = await book()
  mailbox.received.length = 0
  const answers = [
    await ask('NY4TRSM6254C626WV0XG', GUEST.email, '192.0.2.2'),
    await ask(reference, 'other@example.com', '192.0.2.2'),
    await ask(` ${reference.toLowerCase()} `, 'GIL@example.com', '192.0.2.2'),
  ]
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(
    Array(3).fill([202, '{"data":{"accepted":true}}']),
  )
  await waitForMail(1)
  const [received] = mailbox.received
  expect(received?.to).toEqual([GUEST.email])
  expect(received?.mail.subject).toMatch(/^Your booking: /)
  expect((await open(readToken(id))).statusCode).toBe(200)
})

test('links can be asked for three times an hour per booking and ten times per address, whether or not it exists', async () => {
  const codes = async (count: number, reference: (index: number) => string, address: (index: number) => string) => {
    const found: number[] = []
    for (let index = 0; index < count; index += 1)
      found.push((await ask(reference(index), GUEST.email, address(index))).statusCode)
    return found
  }
  const { reference } = await book()
  for (const each of [reference, 'UNKNOWNREFERENCE0000'])
    expect(
      await codes(
        4,
        () => each,
        (index) => `198.51.100.${index}`,
      ),
    ).toEqual([202, 202, 202, 429])
  const many = await codes(
    11,
    (index) => `UNKNOWN${index}`,
    () => '203.0.113.5',
  )
  expect(many).toEqual([...Array(10).fill(202), 429])
})

test('closing removes only the cookie of that booking, and the answer does not tell if the booking exists', async () => {
  const { id } = await book()
  for (const each of [id, 'bkg_0000000000000']) {
    const closed = await call({ method: 'DELETE', url: `/api/session/booking/${each}` })
    expect([closed.statusCode, closed.body]).toEqual([204, ''])
    expect(closed.headers['set-cookie']).toBe(
      `serai_booking=; Max-Age=0; Path=${BOOKINGS}/${each}; HttpOnly; SameSite=Strict`,
    )
  }
})

test('a link is valid until 30 days after check-out, and the browser that opened it for a day', async () => {
  const { id, token } = await book()
  const cookie = await openCookie(token)
  app.clock.advance(DAY - 1_000)
  expect((await call({ url: `${BOOKINGS}/${id}`, cookie })).statusCode).toBe(200)
  app.clock.advance(2_000)
  expect((await call({ url: `${BOOKINGS}/${id}`, cookie })).statusCode).toBe(401)
  // Check-out is 42 days after the search.
  app.clock.advance(70 * DAY)
  expect((await open(token)).statusCode).toBe(200)
  app.clock.advance(3 * DAY)
  expect((await open(token)).statusCode).toBe(404)
})
