import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../web/src/api/query-client.ts'
import { checkBudget, toBudgetBody } from '../../../web/src/console/accounts/budget-fields.tsx'
import { Webhooks } from '../../../web/src/console/accounts/webhooks.tsx'
import { withoutFieldName } from '../../../web/src/ui/notice.tsx'

test('an invalid budget is rejected at its fields and never taken for "no limit"', () => {
  const draft = { amount: '1.000,50', currency: 'euro', per: 'day' as const }
  expect(checkBudget(draft)).toEqual({ 'budget.amount': expect.any(String), 'budget.currency': expect.any(String) })
  expect(toBudgetBody({ ...draft, amount: ' 12.5 ', currency: ' eur ' })).toEqual({
    amount: 12.5,
    currency: 'EUR',
    per: 'day',
  })
  expect(toBudgetBody({ ...draft, amount: ' ' })).toBeNull()
})

test('a message of the service is shown without the name of the field in the API', () => {
  const show = (field: string, message: string) => withoutFieldName({ field, code: 'invalid', message })
  expect(show('name', 'name must have at least 1 character.')).toBe('Must have at least 1 character.')
  expect(show('rules[0].percent', 'rules[0].percent may be at most 500.')).toBe('May be at most 500.')
  expect(show('email', 'An account with this e-mail already exists.')).toMatch(/^An account/)
})

test('an account shows its webhooks by host and offers to resend the events of a failing one', () => {
  const webhook = (id: string, status: 'active' | 'failing') => ({
    id,
    origin: `https://${id}.example.com`,
    events: ['booking.confirmed' as const, 'booking.needs_review' as const],
    status,
    created_at: '2026-11-01T10:00:00.000Z',
  })
  const shown = (webhooks: Parameters<typeof Webhooks>[0]['webhooks']) => {
    const view = createElement(Webhooks, { webhooks, onDone: vi.fn() })
    return renderToStaticMarkup(createElement(QueryClientProvider, { client: createQueryClient() }, view))
  }
  expect(shown([])).toContain('The account has no webhooks.')
  const both = shown([webhook('one', 'active'), webhook('two', 'failing')])
  expect(both).toContain('https://one.example.com')
  expect(both).toContain('confirmed, needs_review')
  expect(both).toContain('1 Nov 2026')
  expect(both.match(/<button/g)).toHaveLength(1)
  expect(both).toContain('Send failed events to https://two.example.com again')
})
