import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PAYMENT_REASONS } from '../../../src/domain/payment/payment.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/payments.md'), 'utf8')
const decisions = readdirSync(join(root, 'src/payments/decide'))
  .map((name) => readFileSync(join(root, 'src/payments/decide', name), 'utf8'))
  .join('\n')

test('the table of reviews has a row for every reason that the code gives, and no other', () => {
  const [, section = ''] = page.split('\n## Reviews\n')
  const [rows = ''] = section.split('\n## ')
  const documented = [...rows.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, reason]) => reason)
  expect(documented).toEqual([...PAYMENT_REASONS])
  // TypeScript refuses a reason outside of the list; one that no decision gives would be superfluous in both.
  expect(PAYMENT_REASONS.filter((reason) => !isGiven(reason))).toEqual([])
})

const isGiven = (reason: string) =>
  new RegExp(`(review|fail)\\(.*'${reason}', (now|at)\\)|reason: '${reason}'|\\? '${reason}'`).test(decisions)
