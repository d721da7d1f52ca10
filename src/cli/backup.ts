import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { sqlitePath } from '../configured-database.ts'
import { systemClock } from '../lib/clock.ts'
import { backupSqlite, restoreSqlite } from '../store/backup.ts'

export async function backupCommand([file]: string[]): Promise<number> {
  const config = readConfig()
  const target = wanted(file, config)
  if (typeof target === 'number') return target
  if (!existsSync(sqlitePath(config))) return complain(`There is no database in ${config.dataDir} yet.`)
  if (existsSync(target)) return complain(`${target} exists already; choose another name.`)
  mkdirSync(dirname(target), { recursive: true })
  await backupSqlite(sqlitePath(config), target)
  console.log(`Saved to ${target}, checked and whole.`)
  return 0
}

export async function restoreCommand([file]: string[]): Promise<number> {
  const config = readConfig()
  const source = wanted(file, config)
  if (typeof source === 'number') return source
  if (!existsSync(source)) return complain(`There is no file ${source}.`)
  mkdirSync(config.dataDir, { recursive: true })
  const stamp = new Date(systemClock.now()).toISOString().replace(/[:.]/g, '-')
  const kept = restoreSqlite(source, sqlitePath(config), stamp)
  console.log(`Restored from ${source}.${kept === undefined ? '' : ` What was there is kept as ${kept}.`}`)
  return 0
}

function wanted(file: string | undefined, config: Config): string | number {
  if (config.databaseUrl !== undefined) return complain('This deployment uses PostgreSQL: use pg_dump and pg_restore.')
  return file === undefined ? complain('Say which file: serai backup FILE, serai restore FILE') : resolve(file)
}

function complain(words: string): number {
  console.error(words)
  return 2
}
