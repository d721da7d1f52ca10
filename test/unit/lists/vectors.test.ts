import { expect, test } from 'vitest'
import mainAnswers from '../../fixtures/lists/main-answers.json' with { type: 'json' }
import vectors from '../../fixtures/lists/vectors.json' with { type: 'json' }
import { memoryEngine } from '../../store/lists/memory-engine.ts'
import { judge } from '../../store/lists/run-vectors.ts'
import type { Expectation, Vector } from '../../store/lists/vector.ts'

/**
 * Recorded on Flop 0.27.2. Nine vectors have the response of its main branch, because 0.27.2 loses records or fails
 * there.
 */
const answers = mainAnswers as unknown as Record<string, { why: string; expect: Expectation }>
const all = vectors as unknown as Vector[]

test.each(all.map((vector) => [vector.name, vector] as const))('the vector "%s" passes', async (_, vector) => {
  const verdict = await judge(memoryEngine, vector, answers[vector.name]?.expect)
  expect(verdict).toEqual({ vector: vector.name, outcome: 'passed', why: '' })
})

test('only nine vectors need the response of the main branch, and six of them pass as recorded without a unique field', async () => {
  const verdicts = await Promise.all(all.map((vector) => judge(memoryEngine, vector)))
  const otherwise = verdicts.filter(({ outcome }) => outcome !== 'passed')
  expect(otherwise.map(({ vector }) => vector).sort()).toEqual(Object.keys(answers).sort())
  expect(otherwise.filter(({ outcome }) => outcome === 'passed_without_tiebreaker')).toHaveLength(6)
  expect(otherwise.filter(({ outcome }) => outcome === 'by_design')).toHaveLength(3)
})
