import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { type LedgerApp, ledgerApp, type Room } from '../../support/app/ledger-app.ts'

type Notice = { kind: string; text: string; url: string | null; required_at: string[] }
type RoomWithNotices = Room & { notices: Notice[] }

let app: LedgerApp
beforeAll(async () => {
  app = await ledgerApp()
})
afterAll(() => app.close())

const check = async (room: Room) => (await app.request({ url: room.booking_info.price_check_uri ?? '' })).json().data
const textsAt = (notices: readonly Notice[], place: string) =>
  notices.filter(({ required_at }) => required_at.includes(place)).map(({ text }) => text)

type IsWanted = (room: RoomWithNotices) => boolean

/** Opens rooms of further properties until one matches; undefined if none does. */
async function lookForRoom(vendorId: string, isWanted: IsWanted): Promise<RoomWithNotices | undefined> {
  for (let tries = 0; tries < 60; tries += 1) {
    const room = (await app.room(vendorId)) as RoomWithNotices
    if (isWanted(room)) return room
  }
  return undefined
}

const findRoom = async (vendorId: string, isWanted: IsWanted) =>
  (await lookForRoom(vendorId, isWanted)) ?? expect.fail('No room matches.')

describe.each(STAND_IN_IDS)('notices of %s', (vendorId) => {
  test('notices of the room, the price check and the booking reach the booking and the voucher', async () => {
    const room = await lookForRoom(vendorId, ({ notices }) => notices.length > 0)
    // A new vendor's format has no notices.
    if (room === undefined) return expect(['expedia_rapid', 'hotelbeds', 'liteapi']).not.toContain(vendorId)
    const checked = await check(room)
    const body = { ...checked.room.booking_info, terms_digest: checked.terms_digest }
    const booked = await app.book(body)
    const { code, changes, data } = booked.json()
    expect(booked.statusCode, JSON.stringify({ code, changes })).toBe(201)
    const shown: Notice[] = [...room.notices, ...checked.room.notices]
    const kept = data.notices.map(({ text }: Notice) => text).join('\n\n')
    for (const { text, kind } of shown) {
      // A repeated remark replaces the earlier one.
      if (kind === 'vendor_terms' || kind === 'rate_comment') continue
      expect(kept).toContain(text)
    }
    for (const { text } of checked.room.notices.filter(({ kind }: Notice) => kind === 'rate_comment'))
      expect(kept).toContain(text)

    const voucher = (await app.request({ url: `/api/accommodation/bookings/${data.booking_id}/voucher` })).json().data
    const onVoucher = [...voucher.notices.map(({ text }: Notice) => text), voucher.clause ?? ''].join('\n\n')
    for (const text of textsAt(data.notices, 'voucher')) expect(onVoucher).toContain(text)
    expect(data.confirmation.vendor).toBe(data.vendor_reference)
    expect(voucher.property.category, 'accommodation type').not.toBe('')
  })
})

test('special remarks that LiteAPI sends only with a booking are shown with it and on the voucher', async () => {
  const texts: string[] = []
  while (texts.length === 0) {
    const { data } = (await app.book((await app.room('liteapi')).booking_info)).json()
    const { notices } = (await app.request({ url: `/api/accommodation/bookings/${data.booking_id}/voucher` })).json()
      .data
    const remarks = (shown: readonly Notice[]) =>
      shown.map(({ text }) => text).filter((text) => /pool is closed/.test(text))
    expect(remarks(notices)).toEqual(remarks(data.notices))
    texts.push(...remarks(data.notices))
  }
  expect(texts).toEqual([expect.stringContaining('The pool is closed for the winter.')])
})

test('every Rapid room has a link to the supplier’s terms for the checkout and texts of the property', async () => {
  const room = await findRoom('expedia_rapid', ({ notices }) => notices.some(({ kind }) => kind === 'policies'))
  const terms = room.notices.find(({ kind }) => kind === 'vendor_terms')
  expect(terms).toMatchObject({ url: expect.stringMatching(/^https:/), required_at: ['checkout'] })
  expect(textsAt(room.notices, 'detail').length).toBeGreaterThan(1)
})

test('a room with the longest texts can be checked and booked, and its price_check_uri stays short', async () => {
  const isLong = ({ notices }: RoomWithNotices) => notices.some(({ text }) => text.length > 5_000)
  const room = await findRoom('expedia_rapid', isLong)
  expect(room.booking_info.price_check_uri?.length).toBeLessThan(8_000)
  const { status, room: fresh } = await check(room)
  expect(status).toBe('matched')
  expect(isLong(fresh)).toBe(true)
  expect((await app.book(fresh.booking_info)).json().data.notices.some(({ text }: Notice) => text.length > 5_000)).toBe(
    true,
  )
})

test('comments that a rate only refers to are loaded after the first request and shown with the next', async () => {
  await app.room()
  const { searchId, propertyIds } = app
  const look = async () => {
    const comments: string[] = []
    for (const propertyId of propertyIds.slice(0, 6)) {
      const url = `/api/accommodation_searches/accommodation?search_id=${searchId}&property_id=${propertyId}&raw=true`
      const rooms: RoomWithNotices[] = (await app.request({ url })).json().available_rooms
      const notices = rooms.filter(({ vendor_id }) => vendor_id === 'hotelbeds').flatMap((room) => room.notices)
      comments.push(...notices.filter(({ kind }) => kind === 'rate_comment').map(({ text }) => text))
    }
    // Longer than any response is cached.
    app.clock.advance(2 * 60_000)
    return comments
  }
  await look()
  await expect.poll(async () => (await look()).length, { timeout: 15_000 }).toBeGreaterThan(0)
})
