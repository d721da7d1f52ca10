import { describe, expect, test } from 'vitest'
import { SeraiError } from '../../../packages/client/src/index.ts'
import { toApiProblem } from '../../../web/src/api/problem.ts'

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
