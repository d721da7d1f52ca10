import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Postgres, startPostgres } from './postgres.ts'

const STANDBY = 'standby'

/** Settings with which a server can have standbys and become one. */
const REPLICATION = ['wal_keep_size=256', 'max_wal_size=256', 'fsync=off']

export const startPrimary = (): Promise<Postgres> => startPostgres({ settings: REPLICATION })

/** Starts a hot standby of a running server. */
export async function startStandby(primary: Postgres, port?: number): Promise<Postgres> {
  const source = `primary_conninfo=host=127.0.0.1 port=${primary.port} user=serai application_name=${STANDBY}`
  return startPostgres({
    settings: [...REPLICATION, source],
    ...(port !== undefined && { port }),
    async fill(data) {
      await copyCluster(primary, data)
      writeFileSync(join(data, 'standby.signal'), '')
    },
  })
}

/** Starts a server from a copy, as after a disaster: it recovers to the end of the copy and begins a new timeline. */
export const startFromCopy = (copy: string): Promise<Postgres> =>
  startPostgres({
    settings: [...REPLICATION, 'restore_command=false'],
    async fill(data) {
      copyFiles(copy, data)
      writeFileSync(join(data, 'recovery.signal'), '')
    },
  })

/** Copies a running server into an empty directory, as pg_basebackup does. */
export async function copyCluster(source: Postgres, target: string): Promise<void> {
  const client = new pg.Client({ connectionString: source.url })
  await client.connect()
  try {
    await client.query("select pg_backup_start('copy', true)")
    copyFiles(source.data, target)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(target, 'backup_label'), rows[0]?.labelfile ?? '')
    copyFiles(join(source.data, 'pg_wal'), join(target, 'pg_wal'))
  } finally {
    await client.end()
  }
  for (const file of ['postmaster.pid', 'postmaster.opts', 'standby.signal'])
    rmSync(join(target, file), { force: true })
}

/** Files may vanish during the copy of a running server; recovery does not need them. */
function copyFiles(from: string, to: string): void {
  spawnSync('cp', ['-a', `${from}/.`, to], { stdio: 'ignore' })
}

/** With `on`, each commit waits until the standby has it on disk. */
export async function setSynchronous(primary: Postgres, state: 'on' | 'off'): Promise<void> {
  await queryPostgres(primary, `alter system set synchronous_standby_names = '${state === 'on' ? STANDBY : ''}'`)
  await queryPostgres(primary, 'select pg_reload_conf()')
  if (state === 'on') await waitForRow(primary, "select 1 from pg_stat_replication where sync_state = 'sync'")
}

/** Makes a standby the primary. */
export async function promote(standby: Postgres): Promise<void> {
  await queryPostgres(standby, 'select pg_promote()')
}

/** Stops sending changes to the standby, which stays connected. Returns the process to resume. */
export async function stopReplication(primary: Postgres): Promise<number> {
  const [sender] = await queryPostgres<{ pid: number }>(primary, 'select pid from pg_stat_replication')
  if (sender === undefined) throw new Error('the primary has no standby')
  process.kill(sender.pid, 'SIGSTOP')
  return sender.pid
}

async function queryPostgres<Row extends pg.QueryResultRow>(
  { url }: Pick<Postgres, 'url'>,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function waitForRow(server: Postgres, query: string, withinMs = 10_000): Promise<void> {
  const until = performance.now() + withinMs
  while ((await queryPostgres(server, query)).length === 0) {
    if (performance.now() > until) throw new Error(`no row within ${withinMs} ms: ${query}`)
    await new Promise((later) => setTimeout(later, 50))
  }
}
