import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'

/** Row number (which is the rank) and folded name. */
export type Doc = { readonly id: number; readonly name: string }
export type Search = (query: string, limit: number) => unknown
export type Rival = { readonly name: string; build(docs: readonly Doc[]): Promise<Search> }

const require = createRequire(import.meta.url)

/** The engines that are installed. None of them ranks by importance while it searches; that would only add to their time. */
export async function buildRivals(): Promise<Rival[]> {
  const rivals = [sqlite, miniSearch, flexSearch, orama]
  return rivals.filter(({ needs }) => needs === undefined || isInstalled(needs))
}

type Optional = Rival & { readonly needs?: string }

/** A B-tree over every word's beginning, the best ten by rank: the usual way without a search engine. */
const sqlite: Optional = {
  name: 'sqlite',
  async build(docs) {
    const db = new DatabaseSync(':memory:')
    db.exec('create table keys (text text, id integer, primary key (text, id)) without rowid')
    const insert = db.prepare('insert or ignore into keys values (?, ?)')
    db.exec('begin')
    for (const { id, name } of docs) {
      const words = name.split(' ')
      for (let from = 0; from < words.length; from++) insert.run(words.slice(from).join(' '), id)
    }
    db.exec('commit')
    const select = db.prepare('select distinct id from keys where text >= ? and text < ? order by id limit ?')
    return (query, limit) => select.all(query, `${query}\u{10ffff}`, limit)
  },
}

const miniSearch: Optional = {
  name: 'minisearch',
  needs: 'minisearch',
  async build(docs) {
    type Engine = { addAll(docs: readonly Doc[]): void; search(text: string, options: object): unknown[] }
    const MiniSearch = require('minisearch') as new (options: object) => Engine
    const engine = new MiniSearch({ fields: ['name'], idField: 'id' })
    engine.addAll(docs)
    return (query, limit) => engine.search(query, { prefix: true, combineWith: 'AND' }).slice(0, limit)
  },
}

const flexSearch: Optional = {
  name: 'flexsearch',
  needs: 'flexsearch',
  async build(docs) {
    type Engine = { add(id: number, text: string): void; search(text: string, options: object): unknown }
    const { Index } = require('flexsearch') as { Index: new (options: object) => Engine }
    const engine = new Index({ tokenize: 'forward' })
    for (const { id, name } of docs) engine.add(id, name)
    return (query, limit) => engine.search(query, { limit })
  },
}

const orama: Optional = {
  name: 'orama',
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

function isInstalled(name: string): boolean {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}
