import { Type } from 'typebox'
import { optionalOrNull } from '../../http/schemas/or-null.ts'
import { Moment } from '../../http/schemas/scalars.ts'

export const TokenRequest = Type.Object(
  {
    user: Type.Object(
      {
        email: Type.String({ minLength: 3, maxLength: 254 }),
        password: Type.String({ minLength: 1, maxLength: 1000 }),
        totp: optionalOrNull(
          Type.String({ maxLength: 16 }),
          'The six-digit code of the authenticator app, if the account uses one.',
        ),
      },
      { title: 'Credentials' },
    ),
  },
  { title: 'TokenRequest' },
)

export const TokenResponse = Type.Object(
  {
    token: Type.String({ pattern: '^srt_', description: 'Opaque.' }),
    token_type: Type.Literal('bearer'),
    expires_at: Moment,
    account: Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() }, { title: 'Account' }),
  },
  { title: 'Token' },
)
