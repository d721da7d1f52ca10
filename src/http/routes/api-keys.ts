import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { KEY_LIST, KEYS_MAX, type ManageKeys, type NewKeyOrder } from '../../accounts/manage-keys.ts'
import { invalidRequest } from '../../domain/app-error.ts'
import type { Budget } from '../../domain/budget.ts'
import { isCurrency } from '../../domain/currency.ts'
import { parseMoney } from '../../domain/money.ts'
import type { Clock } from '../../lib/clock.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { answerList } from '../frame/list-request.ts'
import { problems } from '../frame/problem.ts'
import { callerOf } from '../frame/request-context.ts'
import { presentKey } from '../present/api-key.ts'
import { answer, listAnswers } from '../schemas/answer.ts'
import { type BudgetRequest, KeyList, KeyRequest, NewKeyResponse } from '../schemas/api-keys.ts'

type Deps = { manageKeys: ManageKeys; cursors: CursorCodec; clock: Clock }

/** The API keys of an account. */
export const apiKeyRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { manageKeys, cursors, clock }) => {
  app.post('/api/accounts/keys', CREATE, async (request, reply) => {
    const { key, secret } = await manageKeys.create(callerOf(request), readKey(request.body))
    return reply.code(201).send({ data: { ...presentKey(key, clock.now()), key: secret } })
  })

  app.get('/api/accounts/keys', LIST, async (request, reply) => {
    const { accountId } = callerOf(request)
    return answerList(request, reply, {
      definition: KEY_LIST,
      cursors,
      scope: `accounts.keys ${accountId}`,
      async run(plan) {
        const found = await manageKeys.list(accountId, plan)
        return { ...found, data: found.data.map((key) => presentKey(key, clock.now())) }
      },
    })
  })

  app.delete('/api/accounts/keys/:id', REVOKE, async (request, reply) => {
    await manageKeys.revoke(callerOf(request).accountId, request.params.id)
    return reply.code(204).send(null)
  })
}

function readKey({ name, mode, scopes, per_minute, budget }: Static<typeof KeyRequest>): NewKeyOrder {
  return {
    name: name.trim(),
    mode,
    scopes,
    perMinute: per_minute ?? undefined,
    budget: budget == null ? undefined : readBudget(budget),
  }
}

function readBudget({ amount, currency, per }: Static<typeof BudgetRequest>): Budget {
  const limit = isCurrency(currency) ? parseMoney(amount, currency) : undefined
  if (limit !== undefined) return { limit, per }
  const [field, code, message] = isCurrency(currency)
    ? ['budget.amount', 'wrong_format', `${currency} has no such fraction; round the amount to whole minor units.`]
    : ['budget.currency', 'unknown_currency', 'Name a currency of ISO 4217, such as EUR.']
  throw invalidRequest([{ field, code, message }])
}

const tags = ['Accounts']
const KeyId = Type.Object({ id: Type.String({ description: 'Of the key.' }) })

const CREATE = {
  config: { operation: 'accounts.create_key', access: 'person', cost: 5 } as const,
  schema: {
    tags,
    summary: 'Create an API key',
    description: `For programs: it does not expire, and has only the scopes that it is given. Sent like a token. An account has at most ${KEYS_MAX} keys.`,
    body: KeyRequest,
    response: {
      201: answer('Created. Keep the key; it is not shown again.', NewKeyResponse),
      ...problems('invalid_request'),
    },
  },
}

const LIST = {
  config: { operation: 'accounts.keys', access: 'person', list: KEY_LIST } as const,
  schema: {
    tags,
    summary: 'List your API keys',
    description: 'Those that are not revoked, with what is left of their budgets. The keys themselves are not shown.',
    response: listAnswers('Your keys, oldest first.', KeyList),
  },
}

const REVOKE = {
  config: { operation: 'accounts.revoke_key', access: 'person' } as const,
  schema: {
    tags,
    summary: 'Revoke an API key',
    description: 'It ends on every node within a second. Bookings made with it stay as they are.',
    params: KeyId,
    response: { 204: { type: 'null', description: 'Revoked.' }, ...problems('key_not_found') },
  },
}
