import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, lockByName, type Tx } from './database.ts'

const FOLDER = join(import.meta.dirname, 'migrations')

/** Every migration, in the order in which they run: the files of SQL statements whose names begin with a number. */
export const MIGRATIONS: readonly string[] = readdirSync(FOLDER)
  .filter((file) => /^\d+-.*\.sql$/.test(file))
  .map((file) => file.slice(0, -'.sql'.length))
  .sort()

const [BASELINE = ''] = MIGRATIONS
const LAST_OF_0_1 = '032-booking-figures'

/** Suffix of migrations that remove something the version before needs; all other migrations only add. */
const BREAKING = '-breaking'

/** Suffix of migrations for PostgreSQL only. */
const POSTGRES_ONLY = '-postgres'

/** This version cannot work with the database, and has not changed it. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

/**
 * Brings the schema up to date in one transaction under a lock, so that processes starting together take turns and
 * a crash half-way leaves the old schema whole. Returns the names of the steps it took: none if a newer version has migrated
 * the database, because this one may start again, or be brought back, while that one is rolled out.
 */
export function migrate(database: Database): Promise<string[]> {
  return database.write(async (tx) => {
    await lockByName(database, tx, 'migrate')
    const taken = await readNames(tx)
    const is01 = taken.at(-1) === LAST_OF_0_1
    if (is01) await sql`delete from kysely_migration`.execute(tx)
    else assertUsable(taken)
    const missing = MIGRATIONS.filter((name) => !taken.includes(name))
    const steps: string[] = []
    for (const name of missing) {
      const step = is01 && name === BASELINE ? 'from-0.1' : name
      await execute(database, tx, step)
      await sql`insert into kysely_migration values (${name}, cast(current_timestamp as varchar(255)))`.execute(tx)
      steps.push(step)
    }
    return steps
  })
}

/** The table has the name that version 0.1 gave it, so that a node of that version reads it and refuses to start. */
async function readNames(tx: Tx): Promise<string[]> {
  const tables = (await tx.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name)
  if (!tables.includes('kysely_migration') && tables.includes('schema_migrations')) return ['005-webhooks']
  await sql`create table if not exists kysely_migration (
    name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(tx)
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(tx)
  return rows.map(({ name }) => name)
}

function assertUsable(taken: readonly string[]): void {
  const last = taken.at(-1)
  if (last !== undefined && last < BASELINE)
    throw new UnusableDatabase(
      `This database is of an early version (${last}). Start the last version of 0.1 on it first, then this one.`,
    )
  const unknown = taken.filter((name) => !MIGRATIONS.includes(name))
  if (unknown.length === 0) return
  const refused = unknown.find((name) => name.endsWith(BREAKING))
  const isBehind = MIGRATIONS.some((name) => !taken.includes(name))
  if (refused === undefined && !isBehind) return
  throw new UnusableDatabase(
    `This database was migrated by a newer version (${refused ?? unknown[0]}) that this one cannot work with. Start that version instead.`,
  )
}

async function execute({ dialect }: Database, tx: Tx, name: string): Promise<void> {
  if (name.endsWith(POSTGRES_ONLY) && dialect !== 'postgres') return
  const text = readFileSync(join(FOLDER, `${name}.sql`), 'utf8').replaceAll(/--.*$/gm, '')
  for (const statement of splitStatements(text))
    await sql.raw(dialect === 'postgres' ? statement.replaceAll(' blob', ' bytea') : statement).execute(tx)
}

/** A block between `$$` is one statement. */
function splitStatements(text: string): string[] {
  const [first = '', ...rest] = text.split(';')
  const statements = [first]
  for (const part of rest) {
    const last = statements.at(-1) ?? ''
    if (last.split('$$').length % 2 === 0) statements[statements.length - 1] = `${last};${part}`
    else statements.push(part)
  }
  return statements.filter((statement) => statement.trim() !== '')
}
