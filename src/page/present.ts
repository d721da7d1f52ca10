import type { Static } from 'typebox'
import type { PageHolder } from '../accounts/page-sessions.ts'
import type { TokenResponse } from '../accounts/schemas/accounts.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import { moment } from '../http/present/moment.ts'
import type { PageSession } from './schemas.ts'

export const presentSession = ({ ownerId, isGuest, email, name, role, expiresAt }: PageHolder): PageSession => ({
  account: isGuest ? null : { id: ownerId, email, name, role },
  expires_at: moment(expiresAt),
})

export function presentToken({ token, expiresAt, account }: SignedIn): Static<typeof TokenResponse> {
  return {
    token,
    token_type: 'bearer',
    expires_at: moment(expiresAt),
    account: { id: account.id, email: account.email, name: account.name },
  }
}
