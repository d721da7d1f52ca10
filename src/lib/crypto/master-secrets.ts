import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SecretKey } from './keyring.ts'
import { isWeakSecret } from './weak-secret.ts'

const SECRET_BYTES = 32

/** Parses `id:base64,older-id:base64`, each at least 32 bytes. Returns a message if invalid, without the secret. */
export function readSecrets(text: string): SecretKey[] | string {
  const secrets = text.split(',').map(readSecret)
  const message = secrets.find((secret) => typeof secret === 'string')
  if (message !== undefined) return message
  const keys = secrets.filter((secret) => typeof secret !== 'string')
  const repeated = keys.find(({ id }, index) => keys.findIndex((other) => other.id === id) !== index)
  if (repeated === undefined) return keys
  return `SERAI_SECRETS has two secrets with the id "${repeated.id}", so data encrypted with the second could not be read. Give the new one its own id.`
}

function readSecret(text: string): SecretKey | string {
  const [, id, encoded] = /^([A-Za-z0-9_-]{1,16}):(.+)$/.exec(text.trim()) ?? []
  if (id === undefined || encoded === undefined)
    return 'SERAI_SECRETS must be a comma-separated list of id:base64; the first secret encrypts.'
  if (isWeakSecret(encoded))
    return `The secret "${id}" is a default, too short or could be guessed. Use at least 32 random bytes in base64, such as the output of "openssl rand -base64 32".`
  return { id, key: Buffer.from(encoded, 'base64') }
}

/** Reads the secret stored beside the data, or creates it. Returns a message if the file is damaged. */
export function loadDevelopmentSecret(dataDir: string): Buffer | string {
  const path = join(dataDir, 'development-secret')
  const stored = readStored(path) ?? createSecret(dataDir, path)
  if (stored.length >= SECRET_BYTES) return stored
  return `${path} does not hold a whole secret. Delete it to get a new one; data encrypted with the old one becomes unreadable.`
}

const readStored = (path: string): Buffer | undefined =>
  existsSync(path) ? Buffer.from(readFileSync(path, 'utf8'), 'base64') : undefined

function createSecret(dataDir: string, path: string): Buffer {
  const secret = randomBytes(SECRET_BYTES)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, secret.toString('base64'), { mode: 0o600, flag: 'wx' })
    return secret
  } catch (error) {
    // Another process has just created it; all of them use that secret.
    const stored = readStored(path)
    if (stored === undefined) throw error
    return stored
  }
}
