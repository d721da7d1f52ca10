import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sqlitePath } from '../../compose/database.ts'
import { type Config, readConfig } from '../../config.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { dateIn } from '../../lib/time/plain-date.ts'
import { backupSqlite, InvalidBackup, isInUse, restoreSqlite } from '../../store/backup.ts'
import { type Command, print, WrongArgument } from '../command.ts'

const BACKUP_USAGE = 'serai backup FILE   copies the SQLite database to FILE; the service may be running'
const RESTORE_USAGE = 'serai restore FILE   replaces the SQLite database with a backup; stop the service first'

const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']

export const backupCommand: Command = {
  usage: BACKUP_USAGE,
  async run(args) {
    const file = readFileName(args)
    const config = readConfig()
    if (config.databaseUrl !== undefined) return refusePostgres()
    const target = resolve(file)
    if (!existsSync(sqlitePath(config))) return print(`There is no database in ${config.dataDir} yet.`, 2)
    if (existsSync(target)) return print(`${target} already exists; choose another name.`, 2)
    try {
      mkdirSync(dirname(target), { recursive: true })
      await backupSqlite(sqlitePath(config), target)
    } catch (error) {
      const { code, path } = Object(error)
      if (!UNWRITABLE.includes(code)) throw error
      return print(`${path} cannot be written (${code}). Choose another place for the backup.`, 1)
    }
    return print(`Saved and verified: ${target}`, 0)
  },
}

export const restoreCommand: Command = {
  usage: RESTORE_USAGE,
  async run(args) {
    const file = readFileName(args)
    const config = readConfig()
    if (config.databaseUrl !== undefined) return refusePostgres()
    const source = resolve(file)
    if (!existsSync(source)) return print(`There is no file ${source}.`, 2)
    if (existsSync(sqlitePath(config)) && isInUse(sqlitePath(config))) return print(IN_USE, 1)
    return restoreFrom(source, config)
  },
}

function readFileName(args: string[]): string {
  const [file, ...more] = parseArgs({ args, allowPositionals: true }).positionals
  if (file === undefined || more.length > 0) throw new WrongArgument('Pass the name of one file.')
  return file
}

const IN_USE = 'The database is in use. Stop the service first: its writes during the restore would be lost.'

const refusePostgres = () => print('This deployment uses PostgreSQL. Use pg_dump and pg_restore.', 2)

async function restoreFrom(source: string, config: Config): Promise<number> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const now = systemClock.now()
  try {
    const { keptAs, dataUntil } = await restoreSqlite(source, sqlitePath(config), now, config.secrets)
    const from = dateIn('UTC', dataUntil ?? now)
    return print(
      `Restored from ${source}.${keptAs === undefined ? '' : ` The previous database is kept as ${keptAs}.`}
Bookings made since this backup are missing, but vendors have them. Each booking is looked up before it is sent until
they are reconciled: serai bookings reconcile --from ${from}`,
      0,
    )
  } catch (error) {
    if (!(error instanceof InvalidBackup)) throw error
    return print(error.message, 1)
  }
}
