import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { presentKey } from '../../accounts/present/api-key.ts'
import { readBudget, readKeyOrder } from '../../accounts/routes/read-key.ts'
import { KeyResponse, NewKeyResponse, OperatorKeyRequest } from '../../accounts/schemas/api-keys.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import { AccountDetailsResponse, AccountKeyParams, AccountParams, BudgetChangeRequest } from '../schemas/accounts.ts'
import { ReasonRequest } from '../schemas/attention.ts'
import { createAccountPresenter, type OperatorAccountDeps } from './accounts.ts'

export const operatorKeyRoutes: FastifyPluginAsyncTypebox<OperatorAccountDeps> = async (app, deps) => {
  const { operatorAccounts: accounts, clock } = deps
  const shown = createAccountPresenter(deps)

  app.post('/api/operator/accounts/:account_id/keys', CREATE, async (request, reply) => {
    const { key, secret } = await accounts.createKey(request.params.account_id, readKeyOrder(request.body))
    request.created = key.id
    return reply.code(201).send({ data: { ...presentKey(key, clock.now()), key: secret } })
  })

  app.post('/api/operator/accounts/:account_id/keys/:key_id/revoke', REVOKE, async (request) => {
    const { account_id, key_id } = request.params
    await accounts.revokeKey(account_id, key_id)
    return shown(await accounts.show(account_id))
  })

  app.put('/api/operator/accounts/:account_id/keys/:key_id/budget', BUDGET, async (request) => {
    const { account_id, key_id } = request.params
    const { budget } = request.body
    const { keys } = await accounts.show(account_id)
    const changed = await accounts.setBudget(account_id, key_id, budget === null ? undefined : readBudget(budget))
    const before = keys.find(({ id }) => id === key_id)
    request.changes = { budget: [before?.budget ?? null, changed.budget ?? null] }
    return { data: presentKey(changed, clock.now()) }
  })
}

const CREATE = operation('operator.create_key', {
  access: 'operator_person',
  cost: 5,
  summary: 'Create an API key for an account',
  description: 'The key is returned only once.',
  params: AccountParams,
  body: OperatorKeyRequest,
  answers: { 201: jsonResponse('Created. Keep the key; it is not shown again.', NewKeyResponse) },
  problems: ['account_not_found', 'invalid_request'],
})

const REVOKE = operation('operator.revoke_key', {
  access: 'operator_person',
  summary: 'Revoke an API key of an account',
  description: 'It becomes invalid on every node within a second. Bookings made with it are not affected.',
  params: AccountKeyParams,
  body: ReasonRequest,
  answers: { 200: jsonResponse('The changed account.', AccountDetailsResponse) },
  problems: ['account_not_found', 'key_not_found', 'invalid_request'],
})

const BUDGET = operation('operator.set_budget', {
  access: 'operator_person',
  summary: 'Change the budget of an API key',
  description: 'Earlier bookings in the same period count towards it.',
  params: AccountKeyParams,
  body: BudgetChangeRequest,
  answers: { 200: jsonResponse('The changed key.', KeyResponse) },
  problems: ['account_not_found', 'key_not_found', 'invalid_request'],
})
