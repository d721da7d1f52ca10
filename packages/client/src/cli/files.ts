import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const folderOf = (variable: string, usual: string) => join(process.env[variable] || join(homedir(), usual), 'serai')

export const CREDENTIALS_FILE = join(folderOf('XDG_CONFIG_HOME', '.config'), 'credentials.json')
export const LAST_SEARCH_FILE = join(folderOf('XDG_STATE_HOME', '.local/state'), 'last-search.json')

/** Written whole or not at all, and readable by its owner only: both files hold what books rooms. */
export function writePrivate(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  renameSync(fresh, path)
}

export function readPrivate<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return undefined
  }
}

export const remove = (path: string): void => rmSync(path, { force: true })

/** Whether others on this machine could read it; undefined where there is no such file. */
export function isOpenToOthers(path: string): boolean | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  return mode === undefined ? undefined : process.platform !== 'win32' && (mode & 0o077) !== 0
}
