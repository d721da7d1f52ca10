import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ACCOUNT_LIST, type AccountDetails, type OperatorAccounts } from '../../accounts/operator-accounts.ts'
import { sendList } from '../../http/body/list-request.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse, listResponses } from '../../http/schemas/answer.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import type { ManageWebhooks } from '../../webhooks/manage-webhooks.ts'
import { presentAccount, presentAccountDetails } from '../present/account.ts'
import {
  AccountDetailsResponse,
  AccountParams,
  ChangeAccountRequest,
  EndSessionsRequest,
  NewAccountRequest,
  NewAccountResponse,
  OperatorAccountList,
  PasswordRequest,
  PasswordResponse,
} from '../schemas/accounts.ts'
import { ReasonRequest } from '../schemas/attention.ts'

export type OperatorAccountDeps = {
  operatorAccounts: OperatorAccounts
  manageWebhooks: Pick<ManageWebhooks, 'all'>
  cursors: CursorCodec
  clock: Clock
}

/** Presents an account with its keys, sessions and webhooks. */
export const createAccountPresenter = ({ manageWebhooks, clock }: OperatorAccountDeps) =>
  async function shown(account: AccountDetails) {
    return { data: presentAccountDetails(account, await manageWebhooks.all(account.id), clock.now()) }
  }

/** Accounts, for operators; their keys are in keys.ts. */
export const operatorAccountRoutes: FastifyPluginAsyncTypebox<OperatorAccountDeps> = async (app, deps) => {
  const { operatorAccounts: accounts, cursors } = deps
  const shown = createAccountPresenter(deps)

  app.get('/api/operator/accounts', LIST, async (request, reply) =>
    sendList(request, reply, { cursors, run: accounts.list, present: presentAccount }),
  )

  app.post('/api/operator/accounts', CREATE, async (request, reply) => {
    const { email, name, role, password } = request.body
    const order = { email, name: name ?? '', role: role ?? 'client', ...(password != null && { password }) } as const
    const made = await accounts.create(order)
    request.created = made.account.id
    return reply.code(201).send({ data: { ...presentAccount(made.account), password: made.password ?? null } })
  })

  app.get('/api/operator/accounts/:account_id', SHOW, async (request) =>
    shown(await accounts.show(request.params.account_id)),
  )

  app.patch('/api/operator/accounts/:account_id', CHANGE, async (request) => {
    const { role, see_net } = request.body
    const wanted = { ...(role != null && { role }), ...(see_net != null && { seesNet: see_net }) }
    const before = await accounts.show(request.params.account_id)
    const after = await accounts.change(before.id, wanted)
    request.changes = {
      ...(role != null && { role: [before.role, after.role] }),
      ...(see_net != null && { see_net: [before.seesNet === true, after.seesNet === true] }),
    }
    return shown(after)
  })

  app.post('/api/operator/accounts/:account_id/disable', DISABLE, async (request) => {
    const before = await accounts.show(request.params.account_id)
    const after = await accounts.disable(before.id)
    request.changes = { disabled: [before.disabledAt !== undefined, true] }
    return shown(after)
  })

  app.post('/api/operator/accounts/:account_id/password', PASSWORD, async (request) => {
    const made = await accounts.setPassword(request.params.account_id, request.body.password ?? undefined)
    return { data: { password: made ?? null } }
  })

  app.post('/api/operator/accounts/:account_id/end_sessions', END_SESSIONS, async (request) => {
    const { account_id: id } = request.params
    await accounts.endSessions(id, request.body.session_id ?? undefined)
    return shown(await accounts.show(id))
  })
}

const LIST = operation('operator.accounts', {
  access: 'operator',
  list: ACCOUNT_LIST,
  cost: 5,
  summary: 'List the accounts',
  description: 'With the number of keys and bookings of each.',
  answers: listResponses('The accounts, newest first.', OperatorAccountList),
})

const CREATE = operation('operator.create_account', {
  access: 'operator_person',
  cost: 5,
  summary: 'Create an account',
  description: 'Operators create accounts here or with `serai accounts add`; public registration is not available.',
  body: NewAccountRequest,
  answers: { 201: jsonResponse('Created.', NewAccountResponse) },
  problems: ['invalid_request'],
})

const SHOW = operation('operator.account', {
  access: 'operator',
  summary: 'Read an account',
  description: 'With its keys and their remaining budgets, its webhooks and its open sessions.',
  params: AccountParams,
  answers: { 200: jsonResponse('The account.', AccountDetailsResponse) },
  problems: ['account_not_found'],
})

const CHANGE = operation('operator.change_account', {
  access: 'operator_person',
  summary: 'Change the role of an account or its access to net prices',
  description: 'The last operator cannot lose that role.',
  params: AccountParams,
  body: ChangeAccountRequest,
  answers: { 200: jsonResponse('The changed account.', AccountDetailsResponse) },
  problems: ['account_not_found', 'invalid_request'],
})

const DISABLE = operation('operator.disable_account', {
  access: 'operator_person',
  summary: 'Disable an account',
  description:
    'Ends its tokens and sessions and suspends its keys. Its bookings are not affected. A new password enables it again.',
  params: AccountParams,
  body: ReasonRequest,
  answers: { 200: jsonResponse('The changed account.', AccountDetailsResponse) },
  problems: ['account_not_found', 'invalid_request'],
})

const PASSWORD = operation('operator.set_password', {
  access: 'operator_person',
  cost: 5,
  summary: 'Set the password of an account',
  description: 'Ends all tokens and sessions of the account, and enables it if it was disabled.',
  params: AccountParams,
  body: PasswordRequest,
  answers: { 200: jsonResponse('Changed.', PasswordResponse) },
  problems: ['account_not_found', 'invalid_request'],
})

const END_SESSIONS = operation('operator.end_sessions', {
  access: 'operator_person',
  summary: 'Sign an account out',
  description: 'Ends one session or all of them, on every node within a second. Keys remain valid.',
  params: AccountParams,
  body: EndSessionsRequest,
  answers: { 200: jsonResponse('The changed account.', AccountDetailsResponse) },
  problems: ['account_not_found', 'session_not_found', 'invalid_request'],
})
