import { Type } from 'typebox'
import { Reason } from '../../accounts/schemas/audit.ts'
import { dataOf, listOf } from '../../http/schemas/answer.ts'
import { Moment, Point, TextOrNull } from '../../http/schemas/scalars.ts'
import { DetailImage } from '../../search/schemas/property-detail.ts'

const Score = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'How likely they are one building: from 0.79 they are joined.',
})
const Evidence = Type.Array(Type.Object({ fact: Type.String(), weight: Type.Number() }, { title: 'MatchEvidence' }), {
  description: 'What speaks for (above 0) and against it (below 0), in log-odds.',
})
const reference = { vendor_id: Type.String(), vendor_property_id: Type.String() }

export const MatchSchema = Type.Object(
  {
    id: Type.String(),
    property_id: Type.String(),
    ...reference,
    name: Type.String({ description: 'As this vendor calls it.' }),
    city: Type.String(),
    country_code: Type.String(),
    score: Score,
    decided_by: Type.Enum(['auto', 'operator']),
    decided_at: Moment,
    evidence: Evidence,
  },
  { title: 'Match', description: 'A vendor’s record that was matched to a property of other vendors.' },
)
export const MatchList = listOf('MatchList', MatchSchema)

const side = { property_id: Type.String(), ...reference, name: Type.String() }
export const NearMatchSchema = Type.Object(
  {
    id: Type.String(),
    ...side,
    other: Type.Object(side, { title: 'NearMatchSide' }),
    city: Type.String(),
    country_code: Type.String(),
    score: Score,
    found_at: Moment,
    evidence: Evidence,
  },
  { title: 'NearMatch', description: 'Two properties that nearly matched, by the records that were compared.' },
)
export const NearMatchList = listOf('NearMatchList', NearMatchSchema)

const MatchRecordSchema = Type.Object(
  {
    ...reference,
    name: Type.String(),
    address: Type.String(),
    location: Point,
    distance_m: Type.Integer({ minimum: 0, description: 'From the first record, in metres.' }),
    phone: Type.String(),
    stars: Type.Number(),
    chain: Type.String(),
    category: Type.String(),
    images: Type.Array(DetailImage, { description: 'The first six.' }),
    decided_by: Type.Enum(['founder', 'auto', 'operator'], {
      description: '`founder`: the first record of the property.',
    }),
    score: Score,
    evidence: Evidence,
  },
  { title: 'MatchRecord' },
)

const MatchRoomTypeSchema = Type.Object(
  {
    room_type_id: Type.String(),
    name: Type.String(),
    matched_by: Type.Array(Type.String(), { description: 'What the rooms have in common.' }),
    kept_apart_by: Type.Array(Type.String(), { description: 'What distinguishes it from the most similar one.' }),
    rooms: Type.Array(
      Type.Object(
        {
          vendor_id: Type.String(),
          room_id: Type.String(),
          name: Type.String(),
          beds: Type.Array(Type.String()),
          square_meters: Type.Number({ description: '0 where the vendor does not say.' }),
        },
        { title: 'MatchRoom' },
      ),
    ),
  },
  { title: 'MatchRoomType' },
)

const MatchDecisionSchema = Type.Object(
  {
    kind: Type.Enum(['split', 'join']),
    records: Type.Array(Type.String(), { description: 'The two records, as `vendor_id:vendor_property_id`.' }),
    decided_at: Moment,
    decided_by: TextOrNull,
    reason: TextOrNull,
  },
  { title: 'MatchDecision', description: 'By hand; it wins over the rules of matching for good.' },
)

export const MatchedPropertySchema = Type.Object(
  {
    property_id: Type.String({ description: 'The id that it has now; one that was joined leads to another.' }),
    name: Type.String(),
    records: Type.Array(MatchRecordSchema, { description: 'One for each vendor, the first one first.' }),
    look_alikes: Type.Array(
      Type.Object(
        { property_id: Type.String(), name: Type.String(), score: Score, evidence: Evidence },
        { title: 'LookAlike' },
      ),
      { description: 'The most similar neighbours that are other properties.' },
    ),
    room_types: Type.Array(MatchRoomTypeSchema),
    decisions: Type.Array(MatchDecisionSchema),
  },
  { title: 'MatchedProperty' },
)
export const MatchedPropertyResponse = dataOf('MatchedPropertyAnswer', MatchedPropertySchema)

export const SplitRoomRequest = Type.Object(
  {
    vendor_id: Type.String({ minLength: 1, maxLength: 100 }),
    room_id: Type.String({ minLength: 1, maxLength: 300 }),
    reason: Reason,
  },
  { title: 'SplitRoomRequest', additionalProperties: false },
)

const property_id = Type.String({ description: 'Of the property.' })
export const PropertyParams = Type.Object({ property_id })
export const RecordParams = Type.Object({
  property_id,
  vendor_id: Type.String({ description: 'Of the vendor whose record it is.' }),
  vendor_property_id: Type.String({ description: 'The vendor’s own id of the property.' }),
})
export const TwoPropertiesParams = Type.Object({
  property_id,
  other_property_id: Type.String({ description: 'Of the other property.' }),
})
export const TwoRoomTypesParams = Type.Object({
  property_id,
  room_type_id: Type.String({ description: 'Of the room type that keeps its id.' }),
  other_room_type_id: Type.String({ description: 'Of the other room type.' }),
})
