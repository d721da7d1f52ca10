import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendList } from '../../http/body/list-request.ts'
import { requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { listResponses } from '../../http/schemas/answer.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { type OpenSessions, SESSION_LIST } from '../open-sessions.ts'
import { presentSession } from '../present/api-key.ts'
import { SessionList } from '../schemas/api-keys.ts'

type Deps = { openSessions: OpenSessions; cursors: CursorCodec }

export const openSessionRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { openSessions, cursors }) => {
  app.get('/api/accounts/sessions', LIST, async (request, reply) => {
    const { accountId, tokenHash } = requireCaller(request)
    return sendList(request, reply, {
      cursors,
      owner: [accountId],
      run: (plan) => openSessions.list(accountId, tokenHash, plan),
      present: presentSession,
    })
  })

  app.delete('/api/accounts/sessions/:id', END, async (request, reply) => {
    await openSessions.end(requireCaller(request).accountId, request.params.id)
    return reply.code(204).send(null)
  })
}

const SessionId = Type.Object({ id: Type.String({ description: 'Id of the session.' }) })

const LIST = operation('accounts.sessions', {
  access: 'person',
  list: SESSION_LIST,
  summary: 'List your sessions',
  description: 'One session for each valid token and each signed-in browser, at most the newest 1000 of each kind.',
  answers: listResponses('Your sessions, newest first.', SessionList),
})

const END = operation('accounts.end_session', {
  access: 'person',
  summary: 'End a session',
  description: 'The token or browser session becomes invalid on every node within a second.',
  params: SessionId,
  answers: { 204: { type: 'null', description: 'Ended.' } },
  problems: ['session_not_found'],
})
