import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CursorValues } from './plan.ts'
import type { ListValue } from './values.ts'

/**
 * Cursors are ours alone: each carries a keyed checksum over its content and its scope, so one that was edited,
 * invented, or made for another list or account does not open.
 */
export type CursorCodec = {
  seal(scope: string, values: CursorValues): string
  open(scope: string, text: string): ReadonlyMap<string, unknown> | undefined
}

const MAC_BYTES = 16
const ALPHABET = /^[A-Za-z0-9_-]+$/

type CursorKey = string | Uint8Array

/** Seals with the first key and opens with any: while secrets are rotated, processes differ in which one is the first. */
export function createCursorCodec(current: CursorKey, ...older: readonly CursorKey[]): CursorCodec {
  const keys = [current, ...older]
  if (keys.some((key) => key.length < 16)) throw new Error('the cursor key must have at least 16 bytes')

  function macOf(key: CursorKey, scope: string, payload: Buffer): Buffer {
    const hmac = createHmac('sha256', key)
      .update(`list-cursor/1\n${Buffer.byteLength(scope)}\n`)
      .update(scope)
    return hmac.update(payload).digest().subarray(0, MAC_BYTES)
  }

  return {
    seal(scope, values) {
      const payload = Buffer.from(JSON.stringify([...values].map(([name, value]) => [name, toJson(value)])))
      return Buffer.concat([macOf(current, scope, payload), payload]).toString('base64url')
    },
    open(scope, text) {
      if (!ALPHABET.test(text)) return undefined
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= MAC_BYTES) return undefined
      const payload = bytes.subarray(MAC_BYTES)
      const mac = bytes.subarray(0, MAC_BYTES)
      if (!keys.some((key) => timingSafeEqual(mac, macOf(key, scope, payload)))) return undefined
      const entries: [string, unknown][] = JSON.parse(payload.toString())
      return new Map(entries)
    },
  }
}

/** JSON has no integers beyond 2^53; as text they are cast back on the way in. */
const toJson = (value: ListValue) => (typeof value === 'bigint' ? String(value) : value)
