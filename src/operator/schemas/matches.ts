import { Type } from 'typebox'
import { Reason } from '../../accounts/schemas/audit.ts'
import { SEPARATIONS } from '../../catalogue/matching/assign-matches.ts'
import { IMPOSSIBILITIES } from '../../catalogue/matching/compare-traits.ts'
import { dataEnvelope, listEnvelope } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Moment, Point, TextOrNull } from '../../http/schemas/scalars.ts'
import { DetailImage } from '../../search/schemas/property-detail.ts'

const Score = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Probability that they are the same building; they are merged from 0.79.',
})
const Evidence = Type.Array(Type.Object({ fact: Type.String(), weight: Type.Number() }, { title: 'MatchEvidence' }), {
  description: 'Evidence for (above 0) and against (below 0) a match, in log-odds.',
})
const REASONS = [...SEPARATIONS, ...IMPOSSIBILITIES]
const REASONS_EXPLAINED =
  '`too_weak`: the score is below 0.79. `same_vendor`: a property has one record of each vendor, and both have one of the same. `kept_separate`: an operator decided. `not_judged_yet`: waits for the next matching run. `duplicate_entry`: a second entry of its vendor. `other_names`: another record of the property contradicts. `equal_claim`: a neighbour matches as well.'
const reference = { vendor_id: Type.String(), vendor_property_id: Type.String() }

export const MatchSchema = Type.Object(
  {
    id: Type.String(),
    property_id: Type.String(),
    ...reference,
    name: Type.String({ description: 'Name used by this vendor.' }),
    city: Type.String(),
    country_code: Type.String(),
    score: Score,
    decided_by: Type.Enum(['auto', 'operator']),
    decided_at: Moment,
    evidence: Evidence,
  },
  { title: 'Match', description: 'A vendor record that was matched to a property of other vendors.' },
)
export const MatchList = listEnvelope('MatchList', MatchSchema)

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
    reason: nullable(
      Type.Enum([...SEPARATIONS]),
      `Reason why they were not joined; null if an earlier version found the pair. ${REASONS_EXPLAINED}`,
    ),
    evidence: Evidence,
  },
  { title: 'NearMatch', description: 'Two properties that nearly matched, and the records that were compared.' },
)
export const NearMatchList = listEnvelope('NearMatchList', NearMatchSchema)

const MatchRecordSchema = Type.Object(
  {
    ...reference,
    name: Type.String(),
    address: Type.String(),
    location: Point,
    distance_m: Type.Integer({ minimum: 0, description: 'Distance from the first record in metres.' }),
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
    matched_by: Type.Array(Type.String(), { description: 'Features that the rooms have in common.' }),
    kept_apart_by: Type.Array(Type.String(), { description: 'Differences from the most similar room type.' }),
    rooms: Type.Array(
      Type.Object(
        {
          vendor_id: Type.String(),
          room_id: Type.String(),
          name: Type.String(),
          beds: Type.Array(Type.String()),
          square_meters: Type.Number({ description: '0 if unknown.' }),
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
  { title: 'MatchDecision', description: 'Manual decision; permanently overrides automatic matching.' },
)

export const MatchedPropertySchema = Type.Object(
  {
    property_id: Type.String({ description: 'Current id; the id of a merged property redirects to it.' }),
    name: Type.String(),
    records: Type.Array(MatchRecordSchema, { description: 'One per vendor; the founding record first.' }),
    look_alikes: Type.Array(
      Type.Object(
        { property_id: Type.String(), name: Type.String(), score: Score, evidence: Evidence },
        { title: 'LookAlike' },
      ),
      { description: 'The most similar properties nearby.' },
    ),
    room_types: Type.Array(MatchRoomTypeSchema),
    decisions: Type.Array(MatchDecisionSchema),
  },
  { title: 'MatchedProperty' },
)
export const MatchedPropertyResponse = dataEnvelope('MatchedPropertyAnswer', MatchedPropertySchema)

export const PropertyComparisonResponse = dataEnvelope(
  'PropertyComparisonAnswer',
  Type.Object(
    {
      property_id: Type.String(),
      other_property_id: Type.String({ description: 'Equal to `property_id` if they are one property.' }),
      score: nullable(Score, 'Of the two most similar records; null if no two can be one building.'),
      evidence: Evidence,
      reasons: Type.Array(Type.Enum(REASONS), {
        description: `Reasons why they are separate; empty if they are not. ${REASONS_EXPLAINED} \`too_far\`: more than 1.5 km apart. \`too_far_for_names\`: more than 800 m apart, and the names are not equal. \`names_exclude\`, \`names_differ\`, \`other_brand\`: the names belong to two properties.`,
      }),
    },
    { title: 'PropertyComparison' },
  ),
)

export const SplitRoomRequest = Type.Object(
  {
    vendor_id: Type.String({ minLength: 1, maxLength: 100 }),
    room_id: Type.String({ minLength: 1, maxLength: 300 }),
    reason: Reason,
  },
  { title: 'SplitRoomRequest', additionalProperties: false },
)

const property_id = Type.String({ description: 'Id of the property.' })
export const PropertyParams = Type.Object({ property_id })
export const RecordParams = Type.Object({
  property_id,
  vendor_id: Type.String({ description: 'Id of the vendor.' }),
  vendor_property_id: Type.String({ description: 'The vendor’s id of the property.' }),
})
export const TwoPropertiesParams = Type.Object({
  property_id,
  other_property_id: Type.String({ description: 'Id of the other property.' }),
})
export const TwoRoomTypesParams = Type.Object({
  property_id,
  room_type_id: Type.String({ description: 'Id of the room type that remains.' }),
  other_room_type_id: Type.String({ description: 'Id of the room type that is merged into it.' }),
})
