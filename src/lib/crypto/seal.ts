import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Keyring } from './keyring.ts'

const OPENED_MAX_BYTES = 64 * 1024
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Stands before what was deflated; no JSON begins with it. */
const PACKED = '~'

/**
 * Authenticated encryption of a small text: `kind.keyId.base64url(nonce ciphertext tag)`. Nobody can read it, change it, or
 * pass it off as another kind: `kind` and the key id are authenticated too.
 */
export const sealText = (keyring: Keyring, kind: string, text: string): string =>
  sealBytes(keyring, kind, Buffer.from(text))

/** The same of a JSON value; `pack` makes what travels smaller. */
export function sealJson(keyring: Keyring, kind: string, value: unknown, options: { pack?: boolean } = {}): string {
  const text = JSON.stringify(value)
  if (options.pack !== true) return sealText(keyring, kind, text)
  return sealBytes(keyring, kind, Buffer.concat([Buffer.from(PACKED), deflateRawSync(text, { level: 1 })]))
}

function sealBytes(keyring: Keyring, kind: string, plain: Buffer): string {
  const { id, secret } = keyring.current
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(`${kind}.${id}`))
  const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  return `${kind}.${id}.${sealed.toString('base64url')}`
}

/**
 * The value, or undefined for anything that was not sealed by us as this kind: no reason is given, on purpose. What was
 * sealed by us needs no further check, so the caller says its type.
 */
export function openJson<T>(keyring: Keyring, kind: string, sealed: string): T | undefined {
  const plain = openBytes(keyring, kind, sealed)
  if (plain === undefined) return undefined
  try {
    const isPacked = plain[0] === PACKED.charCodeAt(0)
    const text = isPacked ? inflateRawSync(plain.subarray(1), { maxOutputLength: OPENED_MAX_BYTES }) : plain
    return JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}

export const openText = (keyring: Keyring, kind: string, sealed: string): string | undefined =>
  openBytes(keyring, kind, sealed)?.toString('utf8')

function openBytes(keyring: Keyring, kind: string, sealed: string): Buffer | undefined {
  const parts = sealed.split('.')
  const [saidKind, id = '', body = ''] = parts
  const key = keyring.byId(id)
  if (parts.length !== 3 || saidKind !== kind || key === undefined || !/^[A-Za-z0-9_-]+$/.test(body)) return undefined
  const bytes = Buffer.from(body, 'base64url')
  // Two spellings of the same bytes would be two keys for one offer: only the canonical one counts.
  if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== body) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.secret, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(`${kind}.${id}`))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}
