import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Keyring } from './keyring.ts'

const OPENED_MAX_BYTES = 64 * 1024
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Stands before what was deflated; no JSON begins with it. */
const PACKED = '~'

/**
 * Authenticated encryption of a small JSON value: `kind.keyId.base64url(nonce ciphertext tag)`. Nobody can read it,
 * change it, or pass it off as another kind: `kind` and the key id are authenticated too. `pack` makes what travels smaller.
 */
export function sealJson(keyring: Keyring, kind: string, value: unknown, options: { pack?: boolean } = {}): string {
  const { id, secret } = keyring.current
  const nonce = freshNonce()
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(`${kind}.${id}`))
  const plain = Buffer.from(`${options.pack === true ? PACKED : ''}${JSON.stringify(value)}`)
  const packed =
    options.pack === true
      ? Buffer.concat([plain.subarray(0, 1), deflateRawSync(plain.subarray(1), { level: 1 })])
      : plain
  const sealed = Buffer.concat([nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()])
  return `${kind}.${id}.${sealed.toString('base64url')}`
}

/** Random bytes in store: asking the system for twelve costs as much as asking for thousands. */
const nonces = Buffer.alloc(NONCE_BYTES * 256)
let noncesUsed = nonces.length

/** Never the same twice. It is overwritten some sealings later, so it is for the one at hand. */
function freshNonce(): Buffer {
  if (noncesUsed === nonces.length) {
    randomFillSync(nonces)
    noncesUsed = 0
  }
  noncesUsed += NONCE_BYTES
  return nonces.subarray(noncesUsed - NONCE_BYTES, noncesUsed)
}

/** The value, or undefined for anything that was not sealed by us as this kind: no reason is given, on purpose. */
export function openJson(keyring: Keyring, kind: string, text: string): unknown {
  const parts = text.split('.')
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
    const packed = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    const isPacked = packed[0] === PACKED.charCodeAt(0)
    const plain = isPacked ? inflateRawSync(packed.subarray(1), { maxOutputLength: OPENED_MAX_BYTES }) : packed
    return JSON.parse(plain.toString('utf8'))
  } catch {
    return undefined
  }
}
