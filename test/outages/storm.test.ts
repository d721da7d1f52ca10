import { afterAll, describe } from 'vitest'
import { describeStorm } from '../support/servers/booking-storm.ts'
import { freshDatabase, type Postgres, startPostgres } from '../support/servers/postgres.ts'

// `test/process/storm.test.ts` does the same on SQLite.
describe('two servers on one PostgreSQL database', () => {
  let postgres: Postgres | undefined
  describeStorm(async () => {
    postgres = await startPostgres()
    return { DATABASE_URL: await freshDatabase(postgres, 'storm') }
  })
  afterAll(() => postgres?.stop())
})
