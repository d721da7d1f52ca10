import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** What differs between the two databases in a table definition. */
export type ColumnWords = { readonly blob: 'blob' | 'bytea' }

/** One step forward. There is no way back: a mistake is mended by the next step. */
export type Migration = { up(db: Kysely<Tables>, words: ColumnWords): Promise<void> }

/** A step of SQL statements, separated by semicolons. */
export const statements = (write: (words: ColumnWords) => string): Migration => ({
  async up(db, words) {
    for (const statement of write(words).split(';')) await sql.raw(statement).execute(db)
  },
})
