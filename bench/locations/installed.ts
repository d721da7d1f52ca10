import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { type Alternative, type Doc, listSuffixes, prefixEnd } from './alternative-search.ts'
import { postgres } from './postgres.ts'

/** Packages of `bench/locations/package.json`. */
export const LIBRARIES = ['minisearch', 'flexsearch', '@orama/orama'] as const

const require = createRequire(import.meta.url)

export function isInstalled(name: (typeof LIBRARIES)[number]): boolean {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}

/** The installed engines. None of them ranks by importance while it searches, which would only add to their time. */
export function installedAlternatives(): Alternative[] {
  return [sqlite, postgres, ...[flexSearch, miniSearch, orama].filter(({ needs }) => isInstalled(needs))]
}

/**
 * A B-tree over the start of every word, limited to the best ten by rank: the usual approach without a search engine.
 */
const sqlite: Alternative = {
  name: 'sqlite',
  isLibrary: false,
  async build(docs) {
    const db = new DatabaseSync(':memory:')
    db.exec('create table keys (text text, id integer, primary key (text, id)) without rowid')
    const insert = db.prepare('insert or ignore into keys values (?, ?)')
    db.exec('begin')
    for (const doc of docs) for (const text of listSuffixes(doc)) insert.run(text, doc.id)
    db.exec('commit')
    const select = db.prepare('select distinct id from keys where text >= ? and text < ? order by id limit ?')
    return (query, limit) => select.all(query, prefixEnd(query), limit)
  },
}

type Library = Alternative & { readonly needs: (typeof LIBRARIES)[number] }

const miniSearch: Library = {
  name: 'minisearch',
  isLibrary: true,
  needs: 'minisearch',
  async build(docs) {
    type Engine = { addAll(docs: readonly Doc[]): void; search(text: string, options: object): unknown[] }
    const MiniSearch = require('minisearch') as new (options: object) => Engine
    const engine = new MiniSearch({ fields: ['name'], idField: 'id' })
    engine.addAll(docs)
    return (query, limit) => engine.search(query, { prefix: true, combineWith: 'AND' }).slice(0, limit)
  },
}

const flexSearch: Library = {
  name: 'flexsearch',
  isLibrary: true,
  needs: 'flexsearch',
  async build(docs) {
    type Engine = { add(id: number, text: string): void; search(text: string, options: object): unknown }
    const { Index } = require('flexsearch') as { Index: new (options: object) => Engine }
    const engine = new Index({ tokenize: 'forward' })
    for (const { id, name } of docs) engine.add(id, name)
    return (query, limit) => engine.search(query, { limit })
  },
}

const orama: Library = {
  name: 'orama',
  isLibrary: true,
  needs: '@orama/orama',
  async build(docs) {
    type Orama = {
      create(options: object): unknown
      insertMultiple(db: unknown, docs: readonly object[], batch: number): Promise<unknown>
      search(db: unknown, query: object): unknown
    }
    const { create, insertMultiple, search } = require('@orama/orama') as Orama
    const db = create({ schema: { name: 'string' } })
    await insertMultiple(
      db,
      docs.map(({ id, name }) => ({ id: String(id), name })),
      5000,
    )
    return (query, limit) => search(db, { term: query, limit, threshold: 0 })
  },
}
