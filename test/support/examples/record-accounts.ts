import type { Catalogue } from '../../../src/catalogue/catalogue.ts'
import { NO_RATINGS, type VendorProperty } from '../../../src/domain/property/property.ts'
import type { Recorder } from './recorder.ts'

const ACCOUNTS = '/api/operator/accounts'
const MATCHES = '/api/operator/matches'

/** Records account operations; the recorder must have the token of an operator. */
export async function recordAccounts({ keep, keepProblem }: Recorder): Promise<void> {
  const password = 'a-password-to-be-changed'
  const { data: account } = await keep('operatorCreateAccount', 201, {
    method: 'POST',
    url: ACCOUNTS,
    payload: { email: 'agency@example.com', name: 'Agency', role: 'client', password, reason: 'New customer' },
  })
  await keep('operatorAccounts', 200, { url: `${ACCOUNTS}?limit=1` })
  await keep('operatorAccounts', 422, { url: `${ACCOUNTS}?limit=0` })
  const resourceUrl = `${ACCOUNTS}/${account.id}`
  const keys = `${resourceUrl}/keys`
  const { data: key } = await keep('operatorCreateKey', 201, {
    method: 'POST',
    url: keys,
    payload: { name: 'booking robot', mode: 'live', scopes: ['search', 'book'], reason: 'Asked for by telephone' },
  })
  await keep('operatorSetBudget', 200, {
    method: 'PUT',
    url: `${keys}/${key.id}/budget`,
    payload: { budget: { amount: 5000, currency: 'EUR', per: 'month' }, reason: 'As in the contract' },
  })
  await keep('operatorAccount', 200, { url: resourceUrl })
  await keep('operatorRevokeKey', 200, {
    method: 'POST',
    url: `${keys}/${key.id}/revoke`,
    payload: { reason: 'It was in a public repository' },
  })
  await keep('operatorChangeAccount', 200, {
    method: 'PATCH',
    url: resourceUrl,
    payload: { role: 'viewer', see_net: true, reason: 'Bookkeeping only' },
  })
  const reason = 'The laptop was lost'
  await keep('operatorEndSessions', 200, { method: 'POST', url: `${resourceUrl}/end_sessions`, payload: { reason } })
  await keep('operatorSetPassword', 200, {
    method: 'POST',
    url: `${resourceUrl}/password`,
    payload: { password, reason },
  })
  await keep('operatorDisableAccount', 200, {
    method: 'POST',
    url: `${resourceUrl}/disable`,
    payload: { reason: 'The contract has ended' },
  })
  await keep('operatorFind', 200, { url: '/api/operator/find?q=agency@example.com' })
  await keepProblem('account_not_found', { url: `${ACCOUNTS}/acc_0` })
  await keepProblem('rules_not_found', { url: '/api/operator/selling/rules/1' })
}

/** Records match operations on a small catalogue. */
export async function recordMatches({ keep }: Recorder, catalogue: Pick<Catalogue, 'ingest'>): Promise<void> {
  const records = [
    aRecord('expedia_rapid', '1', 'Hotel Bellevue Rivoli', 0),
    aRecord('hotelbeds', '7', 'Bellevue Rivoli', 40),
    // A near match, because its name is shorter and its address is missing.
    { ...aRecord('liteapi', 'lp1', 'Bellevue', 220), phone: '', address: { ...ADDRESS, line1: '' } },
  ]
  for (const record of records) await catalogue.ingest([record])
  const { data: matches } = await keep('operatorMatches', 200, { url: MATCHES })
  await keep('operatorMatches', 422, { url: `${MATCHES}?limit=0` })
  const { data: near } = await keep('operatorNearMatches', 200, { url: '/api/operator/near_matches' })
  await keep('operatorNearMatches', 422, { url: '/api/operator/near_matches?limit=0' })
  const [pair] = near
  const [{ property_id: id, vendor_id, vendor_property_id }] = matches
  const resourceUrl = `${MATCHES}/${id}`
  const reason = 'Compared by their pictures'
  const { data: shown } = await keep('operatorMatch', 200, { url: resourceUrl })
  const [first, second] = shown.room_types
  const decide = (operation: string, path: string, more: object = {}) =>
    keep(operation, 200, { method: 'POST', url: `${resourceUrl}${path}`, payload: { ...more, reason } })
  await decide('operatorJoinRooms', `/rooms/${first.room_type_id}/join/${second.room_type_id}`)
  const { vendor_id: vendor, room_id } = second.rooms[0]
  await decide('operatorSplitRoom', '/rooms/split', { vendor_id: vendor, room_id })
  const other = pair.property_id === id ? pair.other.property_id : pair.property_id
  await keep('operatorCompareProperties', 200, { url: `${resourceUrl}/compare/${other}` })
  await keep('operatorPostponeNearMatch', 200, { method: 'POST', url: `${resourceUrl}/postpone/${other}` })
  await decide('operatorConfirmMatch', `/confirm/${vendor_id}/${vendor_property_id}`)
  await decide('operatorKeepSeparate', `/keep_separate/${other}`)
  await decide('operatorJoinProperties', `/join/${other}`)
  await decide('operatorSplitProperty', `/split/${vendor_id}/${vendor_property_id}`)
}

const ADDRESS = {
  line1: '12 Rue de Rivoli',
  line2: '',
  city: 'Paris',
  region: '',
  postalCode: '75004',
  countryCode: 'FR',
}
const aRoom = (id: string, name: string) => ({
  id,
  name,
  description: '',
  squareMeters: 18,
  squareFeet: 194,
  sleeps: 2,
  beds: ['1 Double Bed'],
  images: [],
  amenities: {},
})

const aRecord = (vendorId: string, vendorPropertyId: string, name: string, metersNorth: number): VendorProperty => ({
  vendorId,
  vendorPropertyId,
  name,
  byeLine: '',
  category: 'Hotel',
  chain: '',
  description: '',
  starRating: 3,
  guestRatings: NO_RATINGS,
  reviewCount: 0,
  images: [],
  location: { lat: 48.8566 + metersNorth / 111_195, lon: 2.3522 },
  address: ADDRESS,
  phone: '+33142720000',
  popularAmenities: [],
  amenitiesByCategory: {},
  amenitySlugs: [],
  checkInTime: '15:00',
  checkOutTime: '11:00',
  rooms: [aRoom('dbl', 'Double Room'), aRoom('sup', 'Superior Double Room')],
})
