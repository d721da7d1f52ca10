import type { Static } from 'typebox'
import { moment } from '../../http/present/moment.ts'
import type { TokenResponse } from '../schemas/accounts.ts'
import type { SignedIn } from '../sign-in.ts'

export function presentToken({ token, expiresAt, account }: SignedIn): Static<typeof TokenResponse> {
  return {
    token,
    token_type: 'bearer',
    expires_at: moment(expiresAt),
    account: { id: account.id, email: account.email, name: account.name },
  }
}
