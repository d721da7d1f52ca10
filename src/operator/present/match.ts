import type { Static } from 'typebox'
import { SEPARATIONS } from '../../catalogue/matching/assign-matches.ts'
import type { PairComparison } from '../../catalogue/matching/compare-pair.ts'
import type {
  InspectedMatch,
  InspectedRecord,
  ListedMatch,
  NearMatch,
} from '../../catalogue/matching/inspect-matches.ts'
import type { RoomTypeGroup } from '../../catalogue/rooms/room-types.ts'
import { moment } from '../../http/present/moment.ts'
import { presentImages } from '../../search/present/property-detail.ts'
import type {
  MatchedPropertySchema,
  MatchSchema,
  NearMatchSchema,
  PropertyComparisonResponse,
} from '../schemas/matches.ts'

type Matched = Static<typeof MatchedPropertySchema>

const roundScore = (score: number) => Math.round(score * 10_000) / 10_000
const presentEvidence = (evidence: ListedMatch['evidence']) => evidence.map(({ fact, weight }) => ({ fact, weight }))

export const presentMatch = (match: ListedMatch): Static<typeof MatchSchema> => ({
  id: match.id,
  property_id: match.property_id,
  vendor_id: match.vendor_id,
  vendor_property_id: match.vendor_property_id,
  name: match.name,
  city: match.city,
  country_code: match.country_code,
  score: roundScore(match.score),
  decided_by: match.decided_by === 'operator' ? 'operator' : 'auto',
  decided_at: moment(match.decided_at),
  evidence: presentEvidence(match.evidence),
})

export const presentNearMatch = (near: NearMatch): Static<typeof NearMatchSchema> => ({
  id: near.id,
  property_id: near.property_id,
  vendor_id: near.vendor_id,
  vendor_property_id: near.vendor_property_id,
  name: near.name,
  other: {
    property_id: near.other_property_id,
    vendor_id: near.other_vendor_id,
    vendor_property_id: near.other_vendor_property_id,
    name: near.other_name,
  },
  city: near.city,
  country_code: near.country_code,
  score: roundScore(near.score),
  found_at: moment(near.found_at),
  reason: SEPARATIONS.find((reason) => reason === near.reason) ?? null,
  evidence: presentEvidence(near.evidence),
})

export const presentComparison = ({
  propertyIds,
  score,
  evidence,
  reasons,
}: PairComparison): Static<typeof PropertyComparisonResponse>['data'] => ({
  property_id: propertyIds[0],
  other_property_id: propertyIds[1],
  score: score === undefined ? null : roundScore(score),
  evidence: presentEvidence(evidence),
  reasons: [...reasons],
})

export const presentMatchedProperty = (match: InspectedMatch): Matched => ({
  property_id: match.propertyId,
  name: match.name,
  records: match.records.map(presentRecord),
  look_alikes: match.lookAlikes.map(({ propertyId, name, score, evidence }) => ({
    property_id: propertyId,
    name,
    score: roundScore(score),
    evidence: presentEvidence(evidence),
  })),
  room_types: match.roomTypes.map(presentRoomType),
  decisions: match.decisions.map(({ a, b, kind, decided_at, decided_by, reason }) => ({
    kind,
    records: [a, b],
    decided_at: moment(decided_at),
    decided_by: decided_by ?? null,
    reason: reason ?? null,
  })),
})

const presentRecord = (record: InspectedRecord): Matched['records'][number] => ({
  vendor_id: record.ref.vendorId,
  vendor_property_id: record.ref.vendorPropertyId,
  name: record.name,
  address: record.address,
  location: { ...record.location },
  distance_m: record.distance,
  phone: record.phone,
  stars: record.stars,
  chain: record.chain,
  category: record.category,
  images: presentImages(record.images),
  decided_by: record.decidedBy,
  score: roundScore(record.score),
  evidence: presentEvidence(record.evidence),
})

const presentRoomType = ({ type, rooms }: RoomTypeGroup): Matched['room_types'][number] => ({
  room_type_id: type.roomTypeId,
  name: type.name,
  matched_by: [...type.matchedBy],
  kept_apart_by: [...type.keptSeparateBy],
  rooms: rooms.map(({ vendorId, roomKey, name, beds, squareMeters }) => ({
    vendor_id: vendorId,
    room_id: roomKey,
    name,
    beds: [...beds],
    square_meters: squareMeters,
  })),
})
