import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'

/** What a link stands for; one of one kind is never taken for another. */
export type TokenKind = 'check' | 'book' | 'retrieve' | 'cancel' | 'page'

export type Tokens = {
  seal(kind: TokenKind, content: object, ttlMs: number): { readonly token: string; readonly expiresAt: number }
  open<T>(kind: TokenKind, token: string | null): T | 'invalid' | 'expired'
}

/** Self-contained tokens, as Rapid's are: all that a link means is inside it, and nothing is kept for it. */
export function createTokens(secret: string, clock: Clock): Tokens {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22)

  return {
    seal(kind, content, ttlMs) {
      const expiresAt = clock.now() + ttlMs
      const body = Buffer.from(JSON.stringify([kind, expiresAt, content])).toString('base64url')
      return { token: `${body}.${sign(body)}`, expiresAt }
    },
    open<T>(kind: TokenKind, token: string | null) {
      const [body = '', signature = ''] = (token ?? '').split('.')
      const given = Buffer.from(signature)
      const wanted = Buffer.from(sign(body))
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'invalid'
      const [sealedKind, expiresAt, content] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
      if (sealedKind !== kind) return 'invalid'
      return expiresAt <= clock.now() ? 'expired' : (content as T)
    },
  }
}
