import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, expect, test, vi } from 'vitest'
import { ApiProblem } from '../../../web/src/api/problem.ts'
import { createQueryClient } from '../../../web/src/api/query-client.ts'
import { AccountView } from '../../../web/src/console/accounts/account.tsx'
import AttentionSection from '../../../web/src/console/attention/attention.tsx'
import SellingSection from '../../../web/src/console/selling/selling.tsx'
import { EnglishOnly } from '../../../web/src/i18n/i18n.tsx'

vi.mock('../../../web/src/browser/router.ts', async (original) => ({
  ...(await original<object>()),
  useAddress: () => ({ path: '/console', query: new URLSearchParams() }),
}))
afterAll(() => vi.doUnmock('../../../web/src/browser/router.ts'))

/** Renders a view whose data was loaded but could not be reloaded. */
function renderAfterFailure(queryKey: readonly string[], data: object, view: React.ReactElement): string {
  const client = createQueryClient()
  client.setQueryData(queryKey, data)
  const error = new ApiProblem(0, { code: 'unreachable' })
  client.getQueryCache().find({ queryKey })?.setState({ status: 'error', error })
  const page = createElement(EnglishOnly, null, view)
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, page))
}

test('an account that cannot be reloaded stays in view, because it may show a one-time password', () => {
  const account = { id: 'acc_1', email: 'ana@example.com', role: 'client', keys: [], webhooks: [], sessions: [] }
  const times = { created_at: '2026-11-01T00:00:00Z', last_signed_in_at: null, disabled_at: null }
  const key = ['console', 'account', 'acc_1']
  const shown = renderAfterFailure(key, { ...account, ...times }, createElement(AccountView, { id: 'acc_1' }))
  expect(shown).toContain('ana@example.com')
  expect(shown).toContain('The service cannot be reached')
})

test('selling rules and their draft stay in view if they cannot be reloaded', () => {
  const rules = { version: 3, rules: [], versions: [], exchange_margin_percent: 0 }
  const view = createElement(SellingSection, { rest: [] })
  expect(renderAfterFailure(['console', 'selling', 'rules'], rules, view)).toContain('Rules in force, version 3')
})

test('an attention list that cannot be reloaded shows the error, even if it was empty', () => {
  const shown = renderAfterFailure(['console', 'attention'], { data: [], meta: {} }, createElement(AttentionSection))
  expect(shown).toContain('The service cannot be reached')
})
