import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'

const headers = { 'x-simulate-return': 'success' }

const folder = mkdtempSync(join(tmpdir(), 'serai-details-'))
let [here, there]: TestApp[] = []
beforeAll(async () => {
  const open = () => openDatabase({ kind: 'sqlite', path: join(folder, 'serai.db') })
  const { search } = readConfig({ NODE_ENV: 'test', SERAI_ANSWER_REUSE_SECONDS: '600' })
  here = await testApp({ search }, { database: open() })
  there = await testApp({}, { database: open() })
})
afterAll(async () => {
  await Promise.all([here?.close(), there?.close()])
  rmSync(folder, { recursive: true, force: true })
})

test('after a booking in another process, the property is returned with new offers', async () => {
  if (here === undefined || there === undefined) throw new Error('Two processes are needed.')
  const token = await here.signIn()
  const places = await here.as(token, { url: '/api/locations/search?starts_with=Paris' })
  const payload = {
    destination_id: places.json().data[0].id,
    check_in: '2027-03-10',
    check_out: '2027-03-13',
    occupancies: [{ adults: 2 }],
  }
  const found = await here.as(token, { method: 'POST', url: '/api/accommodation_searches/search', headers, payload })
  const { search_id, availability } = found.json().data
  const url = `/api/accommodation_searches/accommodation?search_id=${search_id}&property_id=${availability[0].property_id}`
  const detail = async () => (await here?.as(token, { url, headers }))?.body
  const first = await detail()
  expect(await detail()).toBe(first)

  const { booking_info } = JSON.parse(first ?? '').accommodation.available_rooms[0]
  const book = { method: 'POST', url: '/api/accommodation/book', headers, payload: booking_info } as const
  expect((await there.as(token, book)).statusCode).toBe(201)
  const after = await detail()
  expect(after).not.toBe(first)
  expect(after).not.toContain(booking_info.price_check_uri)

  const expiresAt = async () => JSON.parse((await detail()) ?? '').accommodation.available_rooms[0].expires_at
  const before = await expiresAt()
  here.clock.advance(61_000)
  expect(Date.parse(await expiresAt()) - Date.parse(before), 'rooms are cached for less time than lists').toBe(61_000)
})
