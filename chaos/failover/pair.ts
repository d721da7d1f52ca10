import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPgBouncer } from '../../test/support/servers/pgbouncer.ts'
import type { Postgres } from '../../test/support/servers/postgres.ts'
import {
  copyCluster,
  promote,
  setSynchronous,
  startFromCopy,
  startPrimary,
  startStandby,
  stopReplication,
} from '../../test/support/servers/postgres-standby.ts'
import { sleep } from '../../test/support/servers/server-process.ts'

export type Pair = Awaited<ReturnType<typeof startPair>>

/** Connection of the nodes: through PgBouncer, or an address with both hosts. */
export type Route = 'pgbouncer' | 'hosts'

/** Time until a manager of the cluster would have noticed the failure. */
const NOTICED_AFTER_MS = 1_000

/** A PostgreSQL primary and its standby. */
export async function startPair(route: Route) {
  let primary = await startPrimary()
  let standby = await startStandby(primary)
  const bouncer = await startPgBouncer(primary.port)
  const copies = mkdtempSync(join(tmpdir(), 'serai-copies-'))
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join()
  const readUrl = `postgres://serai@127.0.0.1:${standby.port}/postgres`
  return {
    /** The standby, which is the primary after every second failover, serves reads. */
    environment: {
      DATABASE_URL:
        route === 'pgbouncer' ? bouncer.url : `postgres://serai@${hosts}/postgres?target_session_attrs=read-write`,
      ...(route === 'hosts' && { DATABASE_READ_URL: readUrl }),
    },
    setSynchronous: (state: 'on' | 'off') => setSynchronous(primary, state),
    /** The standby misses all further commits. */
    stopReplication: () => stopReplication(primary),
    freezeStandby: () => standby.freeze(),
    resumeStandby: () => standby.resume(),
    /** Kills the primary and promotes the standby. */
    async failOver(): Promise<void> {
      await primary.kill()
      await sleep(NOTICED_AFTER_MS)
      // Without a standby of its own, a synchronous server could not commit.
      await setSynchronous(standby, 'off')
      await promote(standby)
      bouncer.pointAt(standby.port)
    },
    /** Replaces the killed server by a new standby of the promoted one, on the same port. */
    async replaceKilled(): Promise<void> {
      const { port } = primary
      await primary.stop()
      primary = standby
      standby = await startStandby(primary, port)
    },
    async backUp(): Promise<string> {
      const copy = mkdtempSync(join(copies, 'copy-'))
      await copyCluster(primary, copy)
      return copy
    },
    /** Replaces both servers by one that is restored from a copy. */
    async restore(copy: string): Promise<void> {
      await Promise.all([primary.kill(), standby.kill()])
      const restored = await startFromCopy(copy)
      await primary.stop()
      primary = restored
      bouncer.pointAt(primary.port)
    },
    async stop(): Promise<void> {
      standby.resume()
      const servers: Postgres[] = [primary, standby]
      await Promise.all(servers.map((server) => server.kill()))
      await Promise.all([bouncer.stop(), ...servers.map((server) => server.stop())])
      rmSync(copies, { recursive: true, force: true })
    },
  }
}
