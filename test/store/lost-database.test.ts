import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { cutDatabase } from '../support/booking/cut-database.ts'
import { freshDatabase } from '../support/servers/postgres.ts'
import { MIGRATED } from '../support/servers/shared-postgres.ts'

/** The two other ways are in test/outages/lost-database.test.ts. */
const WAYS = [
  { side: 'before', stays: true },
  { side: 'after', stays: false },
] as const

cutDatabase(WAYS, () =>
  freshDatabase({ url: inject('postgresUrl') }, `suite_${randomUUID().replaceAll('-', '')}`, MIGRATED),
)
