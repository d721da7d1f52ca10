import { sql } from 'kysely'
import type { Database } from '../../../src/store/database.ts'

/** Columns in order, then indexes, keys and constraints. Equal schemas give equal texts. */
const FACTS = {
  sqlite: sql<{ fact: string }>`
    select t.name || ': ' || c.name || ' ' || lower(c.type) || ' ' || c."notnull" || ' ' || c.pk || ' ' || coalesce(c.dflt_value, '') as fact
      from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'
    union all select t.name || ' -> ' || f."table" || ' ' || f."from" || ' ' || f."to"
      from sqlite_master t, pragma_foreign_key_list(t.name) f where t.type = 'table'
    union all select t.name || ' index ' || i."unique" || i.origin || i.partial || ' ' || (select group_concat(name) from pragma_index_info(i.name))
      || ' ' || coalesce((select lower(substr(sql, instr(lower(sql), ' on '))) from sqlite_master where type = 'index' and name = i.name), '')
      from sqlite_master t, pragma_index_list(t.name) i where t.type = 'table'`,
  postgres: sql<{ fact: string }>`
    select table_name || ': ' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
      || ' ' || rank() over (partition by table_name order by ordinal_position) as fact
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace`,
}

export async function describeSchema(database: Database): Promise<string[]> {
  const { rows } = await database.write((tx) => FACTS[database.dialect].execute(tx))
  // SQLite keeps the text of an index definition.
  const facts = rows.map(({ fact }) =>
    fact
      .replaceAll('"', '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([(),]) ?/g, '$1'),
  )
  return database.dialect === 'sqlite' ? sortByTable(facts) : facts.sort()
}

/** Sorts tables by name and keeps the order of their columns. */
const sortByTable = (facts: readonly string[]): string[] => {
  const getTable = (fact: string) => fact.split(/[: ]/)[0] ?? ''
  const columns = facts.filter((fact) => /^\w+: /.test(fact))
  const others = facts.filter((fact) => !columns.includes(fact)).sort()
  return [...columns.toSorted((a, b) => getTable(a).localeCompare(getTable(b))), ...others]
}
