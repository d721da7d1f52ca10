import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendList } from '../../http/body/list-request.ts'
import { requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse, listResponses } from '../../http/schemas/answer.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { KEY_LIST, KEYS_MAX, type ManageKeys } from '../manage-keys.ts'
import { presentKey } from '../present/api-key.ts'
import { KeyList, KeyRequest, NewKeyResponse } from '../schemas/api-keys.ts'
import { readKeyOrder } from './read-key.ts'

type Deps = { manageKeys: ManageKeys; cursors: CursorCodec; clock: Clock }

export const apiKeyRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { manageKeys, cursors, clock }) => {
  app.post('/api/accounts/keys', CREATE, async (request, reply) => {
    const { key, secret } = await manageKeys.create(requireCaller(request), readKeyOrder(request.body))
    return reply.code(201).send({ data: { ...presentKey(key, clock.now()), key: secret } })
  })

  app.get('/api/accounts/keys', LIST, async (request, reply) => {
    const { accountId } = requireCaller(request)
    return sendList(request, reply, {
      cursors,
      owner: [accountId],
      run: (plan) => manageKeys.list(accountId, plan),
      present: (key) => presentKey(key, clock.now()),
    })
  })

  app.delete('/api/accounts/keys/:id', REVOKE, async (request, reply) => {
    await manageKeys.revoke(requireCaller(request).accountId, request.params.id)
    return reply.code(204).send(null)
  })
}

const KeyId = Type.Object({ id: Type.String({ description: 'Id of the key.' }) })

const CREATE = operation('accounts.create_key', {
  access: 'person',
  cost: 5,
  summary: 'Create an API key',
  description: `For programs. A key does not expire and has only the given scopes. Send it like a token. An account can have at most ${KEYS_MAX} keys.`,
  body: KeyRequest,
  answers: { 201: jsonResponse('Created. Keep the key; it is not shown again.', NewKeyResponse) },
  problems: ['invalid_request'],
})

const LIST = operation('accounts.keys', {
  access: 'person',
  list: KEY_LIST,
  summary: 'List your API keys',
  description: 'Keys that are not revoked, with their remaining budgets. The secrets are not shown.',
  answers: listResponses('Your keys, oldest first.', KeyList),
})

const REVOKE = operation('accounts.revoke_key', {
  access: 'person',
  summary: 'Revoke an API key',
  description: 'It becomes invalid on every node within a second. Bookings made with it are not affected.',
  params: KeyId,
  answers: { 204: { type: 'null', description: 'Revoked.' } },
  problems: ['key_not_found'],
})
