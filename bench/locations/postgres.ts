import pg from 'pg'
import { type Postgres, startPostgres } from '../../test/support/servers/postgres.ts'
import { type Alternative, listSuffixes, prefixEnd } from './alternative-search.ts'

const BATCH = 50_000
let server: Postgres | undefined
let client: pg.Client | undefined

/** The same table in a real PostgreSQL next to this process, queried by a prepared statement over one connection. */
export const postgres: Alternative = {
  name: 'postgres',
  isLibrary: false,
  async build(docs) {
    server = await startPostgres()
    const db = new pg.Client({ connectionString: server.url })
    client = db
    await db.connect()
    await db.query('set synchronous_commit = off')
    await db.query('create unlogged table keys (text text not null, id integer not null)')
    const rows = docs.flatMap((doc) => listSuffixes(doc).map((text) => ({ text, id: doc.id })))
    for (let offset = 0; offset < rows.length; offset += BATCH) {
      const batch = rows.slice(offset, offset + BATCH)
      const columns = [batch.map(({ text }) => text), batch.map(({ id }) => id)]
      await db.query('insert into keys select * from unnest($1::text[], $2::int[])', columns)
    }
    await db.query('create index on keys (text text_pattern_ops, id)')
    await db.query('vacuum analyze keys')
    // The index's own operators: `like $1` would not use the index once the plan is cached.
    const text = 'select distinct id from keys where text ~>=~ $1 and text ~<~ $2 order by id limit $3'
    return (query, limit) => db.query({ name: 'prefix', text, values: [query, prefixEnd(query), limit] })
  },
  async close() {
    await client?.end()
    await server?.stop()
  },
}
