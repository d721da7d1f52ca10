import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { cutDatabase } from '../support/booking/cut-database.ts'
import { freshDatabase } from '../support/servers/postgres.ts'
import { MIGRATED } from '../support/servers/shared-postgres.ts'

/** test/campaigns/lost-database.test.ts cuts at every statement, in these modes and two others. */
const STRIDE = 4
const MODES = [
  { side: 'before', stays: true },
  { side: 'after', stays: false },
] as const

cutDatabase(
  MODES,
  () => freshDatabase({ url: inject('postgresUrl') }, `suite_${randomUUID().replaceAll('-', '')}`, MIGRATED),
  STRIDE,
)
