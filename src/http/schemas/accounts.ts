import { type Static, Type } from 'typebox'
import type { SignedIn } from '../../accounts/sign-in.ts'

export const TokenRequest = Type.Object(
  {
    user: Type.Object({
      email: Type.String({ minLength: 3, maxLength: 254 }),
      password: Type.String({ minLength: 1, maxLength: 1000 }),
    }),
  },
  { examples: [{ user: { email: 'demo@example.com', password: 'demo-demo-demo' } }] },
)

export const TokenResponse = Type.Object(
  {
    token: Type.String({ description: 'Opaque; begins with `srt_`.' }),
    token_type: Type.Literal('bearer'),
    expires_at: Type.String({ format: 'date-time' }),
    account: Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() }),
  },
  {
    description: 'A fresh token.',
    examples: [
      {
        token: 'srt_Q3VyaW9zaXR5LWtpbGxlZC10aGUtY2F0LXNvLWRvbnQ',
        token_type: 'bearer',
        expires_at: '2027-01-02T10:00:00.000Z',
        account: { id: 'acc_0h3m6q8r1t5vz', email: 'demo@example.com', name: 'Demo' },
      },
    ],
  },
)

export function presentToken({ token, expiresAt, account }: SignedIn): Static<typeof TokenResponse> {
  return {
    token,
    token_type: 'bearer',
    expires_at: new Date(expiresAt).toISOString(),
    account: { id: account.id, email: account.email, name: account.name },
  }
}
