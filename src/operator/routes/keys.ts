import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { presentKey } from '../../accounts/present/api-key.ts'
import { readBudget, readKey } from '../../accounts/routes/read-key.ts'
import { KeyResponse, NewKeyResponse, OperatorKeyRequest } from '../../accounts/schemas/api-keys.ts'
import { operation } from '../../http/operation.ts'
import { answer } from '../../http/schemas/answer.ts'
import { AccountKeyParams, AccountParams, BudgetChangeRequest, WholeAccountResponse } from '../schemas/accounts.ts'
import { ReasonRequest } from '../schemas/attention.ts'
import { type OperatorAccountDeps, showWhole } from './accounts.ts'

/** The API keys of any account, for operators. */
export const operatorKeyRoutes: FastifyPluginAsyncTypebox<OperatorAccountDeps> = async (app, deps) => {
  const { operatorAccounts: accounts, clock } = deps
  const shown = showWhole(deps)

  app.post('/api/operator/accounts/:account_id/keys', CREATE, async (request, reply) => {
    const { key, secret } = await accounts.createKey(request.params.account_id, readKey(request.body))
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
    const changed = await accounts.setBudget(account_id, key_id, budget === null ? undefined : readBudget(budget))
    return { data: presentKey(changed, clock.now()) }
  })
}

const CREATE = operation('operator.create_key', {
  access: 'operator_person',
  cost: 5,
  summary: 'Create an API key for an account',
  description: 'As its owner could; the key is returned this once.',
  params: AccountParams,
  body: OperatorKeyRequest,
  answers: { 201: answer('Created. Keep the key; it is not shown again.', NewKeyResponse) },
  problems: ['account_not_found', 'invalid_request'],
})

const REVOKE = operation('operator.revoke_key', {
  access: 'operator_person',
  summary: 'Revoke an API key of an account',
  description: 'It ends on every node within a second. Bookings made with it stay as they are.',
  params: AccountKeyParams,
  body: ReasonRequest,
  answers: { 200: answer('The account as it is now.', WholeAccountResponse) },
  problems: ['account_not_found', 'key_not_found', 'invalid_request'],
})

const BUDGET = operation('operator.set_budget', {
  access: 'operator_person',
  summary: 'Change the budget of an API key',
  description: 'What was booked before counts.',
  params: AccountKeyParams,
  body: BudgetChangeRequest,
  answers: { 200: answer('The key as it is now.', KeyResponse) },
  problems: ['account_not_found', 'key_not_found', 'invalid_request'],
})
