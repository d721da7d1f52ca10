import { afterAll } from 'vitest'
import { cutPayments } from '../support/payments/cut-payments.ts'
import { type Postgres, startPostgres } from '../support/servers/postgres.ts'

const MODES = [
  { side: 'before', stays: true },
  { side: 'before', stays: false },
  { side: 'after', stays: true },
  { side: 'after', stays: false },
] as const

/** Each mode begins at another statement. A journey with a lost database waits for several seconds. */
const STRIDE = 8

let postgres: Postgres | undefined
cutPayments(
  MODES,
  async () => {
    postgres = await startPostgres()
    return postgres.url
  },
  STRIDE,
)
afterAll(() => postgres?.stop())
