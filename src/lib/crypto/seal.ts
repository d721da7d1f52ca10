import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Keyring } from './keyring.ts'

const OPENED_MAX_BYTES = 64 * 1024
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Prefix of deflated content; never the first character of JSON. */
const PACKED = '~'

/** Authenticated encryption as `kind.keyId.base64url(nonce ciphertext tag)`. Kind and key id are authenticated too. */
export const sealText = (keyring: Keyring, kind: string, text: string): string =>
  sealBytes(keyring, kind, Buffer.from(text))

/** Seals a JSON value; `pack` compresses it. */
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

/** Undefined, deliberately without a reason, unless we sealed it as this kind. Our own content has the caller's type unchecked. */
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
  const [sealedKind, id = '', body = ''] = parts
  const key = keyring.byId(id)
  if (parts.length !== 3 || sealedKind !== kind || key === undefined || !/^[A-Za-z0-9_-]+$/.test(body)) return undefined
  const bytes = Buffer.from(body, 'base64url')
  // Only the canonical spelling is valid: two spellings of the same bytes would be two keys for one offer.
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
