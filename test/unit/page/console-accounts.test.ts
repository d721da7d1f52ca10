import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ApiProblem } from '../../../web/src/api/problem.ts'
import { createQueryClient } from '../../../web/src/api/query-client.ts'
import { parseBudget } from '../../../web/src/console/accounts/budget-fields.tsx'
import { Webhooks } from '../../../web/src/console/accounts/webhooks.tsx'
import { formFaults } from '../../../web/src/console/parts/form-faults.ts'

const catchError = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

test('an invalid budget is rejected at its fields and never taken for "no limit"', () => {
  const draft = { amount: '1.000,50', currency: 'euro', per: 'day' as const }
  const refused = catchError(() => parseBudget(draft))
  expect(refused).toBeInstanceOf(ApiProblem)
  expect((refused as ApiProblem).fields.map(({ field }) => field)).toEqual(['budget.amount', 'budget.currency'])
  expect(parseBudget({ ...draft, amount: ' 12.5 ', currency: ' eur ' })).toEqual({
    amount: 12.5,
    currency: 'EUR',
    per: 'day',
  })
  expect(parseBudget({ ...draft, amount: ' ' })).toBeNull()
})

test('form errors are shown at their fields, or separately if the form lacks the field', () => {
  const problem = (...fields: string[]) =>
    new ApiProblem(422, { errors: fields.map((field) => ({ field, code: 'invalid', message: `${field} is wrong.` })) })
  const named = formFaults(problem('name'), ['name', 'reason'])
  expect(named.getError('name')).toBe('name is wrong.')
  expect(named.getError('reason')).toBeUndefined()
  expect(named.other).toBeUndefined()
  const whole = problem('name', 'budget')
  expect(formFaults(whole, ['name', 'reason']).other).toBe(whole)
  const lost = new ApiProblem(0, { code: 'unreachable' })
  expect(formFaults(lost, ['name']).other).toBe(lost)
  expect(formFaults(null, ['name']).other).toBeUndefined()
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
