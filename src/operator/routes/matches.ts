import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { DecisionNote } from '../../catalogue/matching/curate-matches.ts'
import type { DecideMatches } from '../../catalogue/matching/decide-matches.ts'
import {
  type InspectedMatch,
  type InspectMatches,
  MATCH_LIST,
  NEAR_LIST,
} from '../../catalogue/matching/inspect-matches.ts'
import { sendList } from '../../http/body/list-request.ts'
import { requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse, listResponses } from '../../http/schemas/answer.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { presentComparison, presentMatch, presentMatchedProperty, presentNearMatch } from '../present/match.ts'
import { ReasonRequest } from '../schemas/attention.ts'
import {
  MatchedPropertyResponse,
  MatchList,
  NearMatchList,
  PropertyComparisonResponse,
  PropertyParams,
  RecordParams,
  SplitRoomRequest,
  TwoPropertiesParams,
  TwoRoomTypesParams,
} from '../schemas/matches.ts'

export type OperatorMatchDeps = {
  inspectMatches: Pick<InspectMatches, 'list' | 'near'>
  decideMatches: DecideMatches
  cursors: CursorCodec
}

/** Matches of properties and rooms: evidence and manual decisions. */
export const operatorMatchRoutes: FastifyPluginAsyncTypebox<OperatorMatchDeps> = async (app, deps) => {
  const { inspectMatches, decideMatches, cursors } = deps

  app.get('/api/operator/matches', LIST, async (request, reply) =>
    sendList(request, reply, { cursors, run: inspectMatches.list, present: presentMatch }),
  )

  app.get('/api/operator/near_matches', NEAR, async (request, reply) =>
    sendList(request, reply, { cursors, run: inspectMatches.near, present: presentNearMatch }),
  )

  app.get('/api/operator/matches/:property_id', SHOW, async ({ params }) =>
    present(await decideMatches.show(params.property_id)),
  )

  app.post(`${PROPERTY_PATH}/split/:vendor_id/:vendor_property_id`, SPLIT, async (request) => {
    const { property_id, vendor_id: vendorId, vendor_property_id: vendorPropertyId } = request.params
    return present(await decideMatches.split(property_id, { vendorId, vendorPropertyId }, decisionBy(request)))
  })

  app.post(`${PROPERTY_PATH}/confirm/:vendor_id/:vendor_property_id`, CONFIRM, async (request) => {
    const { property_id, vendor_id: vendorId, vendor_property_id: vendorPropertyId } = request.params
    return present(await decideMatches.confirm(property_id, { vendorId, vendorPropertyId }, decisionBy(request)))
  })

  app.get(`${PROPERTY_PATH}/compare/:other_property_id`, COMPARE, async ({ params }) => ({
    data: presentComparison(await decideMatches.compare(params.property_id, params.other_property_id)),
  }))

  app.post(`${PROPERTY_PATH}/postpone/:other_property_id`, POSTPONE, async ({ params }) =>
    present(await decideMatches.postpone(params.property_id, params.other_property_id)),
  )

  app.post(`${PROPERTY_PATH}/join/:other_property_id`, JOIN, async (request) => {
    const { property_id, other_property_id } = request.params
    return present(await decideMatches.join(property_id, other_property_id, decisionBy(request)))
  })

  app.post(`${PROPERTY_PATH}/keep_separate/:other_property_id`, KEEP, async (request) => {
    const { property_id, other_property_id } = request.params
    return present(await decideMatches.keepSeparate(property_id, other_property_id, decisionBy(request)))
  })

  app.post(`${PROPERTY_PATH}/rooms/split`, SPLIT_ROOM, async (request) => {
    const { vendor_id: vendorId, room_id: roomKey } = request.body
    return present(
      await decideMatches.splitRoom(request.params.property_id, { vendorId, roomKey }, decisionBy(request)),
    )
  })

  app.post(`${PROPERTY_PATH}/rooms/:room_type_id/join/:other_room_type_id`, JOIN_ROOMS, async (request) => {
    const { property_id, room_type_id, other_room_type_id } = request.params
    return present(await decideMatches.joinRooms(property_id, room_type_id, other_room_type_id, decisionBy(request)))
  })
}

const PROPERTY_PATH = '/api/operator/matches/:property_id'

const present = (match: InspectedMatch) => ({ data: presentMatchedProperty(match) })

function decisionBy(request: FastifyRequest): DecisionNote {
  const { reason } = Object(request.body)
  return { by: requireCaller(request).accountId, reason: String(reason).trim() }
}

const DECISION = {
  answers: { 200: jsonResponse('The changed property.', MatchedPropertyResponse) },
  problems: ['property_not_found', 'invalid_request'],
} as const
const PERMANENT = 'The decision permanently overrides automatic matching.'

const LIST = operation('operator.matches', {
  access: 'operator',
  list: MATCH_LIST,
  cost: 5,
  summary: 'List the matches of vendors’ properties',
  description: 'Every vendor record that was matched to a property of other vendors, least certain first.',
  answers: listResponses('The matches.', MatchList),
})

const NEAR = operation('operator.near_matches', {
  access: 'operator',
  list: NEAR_LIST,
  cost: 5,
  summary: 'List properties that nearly matched',
  description:
    'Pairs of separate properties with a score just below a match, or with a match that conflicts with another. Pairs that an operator has decided on or put off are omitted.',
  answers: listResponses('The pairs, most similar first.', NearMatchList),
})

const SHOW = operation('operator.match', {
  access: 'operator',
  summary: 'Read why vendor records match',
  description: 'The records side by side, the evidence, the room types, and the decisions of operators.',
  params: PropertyParams,
  answers: { 200: jsonResponse('The property.', MatchedPropertyResponse) },
  problems: ['property_not_found'],
})

const SPLIT = operation('operator.split_property', {
  access: 'operator',
  cost: 5,
  summary: 'Split a vendor record from a property',
  description: `It gets its own id; the others keep theirs. ${PERMANENT}`,
  params: RecordParams,
  body: ReasonRequest,
  ...DECISION,
})

const CONFIRM = operation('operator.confirm_match', {
  access: 'operator',
  cost: 5,
  summary: 'Confirm that a vendor record belongs to a property',
  description: `Nothing changes at once, but matching never splits it off. ${PERMANENT}`,
  params: RecordParams,
  body: ReasonRequest,
  ...DECISION,
})

const COMPARE = operation('operator.compare_properties', {
  access: 'operator',
  cost: 5,
  summary: 'Read why two properties are separate',
  description: 'Compares their records, also if they can never be one building.',
  params: TwoPropertiesParams,
  answers: { 200: jsonResponse('The comparison.', PropertyComparisonResponse) },
  problems: ['property_not_found'],
})

const POSTPONE = operation('operator.postpone_near_match', {
  access: 'operator',
  summary: 'Put off the decision on two properties',
  description: 'Hides them from the list of near matches for 30 days.',
  params: TwoPropertiesParams,
  ...DECISION,
})

const JOIN = operation('operator.join_properties', {
  access: 'operator',
  cost: 5,
  summary: 'Merge two properties',
  description: `The first keeps its id; the other id redirects to it. ${PERMANENT}`,
  params: TwoPropertiesParams,
  body: ReasonRequest,
  ...DECISION,
})

const KEEP = operation('operator.keep_separate', {
  access: 'operator',
  cost: 5,
  summary: 'Keep two properties separate',
  description: `Removes them from the list of near matches. ${PERMANENT}`,
  params: TwoPropertiesParams,
  body: ReasonRequest,
  ...DECISION,
})

const SPLIT_ROOM = operation('operator.split_room', {
  access: 'operator',
  cost: 5,
  summary: 'Split a vendor room from a room type',
  description: `It gets its own room type; the others keep theirs. ${PERMANENT}`,
  params: PropertyParams,
  body: SplitRoomRequest,
  ...DECISION,
})

const JOIN_ROOMS = operation('operator.join_rooms', {
  access: 'operator',
  cost: 5,
  summary: 'Merge two room types',
  description: `The first keeps its id. ${PERMANENT}`,
  params: TwoRoomTypesParams,
  body: ReasonRequest,
  ...DECISION,
})
