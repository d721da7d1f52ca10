import type { SchemaModule } from 'kysely'

/** What differs between the two databases in a table definition. */
export type ColumnWords = { readonly blob: 'blob' | 'bytea' }

/** One step forward. There is no way back: a mistake is mended by the next step. */
export type Migration = { readonly name: string; up(schema: SchemaModule, words: ColumnWords): Promise<void> }
