import { afterAll } from 'vitest'
import { cutDatabase } from '../support/booking/cut-database.ts'
import { type Postgres, startPostgres } from '../support/servers/postgres.ts'

const MODES = [
  { side: 'before', stays: true },
  { side: 'before', stays: false },
  { side: 'after', stays: true },
  { side: 'after', stays: false },
] as const

/** Each mode begins at another statement, so that every one is cut in one of the modes. `npm run chaos` cuts all in all. */
const STRIDE = process.env.SERAI_CHAOS_WHOLE === 'true' ? 1 : MODES.length

let postgres: Postgres | undefined
cutDatabase(
  MODES,
  async () => {
    postgres = await startPostgres()
    return postgres.url
  },
  STRIDE,
)
afterAll(() => postgres?.stop())
