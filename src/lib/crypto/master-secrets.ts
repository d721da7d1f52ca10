import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SecretKey } from './keyring.ts'
import { isWeakSecret } from './weak-secret.ts'

const SECRET_BYTES = 32

/** `id:base64,older-id:base64`, each at least 32 bytes. Returns what is wrong as a text, which repeats no secret. */
export function readSecrets(text: string): SecretKey[] | string {
  const secrets = text.split(',').map(readSecret)
  const wrong = secrets.find((one) => typeof one === 'string')
  if (wrong !== undefined) return wrong
  const known = secrets.filter((one) => typeof one !== 'string')
  const twice = known.find(({ id }, at) => known.findIndex((other) => other.id === id) !== at)
  if (twice === undefined) return known
  return `SERAI_SECRETS has two secrets with the id "${twice.id}": what is encrypted with the second could not be read. Give the new one an id of its own.`
}

function readSecret(text: string): SecretKey | string {
  const [, id, encoded] = /^([A-Za-z0-9_-]{1,16}):(.+)$/.exec(text.trim()) ?? []
  if (id === undefined || encoded === undefined)
    return 'SERAI_SECRETS must be a list of id:base64, separated by commas; the first one is used to seal.'
  if (isWeakSecret(encoded))
    return `The secret "${id}" is a default, too short or could be guessed: use at least 32 random bytes in base64, as "openssl rand -base64 32" gives them.`
  return { id, key: Buffer.from(encoded, 'base64') }
}

/** A secret that is made once and stored beside the data. Returns what is wrong as a text. */
export function developmentSecret(dataDir: string): Buffer | string {
  const path = join(dataDir, 'development-secret')
  const stored = readStored(path) ?? makeSecret(dataDir, path)
  if (stored.length >= SECRET_BYTES) return stored
  return `${path} does not hold a whole secret. Delete it to get a new one; what was encrypted with the old one cannot be read then.`
}

const readStored = (path: string): Buffer | undefined =>
  existsSync(path) ? Buffer.from(readFileSync(path, 'utf8'), 'base64') : undefined

function makeSecret(dataDir: string, path: string): Buffer {
  const secret = randomBytes(SECRET_BYTES)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, secret.toString('base64'), { mode: 0o600, flag: 'wx' })
    return secret
  } catch (error) {
    // Another process that starts at the same time was quicker; all of them use its secret.
    const stored = readStored(path)
    if (stored === undefined) throw error
    return stored
  }
}
