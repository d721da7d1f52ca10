import type { PageHolder } from '../../accounts/page-sessions.ts'
import type { PageSession } from '../schemas/session.ts'
import { moment } from './moment.ts'

export const presentSession = ({ ownerId, isGuest, email, name, role, expiresAt }: PageHolder): PageSession => ({
  account: isGuest ? null : { id: ownerId, email, name, role },
  expires_at: moment(expiresAt),
})
