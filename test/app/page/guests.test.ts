import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dateIn } from '../../../src/lib/time/plain-date.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { type LedgerApp, ledgerApp, type Room } from '../../support/app/ledger-app.ts'
import { type PageBrowser, pageBrowser, withGuests } from '../../support/app/page-browser.ts'

const SEARCH = '/api/accommodation_searches/search'
const LEAD = { given_name: 'Gil', family_name: 'Reis', email: 'gil@example.com' }

/** Searches as the visitor of this browser and returns a room of the first property that has one. */
async function findRoom(app: LedgerApp, browser: PageBrowser): Promise<{ room: Room; searchId: string }> {
  const [place] = (await browser.send({ url: '/api/locations/search?starts_with=Zermatt' })).json().data
  const check_in = addDays(dateIn('UTC', app.clock.now()), 40)
  const stay = { destination_id: place.id, check_in, check_out: addDays(check_in, 2), occupancies: [{ adults: 2 }] }
  const payload = { ...stay, currency: 'EUR', timeout_ms: 15_000 }
  const found = (await browser.send({ method: 'POST', url: SEARCH, payload })).json().data
  for (const { property_id } of found.availability) {
    const query = `search_id=${found.search_id}&property_id=${property_id}&raw=true`
    const rooms = (await browser.send({ url: `/api/accommodation_searches/accommodation?${query}` })).json()
    const [room] = rooms.available_rooms ?? []
    if (room !== undefined) return { room, searchId: found.search_id }
  }
  throw new Error('No room was found.')
}

const book = (browser: PageBrowser, { booking_info }: Room, guests: object[] | undefined = [LEAD]) =>
  browser.send({
    method: 'POST',
    url: '/api/accommodation/book',
    payload: { ...booking_info, ...(guests.length === 0 ? {} : { guests }) },
  })

const bookingIds = async (browser: PageBrowser): Promise<string[]> =>
  (await browser.send({ url: '/api/accommodation/bookings' }))
    .json()
    .data.map(({ booking_id }: { booking_id: string }) => booking_id)

describe('guests who may book', () => {
  let app: LedgerApp
  beforeAll(async () => {
    app = await ledgerApp(withGuests('book'))
  })
  afterAll(() => app.close())

  async function startGuest(): Promise<PageBrowser> {
    const browser = pageBrowser(app)
    expect((await browser.startGuest()).json().data).toMatchObject({ account: null })
    return browser
  }

  test('a guest searches, books with a named lead guest, and sees only that booking', async () => {
    const [guest, other] = [await startGuest(), await startGuest()]
    const { room } = await findRoom(app, guest)
    const booked = await book(guest, room)
    expect(booked.statusCode).toBe(201)
    const { booking_id } = booked.json().data
    expect(await bookingIds(guest)).toEqual([booking_id])
    expect(await bookingIds(other)).toEqual([])
    expect((await other.send({ url: `/api/accommodation/bookings/${booking_id}` })).statusCode).toBe(404)
    expect((await app.request({ url: `/api/accommodation/bookings/${booking_id}` })).statusCode).toBe(404)
  })

  test('a guest cannot book without a lead guest who can be reached', async () => {
    const guest = await startGuest()
    const { room } = await findRoom(app, guest)
    expect((await book(guest, room, [])).json()).toMatchObject({ status: 422, code: 'guests_required' })
    const unreachable = await book(guest, room, [{ given_name: 'Gil', family_name: 'Reis' }])
    expect(unreachable.json()).toMatchObject({ status: 422, errors: [{ field: 'guests[0].email', code: 'required' }] })
  })

  test('neither another guest nor an account can use the offer of a guest', async () => {
    const [guest, other] = [await startGuest(), await startGuest()]
    const { room, searchId } = await findRoom(app, guest)
    const before = await app.calls()
    expect((await book(other, room)).json()).toMatchObject({ code: 'offer_invalid' })
    expect((await app.book({ ...room.booking_info, guests: [LEAD] })).json()).toMatchObject({ code: 'offer_invalid' })
    expect((await other.send({ url: room.booking_info.price_check_uri ?? '' })).json().code).toBe('offer_invalid')
    expect((await other.send({ url: `/api/accommodation_searches/${searchId}/availability` })).statusCode).toBe(404)
    expect(await app.calls()).toBe(before)
  })

  test('signing in takes over searches, offers and bookings', async () => {
    const guest = await startGuest()
    const first = await findRoom(app, guest)
    const earlier = (await book(guest, first.room)).json().data.booking_id
    const { room, searchId } = await findRoom(app, guest)
    await guest.signIn()
    expect((await guest.send({ url: `/api/accommodation_searches/${searchId}/availability` })).statusCode).toBe(200)
    const checked = (await guest.send({ url: room.booking_info.price_check_uri ?? '' })).json()
    expect(checked.data.status).toBe('matched')
    const booked = await book(guest, room, [])
    expect(booked.statusCode).toBe(201)
    expect(await bookingIds(guest)).toEqual(expect.arrayContaining([earlier, booked.json().data.booking_id]))
    expect((await app.request({ url: `/api/accommodation/bookings/${earlier}` })).statusCode).toBe(200)
  })

  test('an offer booked as a guest is not booked again after signing in', async () => {
    const guest = await startGuest()
    const { room } = await findRoom(app, guest)
    const first = (await book(guest, room)).json().data.booking_id
    const before = (await app.ledger()).length
    await guest.signIn()
    const again = await book(guest, room)
    expect(again.statusCode).toBe(201)
    expect(again.json().data.booking_id).toBe(first)
    const otherwise = await guest.send({
      method: 'POST',
      url: '/api/accommodation/book',
      headers: { 'idempotency-key': 'another' },
      payload: { ...room.booking_info, guests: [LEAD] },
    })
    expect(otherwise.json()).toMatchObject({ code: 'offer_used', booking_id: first })
    expect((await app.ledger()).length).toBe(before)
  })

  test('signing in takes over a booking whose idempotency key the account has used as well', async () => {
    const headers = { 'idempotency-key': 'the same key' }
    const url = '/api/accommodation/book'
    const own = await app.book((await app.room()).booking_info, headers)
    expect(own.statusCode).toBe(201)
    const guest = await startGuest()
    const { room } = await findRoom(app, guest)
    const payload = { ...room.booking_info, guests: [LEAD] }
    const booked = await guest.send({ method: 'POST', url, headers, payload })
    expect(booked.statusCode).toBe(201)
    await guest.signIn()
    expect(await bookingIds(guest)).toEqual(
      expect.arrayContaining([own.json().data.booking_id, booked.json().data.booking_id]),
    )
    const replay = await app.book((await app.room()).booking_info, headers)
    expect(replay.json(), 'the key still means the booking of the account').toMatchObject({
      code: 'idempotency_mismatch',
    })
  })

  test('of two accounts that sign in with the same guest session, only the first takes it over', async () => {
    const guest = await startGuest()
    const { room } = await findRoom(app, guest)
    const copy = pageBrowser(app, guest.cookie())
    await guest.signIn()
    await copy.signIn({ email: 'ben@example.com', password: 'another fine password' })
    expect((await book(copy, room)).json()).toMatchObject({ code: 'offer_invalid' })
    expect((await book(guest, room)).statusCode).toBe(201)
  })

  test('after signing out, a new guest session does not get back what the account took over', async () => {
    const guest = await startGuest()
    const { room } = await findRoom(app, guest)
    await guest.signIn()
    await guest.signOut()
    await guest.startGuest()
    expect((await book(guest, room)).json()).toMatchObject({ code: 'offer_invalid' })
    expect(await bookingIds(guest)).toEqual([])
  })

  test('a guest cannot use webhooks, history or changes of bookings', async () => {
    const guest = await startGuest()
    for (const options of [
      { url: '/api/webhooks' },
      { method: 'POST' as const, url: '/api/webhooks', payload: { url: 'https://example.com' } },
      { url: '/api/accommodation/bookings/bkg_1/history' },
      { method: 'PATCH' as const, url: '/api/accommodation/bookings/bkg_1', payload: {} },
    ])
      expect((await guest.send(options)).json()).toMatchObject({ status: 403, code: 'sign_in_needed' })
  })

  test('each visit extends the session of a guest, at most once a day, and not that of an account', async () => {
    const day = 86_400_000
    const guest = await startGuest()
    expect((await guest.send({ url: '/page-config.json' })).headers['set-cookie']).toBe(undefined)
    for (let visit = 0; visit < 3; visit += 1) {
      app.clock.advance(29 * day)
      const { headers } = await guest.send({ url: '/page-config.json' })
      expect(headers['set-cookie']).toContain(`${guest.cookie()}; Max-Age=2592000; `)
    }
    expect((await guest.send({ url: '/api/accommodation/bookings' })).statusCode).toBe(200)
    app.clock.advance(31 * day)
    expect(await guest.session()).toBe(null)
    const account = pageBrowser(app)
    await account.signIn()
    app.clock.advance(2 * day)
    expect((await account.send({ url: '/page-config.json' })).headers['set-cookie']).toBe(undefined)
  })

  test('a guest who already has a session keeps it', async () => {
    const guest = await startGuest()
    const cookie = guest.cookie()
    expect((await guest.startGuest()).headers['set-cookie']).toBeUndefined()
    expect(guest.cookie()).toBe(cookie)
    await guest.signIn()
    expect((await guest.startGuest()).json().data.account).not.toBeNull()
  })
})

describe('limits of guests', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp(withGuests('search', true))
  })
  afterAll(() => app.close())

  const searches = async (browser: PageBrowser, count: number) => {
    const codes: number[] = []
    for (let index = 0; index < count; index += 1)
      codes.push((await browser.send({ method: 'POST', url: SEARCH, payload: {} })).statusCode)
    return codes
  }

  test('a guest may search eight times a minute, and one address twenty times with any number of guests', async () => {
    const first = pageBrowser(app)
    await first.startGuest()
    expect(await searches(first, 9)).toEqual([...Array(8).fill(422), 429])
    const second = pageBrowser(app)
    await second.startGuest()
    expect(await searches(second, 8)).toEqual(Array(8).fill(422))
    const third = pageBrowser(app)
    await third.startGuest()
    expect((await searches(third, 8)).filter((code) => code === 422).length).toBeLessThan(8)
  })

  test('an address can start a limited number of sessions per minute, whatever it sends', async () => {
    const codes: number[] = []
    for (let index = 0; index < 22; index += 1)
      codes.push(
        (
          await app.call({
            method: 'POST',
            url: '/api/session/guest',
            headers: { 'sec-fetch-site': 'same-origin', 'x-serai-page': '1' },
            remoteAddress: '192.0.2.7',
          })
        ).statusCode,
      )
    expect(codes.slice(0, 20)).toEqual(Array(20).fill(200))
    expect(codes.slice(20)).toEqual([429, 429])
  })

  test('if guests may only search, booking asks for sign-in', async () => {
    const guest = pageBrowser(app)
    await guest.startGuest()
    expect((await guest.send({ url: '/api/locations/search?starts_with=Paris' })).statusCode).toBe(200)
    const refused = await guest.send({ method: 'POST', url: '/api/accommodation/book', payload: {} })
    expect(refused.json()).toMatchObject({ status: 403, code: 'sign_in_needed' })
  })

  test('if guests are disabled, no session can be started', async () => {
    const closed = await testApp(withGuests('off'))
    expect((await pageBrowser(closed).startGuest()).json()).toMatchObject({ status: 403, code: 'sign_in_needed' })
    await closed.close()
  })
})
