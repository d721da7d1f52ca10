import { expect, test } from 'vitest'
import { createJobFailureLogger } from '../../../src/compose/log/log-job-failures.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { manualClock } from '../../support/time/clock.ts'

const storeUnavailable = () =>
  new AppError('store_unavailable', 'The database is away.', { cause: new Error('connect ECONNREFUSED') })

test('an outage of the database is logged once a minute for all jobs, and a bug at once for each job', () => {
  const clock = manualClock(0)
  const lines: unknown[] = []
  const report = createJobFailureLogger(clock, { error: (line: unknown) => void lines.push(line) })
  for (let second = 0; second < 90; second += 1) {
    report(storeUnavailable(), 'send mails')
    report(storeUnavailable(), 'settle bookings')
    clock.advance(1_000)
  }
  const expected = (job: string) => ({ job, code: 'store_unavailable', cause: 'Error: connect ECONNREFUSED' })
  expect(lines).toEqual([expected('send mails'), expected('send mails')])
  const bug = new TypeError('undefined is not a function')
  report(bug, 'send mails')
  report(bug, 'settle bookings')
  report(bug, 'send mails')
  expect(lines.slice(2)).toEqual([
    { job: 'send mails', err: bug },
    { job: 'settle bookings', err: bug },
  ])
})
