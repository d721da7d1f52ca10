import type { Recorder } from './recorder.ts'

const KEYS = '/api/accounts/keys'
const SESSIONS = '/api/accounts/sessions'
const AUDIT = '/api/operator/audit'
const BOOK = { method: 'POST', url: '/api/accommodation/book', payload: { bed_id: '37321' } } as const

/** Records keys, sessions and the audit log, with the token of an operator. */
export async function recordKeys({ keep, keepProblem, authorize }: Recorder, token: string): Promise<void> {
  authorize(token)
  const create = (payload: object) => keep('accountsCreateKey', 201, { method: 'POST', url: KEYS, payload })
  const { data } = await create({
    name: 'travel agent',
    mode: 'test',
    scopes: ['search', 'book', 'cancel', 'read'],
    per_minute: 120,
    budget: { amount: 1000, currency: 'EUR', per: 'day' },
  })
  const { data: poor } = await create({
    name: 'small budget',
    mode: 'test',
    scopes: ['book'],
    budget: { amount: 1, currency: 'EUR', per: 'month' },
  })
  await keep('accountsKeys', 200, { url: `${KEYS}?limit=1` })
  await keep('accountsKeys', 422, { url: `${KEYS}?limit=0` })
  await keep('accountsSessions', 200, { url: SESSIONS })
  await keep('accountsSessions', 422, { url: `${SESSIONS}?limit=0` })
  await keep('operatorAudit', 200, { url: `${AUDIT}?limit=1` })
  await keep('operatorAudit', 422, { url: `${AUDIT}?limit=0` })
  await keepProblem('key_not_found', { method: 'DELETE', url: `${KEYS}/key_0` })
  await keepProblem('session_not_found', { method: 'DELETE', url: `${SESSIONS}/ses_0` })
  authorize(poor.key)
  await keepProblem('budget_exceeded', { ...BOOK, simulate: 'success' })
  authorize(data.key)
  await keepProblem('insufficient_scope', { url: AUDIT })
}
