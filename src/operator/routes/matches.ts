import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Said } from '../../catalogue/matching/curate-matches.ts'
import type { DecideMatches } from '../../catalogue/matching/decide-matches.ts'
import {
  type InspectedMatch,
  type InspectMatches,
  MATCH_LIST,
  NEAR_LIST,
} from '../../catalogue/matching/inspect-matches.ts'
import { answerList } from '../../http/body/list-request.ts'
import { callerOf } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { answer, listAnswers } from '../../http/schemas/answer.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { presentMatch, presentMatchedProperty, presentNearMatch } from '../present/match.ts'
import { ReasonRequest } from '../schemas/attention.ts'
import {
  MatchedPropertyResponse,
  MatchList,
  NearMatchList,
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

/** Which vendors' properties and rooms are one, for operators: why, and decisions by hand. */
export const operatorMatchRoutes: FastifyPluginAsyncTypebox<OperatorMatchDeps> = async (app, deps) => {
  const { inspectMatches, decideMatches, cursors } = deps

  app.get('/api/operator/matches', LIST, async (request, reply) =>
    answerList(request, reply, { cursors, run: inspectMatches.list, present: presentMatch }),
  )

  app.get('/api/operator/near_matches', NEAR, async (request, reply) =>
    answerList(request, reply, { cursors, run: inspectMatches.near, present: presentNearMatch }),
  )

  app.get('/api/operator/matches/:property_id', SHOW, async ({ params }) =>
    shown(await decideMatches.show(params.property_id)),
  )

  app.post(`${ONE}/split/:vendor_id/:vendor_property_id`, SPLIT, async (request) => {
    const { property_id, vendor_id: vendorId, vendor_property_id: vendorPropertyId } = request.params
    return shown(await decideMatches.split(property_id, { vendorId, vendorPropertyId }, saidBy(request)))
  })

  app.post(`${ONE}/join/:other_property_id`, JOIN, async (request) => {
    const { property_id, other_property_id } = request.params
    return shown(await decideMatches.join(property_id, other_property_id, saidBy(request)))
  })

  app.post(`${ONE}/keep_separate/:other_property_id`, KEEP, async (request) => {
    const { property_id, other_property_id } = request.params
    return shown(await decideMatches.keepSeparate(property_id, other_property_id, saidBy(request)))
  })

  app.post(`${ONE}/rooms/split`, SPLIT_ROOM, async (request) => {
    const { vendor_id: vendorId, room_id: roomKey } = request.body
    return shown(await decideMatches.splitRoom(request.params.property_id, { vendorId, roomKey }, saidBy(request)))
  })

  app.post(`${ONE}/rooms/:room_type_id/join/:other_room_type_id`, JOIN_ROOMS, async (request) => {
    const { property_id, room_type_id, other_room_type_id } = request.params
    return shown(await decideMatches.joinRooms(property_id, room_type_id, other_room_type_id, saidBy(request)))
  })
}

const ONE = '/api/operator/matches/:property_id'

const shown = (match: InspectedMatch) => ({ data: presentMatchedProperty(match) })

function saidBy(request: FastifyRequest): Said {
  const { reason } = Object(request.body)
  return { by: callerOf(request).accountId, reason: String(reason).trim() }
}

const DECISION = {
  answers: { 200: answer('The property as it is now.', MatchedPropertyResponse) },
  problems: ['property_not_found', 'invalid_request'],
} as const
const FOR_GOOD = 'The decision is kept and wins over the rules of matching for good; new content does not change it.'

const LIST = operation('operator.matches', {
  access: 'operator',
  list: MATCH_LIST,
  cost: 5,
  summary: 'List the matches of vendors’ properties',
  description: 'Every vendor’s record that was matched to a property of other vendors, the least certain first.',
  answers: listAnswers('The matches.', MatchList),
})

const NEAR = operation('operator.near_matches', {
  access: 'operator',
  list: NEAR_LIST,
  cost: 5,
  summary: 'List properties that nearly matched',
  description:
    'Pairs that are two properties, with evidence that nearly made them one, or whose match another one disputes. Those that an operator has decided on are left out.',
  answers: listAnswers('The pairs, the most similar first.', NearMatchList),
})

const SHOW = operation('operator.match', {
  access: 'operator',
  summary: 'Read why vendors’ records are one property',
  description: 'The records side by side, the evidence, the room types, and what operators have decided.',
  params: PropertyParams,
  answers: { 200: answer('The property.', MatchedPropertyResponse) },
  problems: ['property_not_found'],
})

const SPLIT = operation('operator.split_property', {
  access: 'operator',
  cost: 5,
  summary: 'Take a vendor’s record out of a property',
  description: `It gets an id of its own; the others keep theirs. ${FOR_GOOD}`,
  params: RecordParams,
  body: ReasonRequest,
  ...DECISION,
})

const JOIN = operation('operator.join_properties', {
  access: 'operator',
  cost: 5,
  summary: 'Make two properties one',
  description: `The first keeps its id; the other id leads to it from now on. ${FOR_GOOD}`,
  params: TwoPropertiesParams,
  body: ReasonRequest,
  ...DECISION,
})

const KEEP = operation('operator.keep_separate', {
  access: 'operator',
  cost: 5,
  summary: 'Say that two properties are two',
  description: `Nothing changes, and they leave the list of near matches. ${FOR_GOOD}`,
  params: TwoPropertiesParams,
  body: ReasonRequest,
  ...DECISION,
})

const SPLIT_ROOM = operation('operator.split_room', {
  access: 'operator',
  cost: 5,
  summary: 'Take a vendor’s room out of a room type',
  description: `It gets a room type of its own; the others keep theirs. ${FOR_GOOD}`,
  params: PropertyParams,
  body: SplitRoomRequest,
  ...DECISION,
})

const JOIN_ROOMS = operation('operator.join_rooms', {
  access: 'operator',
  cost: 5,
  summary: 'Make two room types one',
  description: `The first keeps its id. ${FOR_GOOD}`,
  params: TwoRoomTypesParams,
  body: ReasonRequest,
  ...DECISION,
})
