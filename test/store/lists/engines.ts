import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { SqlDialect } from '../../../src/lists/sql/column.ts'
import { runOnSql } from '../../../src/lists/sql/run.ts'
import { openSqlite, sqliteDialect } from '../../../src/store/sqlite-dialect.ts'
import type { Engine } from './memory-engine.ts'
import type { Rec } from './vector.ts'

type Table = { id: number }
type Schema = Record<string, Table>

export function sqliteEngine(): Engine {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(() => openSqlite(':memory:')) })
  return sqlEngine('SQLite', 'sqlite', db)
}

export async function postgresEngine(url: string): Promise<Engine> {
  return sqlEngine('PostgreSQL', 'postgres', new Kysely<Schema>({ dialect: await englishPostgres(url) }))
}

/** A database with English collation, to prove that lists are ordered bytewise regardless of it. */
export async function englishPostgres(url: string): Promise<PostgresDialect> {
  const name = `lists_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name} template template0 locale_provider icu icu_locale 'en-US'`)
  await client.end()
  const pool = new pg.Pool({ connectionString: url.replace(/\/postgres$/, `/${name}`), max: 2 })
  // A closing connection may still emit an error when the server ends; without a listener it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (connection) => connection.on('error', () => undefined))
  return new PostgresDialect({ pool })
}

const COLUMNS = ['id', 'name', 'age', 'species', 'score', 'active', 'born', 'tags', 'status', 'secret']

function sqlEngine(name: string, dialect: SqlDialect, db: Kysely<Schema>): Engine {
  const tables = new Map<string, string>()
  return {
    name,
    async run(plan, records) {
      const content = JSON.stringify(records)
      const table = tables.get(content) ?? `recs_${tables.size}`
      if (!tables.has(content)) await fill(db, dialect, table, records)
      tables.set(content, table)
      const query = db.selectFrom(table).select('id')
      const { data, meta } = await runOnSql(plan, { dialect, query })
      return { ids: data.map(({ id }) => Number(id)), meta }
    },
    close: () => db.destroy(),
  }
}

/** Inserts in reverse, so that no answer is correct only because of the insertion order. */
async function fill(db: Kysely<Schema>, dialect: SqlDialect, table: string, records: readonly Rec[]): Promise<void> {
  const types =
    dialect === 'sqlite'
      ? sql`id integer, name text collate nocase, age integer, species text, score real, active integer, born text,
          tags text, status text, secret text`
      : sql`id bigint, name text, age integer, species text, score float8, active integer, born date, tags text[],
          status text, secret text`
  await sql`create table ${sql.table(table)} (${types})`.execute(db)
  for (const record of records.toReversed()) {
    const values = COLUMNS.map((column) => sql`${toColumnValue(dialect, record[column] ?? null)}`)
    await sql`insert into ${sql.table(table)} values (${sql.join(values)})`.execute(db)
  }
}

function toColumnValue(dialect: SqlDialect, value: unknown): unknown {
  if (dialect === 'sqlite' && Array.isArray(value)) return JSON.stringify(value)
  return typeof value === 'boolean' ? Number(value) : value
}
