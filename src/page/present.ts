import type { PageHolder } from '../domain/page-session.ts'
import { moment } from '../http/present/moment.ts'
import type { PageSession } from './schemas.ts'

export const presentPageSession = ({ ownerId, isGuest, email, name, role, expiresAt }: PageHolder): PageSession => ({
  account: isGuest ? null : { id: ownerId, email, name, role },
  expires_at: moment(expiresAt),
})
