import { expect, test } from 'vitest'
import { type AttentionEntry, createAttention } from '../../../src/operator/attention/attention.ts'
import { findEnough } from '../../../src/operator/attention/find-enough.ts'
import { manualClock } from '../../support/time/clock.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

test('any number of settled entries does not hide open ones', async () => {
  const first = async (wanted: number) => numbers(1_000).slice(0, wanted)
  const late = async (found: readonly number[]) => found.filter((n) => n >= 998)
  expect(await findEnough(200, first, late)).toEqual([998, 999])
  expect(await findEnough(200, first, async (found) => found)).toEqual(numbers(200))
})

test('entries marked as done make room for others', async () => {
  const entry = (n: number): AttentionEntry => ({
    id: `mail_failed.${n}`,
    kind: 'mail_failed',
    since: 1,
    title: '',
    whatHappened: '',
    whatToDo: '',
    action: 'send_mail',
  })
  const marks = { findSince: async (ids: readonly string[]) => new Map(ids.slice(0, 300).map((id) => [id, 2])) }
  const attention = createAttention({
    sources: [async (_now, limit) => numbers(301).slice(0, limit).map(entry)],
    marks: { ...marks, set: async () => undefined },
    clock: manualClock(),
  })
  await expect(attention.markDone('mail_failed.300', { kind: 'operator', id: 'acc_1' }, 'seen')).resolves.toMatchObject(
    {
      id: 'mail_failed.300',
    },
  )
})
