import { expect, test } from 'vitest'
import { findProgram } from '../../../scripts/system-packages.ts'
import { describeWith } from '../../support/cli/describe-with.ts'
import { startPgBouncer } from '../../support/servers/pgbouncer.ts'
import { freePort } from '../../support/servers/postgres.ts'

describeWith('pgbouncer', findProgram('pgbouncer', '/usr/sbin/pgbouncer'), 'the settings of PgBouncer', () => {
  test('PgBouncer starts with those of docs/operating/availability.md', async () => {
    const bouncer = await startPgBouncer(await freePort())
    await bouncer.stop()
    expect(bouncer.url).toContain('postgres://')
  })
})
