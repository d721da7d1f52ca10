import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { cutPayments } from '../../support/payments/cut-payments.ts'
import { freshDatabase } from '../../support/servers/postgres.ts'
import { MIGRATED } from '../../support/servers/shared-postgres.ts'

/** test/campaigns/lost-payments.test.ts cuts at every statement, in these modes and two others. */
const STRIDE = 4
const MODES = [
  { side: 'before', stays: true },
  { side: 'after', stays: false },
] as const

cutPayments(
  MODES,
  () => freshDatabase({ url: inject('postgresUrl') }, `suite_${randomUUID().replaceAll('-', '')}`, MIGRATED),
  STRIDE,
)
