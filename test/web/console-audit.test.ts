import { expect, test } from 'vitest'
import { DESKTOP_LIGHT, expectAccessible, openConsole, openView, PHONE_DARK, recordedList } from './console-steps.ts'
import { example } from './recorded-api.ts'

test('the audit log shows actions with their actor and reason, page by page', async () => {
  const { page, api, trouble } = await openConsole()
  const [entry] = example('operatorAudit').data
  const rows = [
    { ...entry, reason: 'the guest called' },
    { ...entry, id: 'aud_2', outcome: null, request_id: null },
  ]
  const list = recordedList('operatorAudit', rows)
  const first = { ...list, meta: { ...list.meta, 'has_next_page?': true, next_page: 2, total_count: 27 } }
  api.answer('operatorAudit', { status: 200, body: first }, { status: 200, body: recordedList('operatorAudit', []) })
  await openView(page, '/console/audit')
  await page.getByRole('cell', { name: 'the guest called' }).waitFor()
  await page.getByText('unknown: the process ended before it was recorded').waitFor()
  await expectAccessible(page, DESKTOP_LIGHT)
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('No rows on this page').waitFor()
  expect(api.requests('operatorAudit').map(({ query }) => query.get('page'))).toEqual(['1', '2'])
  await openView(page, '/console/audit')
  await page.getByText('No actions yet.').waitFor()
  expect(trouble()).toEqual([])
})

test('the audit log shows names and changes, links to objects, and filters by person, action, object and time', async () => {
  const { page, api, trouble } = await openConsole()
  const [entry] = example('operatorAudit').data
  const account = { id: 'acc_7', name: 'agency@example.com' }
  const row = {
    ...entry,
    actor: { kind: 'operator', id: 'acc_1' },
    actor_name: 'op@example.com',
    action: 'operator.change_account',
    subject: account.id,
    objects: [account],
    changes: [{ field: 'see_net', before: 'false', after: 'true' }],
  }
  api.answerWith('operatorAudit', recordedList('operatorAudit', [row]))
  await openView(page, '/console/audit')
  const shown = page.getByRole('row').nth(1)
  await shown.getByText('see net: false → true').waitFor()
  const link = (name: string) => shown.getByRole('link', { name }).getAttribute('href')
  expect([await link('op@example.com'), await link('agency@example.com')]).toEqual([
    '/console/accounts/acc_1',
    '/console/accounts/acc_7',
  ])
  expect(await shown.textContent()).not.toContain('acc_')
  await expectAccessible(page, PHONE_DARK, DESKTOP_LIGHT)

  const accounts = [{ ...example('operatorAccounts').data[0], id: 'acc_1', email: 'op@example.com' }]
  api.answerWith('operatorAccounts', recordedList('operatorAccounts', accounts))
  const found = { bookings: [], accounts: [{ ...account, email: account.name, role: 'client' }], requests: [] }
  api.answerWith('operatorFind', { data: { ...found, looked_at: null } })
  await page.getByLabel('Person (e-mail)').fill('op@example.com')
  await page.getByLabel('Action contains').fill('change account')
  await page.getByLabel(/^Object/).fill('agency@example.com')
  await page.getByLabel('From').fill('2027-01-01')
  api.answerWith('operatorAudit', recordedList('operatorAudit', []))
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('No actions for these filters.').waitFor()
  expect(api.requests('operatorAudit').at(-1)?.query.getAll('filters[]')).toEqual([
    'actor_id:==<acc_1',
    'action:ilike<change_account',
    'subject:ilike<acc_7',
    'at:>=<2027-01-01T00:00:00Z',
  ])
  expect(trouble()).toEqual([])
})
