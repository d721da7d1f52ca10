import { describe, expect, test } from 'vitest'
import { SeraiError } from '../../../packages/client/src/index.ts'
import { ApiProblem, toApiProblem } from '../../../web/src/api/problem.ts'
import { formatProblem, titleProblem } from '../../../web/src/ui/problem-text.ts'

const lost = { operation: 'booking.create', requestId: 'cli_a', effect: 'unknown', retryable: true } as const

describe('a failure as the page sees it', () => {
  test.each([
    ['no answer', 0, 'unreachable'],
    ['an answer that came too late', 0, 'timeout'],
    ['half an answer to a booking that was made', 201, 'unreadable_answer'],
    ['a page of a network instead of an answer', 200, 'unreadable_answer'],
  ] as const)('a lost answer has no status, so that it is not taken for a refusal: %s', (_, status, code) => {
    const problem = toApiProblem(new SeraiError('lost', { ...lost, status, code }))
    expect([problem.status, problem.code, problem.requestId]).toEqual([0, 'unreachable', 'cli_a'])
    expect(problem.effect).toBe('unknown')
  })

  test('the error of a proxy keeps its status', () => {
    const problem = toApiProblem(new SeraiError('bad', { ...lost, status: 502, code: 'unreadable_answer' }))
    expect([problem.status, problem.code, problem.effect]).toEqual([502, 'unknown', 'unknown'])
  })

  test('a problem of the service keeps all its members', () => {
    const document = {
      type: 't',
      title: 't',
      status: 409,
      detail: 'It rose.',
      instance: 'req',
      code: 'price_changed',
      effect: 'none',
      new_total: 9,
    } as const
    const error = new SeraiError('It rose.', {
      ...lost,
      requestId: 'req',
      effect: 'none',
      status: 409,
      code: 'price_changed',
      problem: document,
      retryAfterMs: 2_000,
    })
    const problem = toApiProblem(error)
    expect(problem).toMatchObject({ status: 409, code: 'price_changed', requestId: 'req', retryAfterMs: 2_000 })
    expect([problem.message, problem.effect, problem.body.new_total]).toEqual(['It rose.', 'none', 9])
  })
})

test('only failures of the service and the network are said to have gone wrong, and 429 says how long to wait', () => {
  const titled = (status: number) => titleProblem(new ApiProblem(status, { code: 'x' }))
  expect([500, 503, 0].map(titled)).toEqual(['problem_title', 'problem_title', 'problem_title'])
  expect([429, 404, 410, 403, 422].map(titled)).toEqual([
    'problem_title_wait',
    'problem_title_unknown',
    'problem_title_unknown',
    'problem_title_refused',
    'problem_title_refused',
  ])
  const i18n = { t: (key: string, { n = '' } = {}) => `${key} ${n}`, has: () => false, language: 'en' } as never
  const wait = (ms: number) => formatProblem(new ApiProblem(429, { code: 'rate_limited' }, ms), i18n)
  expect([wait(0), wait(12_400), wait(150_000)]).toEqual([
    'problem_rate_limited ',
    'problem_rate_limited_seconds 13',
    'problem_rate_limited_long 3',
  ])
})
