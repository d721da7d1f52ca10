import { afterAll } from 'vitest'
import { cutDatabase } from '../support/booking/cut-database.ts'
import { type Postgres, startPostgres } from '../support/servers/postgres.ts'

const MODES = [
  { side: 'before', stays: true },
  { side: 'before', stays: false },
  { side: 'after', stays: true },
  { side: 'after', stays: false },
] as const

let postgres: Postgres | undefined
cutDatabase(MODES, async () => {
  postgres = await startPostgres()
  return postgres.url
})
afterAll(() => postgres?.stop())
