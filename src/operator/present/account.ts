import type { Static } from 'typebox'
import type { AccountDetails, AccountWithCounts } from '../../accounts/operator-accounts.ts'
import { presentKey, presentSession } from '../../accounts/present/api-key.ts'
import type { Webhook } from '../../domain/webhook.ts'
import { moment, momentOrNull } from '../../http/present/moment.ts'
import type { AccountDetailsSchema, OperatorAccountSchema } from '../schemas/accounts.ts'

export const presentAccount = (account: AccountWithCounts): Static<typeof OperatorAccountSchema> => ({
  id: account.id,
  email: account.email,
  name: account.name,
  role: account.role,
  see_net: account.seesNet === true,
  one_time_codes: account.totpSecret !== undefined,
  created_at: moment(account.createdAt),
  last_signed_in_at: momentOrNull(account.lastSignedInAt),
  disabled_at: momentOrNull(account.disabledAt),
  key_count: account.counts.keys,
  booking_count: account.counts.bookings,
})

export const presentAccountDetails = (
  account: AccountDetails,
  webhooks: readonly Webhook[],
  now: number,
): Static<typeof AccountDetailsSchema> => ({
  ...presentAccount(account),
  keys: account.keys.map((key) => presentKey(key, now)),
  sessions: account.sessions.map(presentSession),
  webhooks: webhooks.map(({ id, url, events, status, createdAt }) => ({
    id,
    origin: URL.canParse(url) ? new URL(url).origin : '',
    events: [...events],
    status,
    created_at: moment(createdAt),
  })),
})
