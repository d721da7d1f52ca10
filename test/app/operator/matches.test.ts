import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { VendorProperty } from '../../../src/domain/property/property.ts'
import {
  MatchedPropertyResponse,
  MatchList,
  NearMatchList,
  PropertyComparisonResponse,
} from '../../../src/operator/schemas/matches.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { anImage, aVendorProperty, north, PARIS_CENTRE } from '../../unit/catalogue/a-vendor-property.ts'

const reason = 'compared by their pictures'
const NO_ADDRESS = { line1: '', line2: '', city: 'Paris', region: '', postalCode: '', countryCode: 'FR' }

let app: TestApp
let token: string
beforeAll(async () => {
  app = await testApp()
  token = await operatorToken(app)
})
afterAll(() => app.close())

async function operate(options: InjectOptions, status = 200) {
  const answer = await app.as(token, options)
  expect(answer.statusCode, answer.body).toBe(status)
  return answer.json()
}
const decide = (path: string, payload: object = { reason }, status = 200) =>
  operate({ method: 'POST', url: `/api/operator/matches/${path}`, payload }, status)

let placeCount = 0
/** Ingests two vendors' records of one hotel and a third that nearly matches, at a new location. */
async function ingestPlace() {
  placeCount += 1
  const location = { lat: PARIS_CENTRE.lat + placeCount, lon: PARIS_CENTRE.lon }
  const createRecord = (vendorId: string, name: string, some: Partial<VendorProperty> = {}) =>
    aVendorProperty({ vendorId, vendorPropertyId: `p${placeCount}`, name, location, ...some })
  const room = (id: string, name: string) => ({
    id,
    name,
    description: '',
    squareMeters: 18,
    squareFeet: 194,
    sleeps: 2,
    beds: [],
    images: [],
    amenities: {},
  })
  const rooms = [room('dbl', 'Double Room'), room('sup', 'Superior Double Room')]
  const records = [
    createRecord('alpha', 'Hotel Bellevue Rivoli', { rooms, images: [anImage('front')] }),
    createRecord('beta', 'Bellevue Rivoli', { rooms, location: north(location, 40) }),
    createRecord('gamma', 'Bellevue', { phone: '', address: NO_ADDRESS, location: north(location, 200) }),
  ]
  for (const record of records) await app.operator.catalogue.ingest([record])
  const { data } = await operate({ url: `/api/operator/matches?filters[]=vendor_property_id:==<p${placeCount}` })
  return { id: data[0].property_id as string, vendorPropertyId: `p${placeCount}`, records }
}

const readNearMatches = async (id: string) =>
  (await operate({ url: '/api/operator/near_matches' })).data.filter(
    (pair: { property_id: string; other: { property_id: string } }) =>
      pair.property_id === id || pair.other.property_id === id,
  )

test('matches are listed with the least certain first and filtered by name, city and vendor', async () => {
  await ingestPlace()
  const list = await operate({ url: '/api/operator/matches' })
  expectToMatch(MatchList, list)
  const scores = list.data.map(({ score }: { score: number }) => score)
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => a - b))
  expect(list.data[0].evidence.length).toBeGreaterThan(2)
  const filter = 'filters[]=name:ilike<bellevue&filters[]=city:==<Paris&filters[]=vendor_id:==<beta'
  expect((await operate({ url: `/api/operator/matches?${filter}` })).data.length).toBeGreaterThan(0)
  expect((await operate({ url: '/api/operator/matches?filters[]=name:ilike<astoria' })).data).toEqual([])
  await operate({ url: '/api/operator/matches?limit=0' }, 422)
})

test('a property shows its records side by side, the evidence, its rooms and similar properties', async () => {
  const { id } = await ingestPlace()
  const shown = await operate({ url: `/api/operator/matches/${id}` })
  expectToMatch(MatchedPropertyResponse, shown)
  const [first, second] = shown.data.records
  expect(first).toMatchObject({ vendor_id: 'alpha', decided_by: 'founder', distance_m: 0, stars: 3 })
  expect(first.images).toMatchObject([{ caption: 'front' }])
  expect(second).toMatchObject({ vendor_id: 'beta', decided_by: 'auto', distance_m: 40 })
  expect(second.evidence.map(({ fact }: { fact: string }) => fact)).toContain('same telephone')
  expect(shown.data.room_types.map(({ rooms }: { rooms: object[] }) => rooms.length)).toEqual([2, 2])
  expect(shown.data.look_alikes[0]).toMatchObject({ name: 'Bellevue' })
})

test('a record that was split off stays separate after new content until it is joined by hand, and its ids redirect', async () => {
  const { id, vendorPropertyId, records } = await ingestPlace()
  const split = await decide(`${id}/split/beta/${vendorPropertyId}`)
  expect(split.data.records.map(({ vendor_id }: { vendor_id: string }) => vendor_id)).toEqual(['alpha'])
  expect(split.data.decisions).toMatchObject([{ kind: 'split', reason, decided_by: expect.stringMatching(/^acc_/) }])
  const beta = records[1] as VendorProperty
  await app.operator.catalogue.ingest([{ ...beta, name: 'Hotel Bellevue Rivoli' }])
  await app.operator.catalogue.rejudgeAgain()
  for (let slices = 0; slices < 50 && (await app.operator.catalogue.rejudge())?.isDone === false; slices += 1);
  const after = await operate({ url: `/api/operator/matches/${id}` })
  expect(after.data.records).toHaveLength(1)

  const other = after.data.look_alikes.find(({ score }: { score: number }) => score > 0.79)?.property_id
  expect((await decide(`${id}/join/${other}`)).data.records).toHaveLength(2)
  const alias = await operate({ url: `/api/operator/matches/${other}` })
  expect(alias.data.property_id).toBe(id)
  expect(alias.data.decisions).toMatchObject([{ kind: 'join' }])
})

test('a near match is listed until an operator decides on it', async () => {
  const [joined, separate] = [await ingestPlace(), await ingestPlace()]
  for (const { id } of [joined, separate]) expect(await readNearMatches(id)).not.toEqual([])
  expectToMatch(NearMatchList, await operate({ url: '/api/operator/near_matches' }))
  const readOtherId = async (id: string) => {
    const [pair] = await readNearMatches(id)
    return pair.property_id === id ? pair.other.property_id : pair.property_id
  }
  await decide(`${joined.id}/join/${await readOtherId(joined.id)}`)
  await decide(`${separate.id}/keep_separate/${await readOtherId(separate.id)}`)
  for (const { id } of [joined, separate]) expect(await readNearMatches(id)).toEqual([])
  expect((await operate({ url: `/api/operator/matches/${joined.id}` })).data.records).toHaveLength(3)
  expect((await operate({ url: `/api/operator/matches/${separate.id}` })).data.records).toHaveLength(2)
})

test('a confirmed match leaves the list of automatic ones, and a near match that was put off leaves its list', async () => {
  const { id, vendorPropertyId } = await ingestPlace()
  const automatic = `/api/operator/matches?filters[]=property_id:==<${id}&filters[]=decided_by:==<auto`
  expect((await operate({ url: automatic })).data).toHaveLength(1)
  const { data } = await decide(`${id}/confirm/beta/${vendorPropertyId}`)
  expect(data.records[1]).toMatchObject({ decided_by: 'operator' })
  expect(data.records[1].evidence.length).toBeGreaterThan(2)
  expect(data.decisions).toMatchObject([{ kind: 'join', reason }])
  expect((await operate({ url: automatic })).data).toEqual([])
  await decide(`${id}/confirm/nobody/1`, { reason }, 422)

  const [pair] = await readNearMatches(id)
  const other = pair.property_id === id ? pair.other.property_id : pair.property_id
  const compared = await operate({ url: `/api/operator/matches/${id}/compare/${other}` })
  expectToMatch(PropertyComparisonResponse, compared)
  expect(compared.data).toMatchObject({ property_id: id, other_property_id: other, reasons: ['too_weak'] })
  expect(pair.reason).toBe('too_weak')
  await decide(`${id}/postpone/${other}`)
  expect(await readNearMatches(id)).toEqual([])
  const { data: entries } = await operate({ url: `/api/operator/audit?filters[]=subject:starts_with<${id}` })
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['operator.confirm_match', 'operator.postpone_near_match']),
  )
})

test('rooms are joined and split by hand', async () => {
  const { id } = await ingestPlace()
  const [first, second] = (await operate({ url: `/api/operator/matches/${id}` })).data.room_types
  const joined = await decide(`${id}/rooms/${first.room_type_id}/join/${second.room_type_id}`)
  expect(joined.data.room_types).toMatchObject([
    { room_type_id: first.room_type_id, matched_by: expect.arrayContaining(['operator']) },
  ])
  const room = { vendor_id: 'beta', room_id: 'sup' }
  const split = await decide(`${id}/rooms/split`, { ...room, reason })
  expect(split.data.room_types.map(({ rooms }: { rooms: object[] }) => rooms.length).sort()).toEqual([1, 3])
  await decide(`${id}/rooms/split`, { ...room, reason }, 422)
})

test('an impossible decision is refused with the reason, and unknown properties return 404', async () => {
  const { id } = await ingestPlace()
  const refused = await decide(`${id}/join/${id}`, { reason }, 422)
  expect(refused.errors[0].message).toContain('already one property')
  await decide(`${id}/split/nobody/1`, { reason }, 422)
  await decide(`${id}/join/prp_unknown`, { reason }, 404)
  expect((await decide(`${id}/join/prp_unknown`, {}, 422)).errors).toMatchObject([{ field: 'reason' }])
  await operate({ url: '/api/operator/matches/prp_unknown' }, 404)
})

test('decisions are in the audit log with their subject and reason', async () => {
  const { id, vendorPropertyId } = await ingestPlace()
  await decide(`${id}/split/beta/${vendorPropertyId}`)
  const { data } = await operate({ url: `/api/operator/audit?filters[]=subject:starts_with<${id}` })
  expect(data).toMatchObject([
    { action: 'operator.split_property', subject: `${id} beta ${vendorPropertyId}`, reason, outcome: 'done' },
  ])
})
