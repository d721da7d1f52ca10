import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../src/lib/time/clock.ts'

export type Tokens = {
  seal(kind: string, content: object, ttlMs: number): { readonly token: string; readonly expiresAt: number }
  /** Rejects a token of another kind. */
  open<T>(kind: string, token: string | null): T | 'invalid' | 'expired'
}

/** Signed tokens that contain everything a link or a rate key refers to, so that nothing is stored. */
export function createSignedTokens(secret: string, clock: Clock): Tokens {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22)

  return {
    seal(kind, content, ttlMs) {
      const expiresAt = clock.now() + ttlMs
      const body = Buffer.from(JSON.stringify([kind, expiresAt, content])).toString('base64url')
      return { token: `${body}.${sign(body)}`, expiresAt }
    },
    open<T>(kind: string, token: string | null) {
      const [body = '', signature = ''] = (token ?? '').split('.')
      const given = Buffer.from(signature)
      const expected = Buffer.from(sign(body))
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'invalid'
      const [sealedKind, expiresAt, content] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
      if (sealedKind !== kind) return 'invalid'
      return expiresAt <= clock.now() ? 'expired' : (content as T)
    },
  }
}
