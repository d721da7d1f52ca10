import { expect, test } from 'vitest'
import { DESKTOP_LIGHT, expectAccessible, openConsole, openView, recordedList } from './console-steps.ts'
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
