import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CursorValues } from './plan.ts'
import type { ListValue } from './values.ts'

/** Cursors carry a MAC over content and scope, so an edited one or one of another list or account does not open. */
export type CursorCodec = {
  seal(scope: string, values: CursorValues): string
  open(scope: string, text: string): ReadonlyMap<string, unknown> | undefined
}

const MAC_BYTES = 16
const ALPHABET = /^[A-Za-z0-9_-]+$/

type CursorKey = string | Uint8Array

/** Seals with the first key and opens with any: during a rotation, processes differ in which one is first. */
export function createCursorCodec(current: CursorKey, ...older: readonly CursorKey[]): CursorCodec {
  const keys = [current, ...older]
  if (keys.some((key) => key.length < 16)) throw new Error('A cursor key must have at least 16 bytes.')

  function computeMac(key: CursorKey, scope: string, payload: Buffer): Buffer {
    const hmac = createHmac('sha256', key)
      .update(`list-cursor/1\n${Buffer.byteLength(scope)}\n`)
      .update(scope)
    return hmac.update(payload).digest().subarray(0, MAC_BYTES)
  }

  return {
    seal(scope, values) {
      const payload = Buffer.from(JSON.stringify([...values].map(([name, value]) => [name, toJson(value)])))
      return Buffer.concat([computeMac(current, scope, payload), payload]).toString('base64url')
    },
    open(scope, text) {
      if (!ALPHABET.test(text)) return undefined
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= MAC_BYTES) return undefined
      const payload = bytes.subarray(MAC_BYTES)
      const mac = bytes.subarray(0, MAC_BYTES)
      if (!keys.some((key) => timingSafeEqual(mac, computeMac(key, scope, payload)))) return undefined
      const entries: [string, unknown][] = JSON.parse(payload.toString())
      return new Map(entries)
    },
  }
}

/** JSON has no integers beyond 2^53; `castValue` converts the text back. */
const toJson = (value: ListValue) => (typeof value === 'bigint' ? String(value) : value)
