import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const resolveFolder = (variable: string, fallback: string) =>
  join(process.env[variable] || join(homedir(), fallback), 'serai')

export const CREDENTIALS_FILE = join(resolveFolder('XDG_CONFIG_HOME', '.config'), 'credentials.json')
export const LAST_SEARCH_FILE = join(resolveFolder('XDG_STATE_HOME', '.local/state'), 'last-search.json')

/** Atomic, and readable only by its owner: both files contain what is needed to book rooms. */
export function writePrivate(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, path)
}

export function readPrivate<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return undefined
  }
}

export const removeFile = (path: string): void => rmSync(path, { force: true })

/** True if other users can read the file; undefined if it does not exist. */
export function isOpenToOthers(path: string): boolean | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  return mode === undefined ? undefined : process.platform !== 'win32' && (mode & 0o077) !== 0
}
