export const ROLES = ['client', 'viewer', 'operator'] as const
export type Role = (typeof ROLES)[number]

/** `admin` manages webhooks and, with the role `operator`, the whole service. */
export const SCOPES = ['search', 'book', 'cancel', 'read', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Test keys only work with simulated vendors. */
export const KEY_MODES = ['live', 'test'] as const
export type KeyMode = (typeof KEY_MODES)[number]

/**
 * Required to call an operation. `account` is any identified caller, `operator` an operator with the scope `admin`. `person`
 * and `operator_person` require a sign-in and reject API keys.
 */
const ACCESSES = ['public', 'account', 'person', ...SCOPES, 'operator', 'operator_person'] as const
export type Access = (typeof ACCESSES)[number]

const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  client: SCOPES,
  viewer: ['read'],
  operator: SCOPES,
}

export const scopesForRole = (role: Role): readonly Scope[] => ROLE_SCOPES[role]

type Permissions = { readonly role: Role; readonly key?: { readonly scopes: readonly Scope[] } }

const NO_KEYS = 'API keys cannot do this. Sign in with e-mail and password and use the token.'

/** Explains to the caller why the operation is refused; undefined if it is allowed. */
export function explainRefusal(access: Access, { role, key }: Permissions): string | undefined {
  if (access === 'public' || access === 'account') return undefined
  if (access === 'person') return key && NO_KEYS
  if (access === 'operator_person') return (key && NO_KEYS) ?? explainRefusal('operator', { role })
  const scope = access === 'operator' ? 'admin' : access
  if (!scopesForRole(role).includes(scope))
    return `This needs the scope ${scope}, which accounts with the role ${role} do not have.`
  if (key !== undefined && !key.scopes.includes(scope))
    return `This needs the scope ${scope}; the key has ${key.scopes.join(', ')}.`
  if (access === 'operator' && role !== 'operator')
    return `This needs the role operator in addition to the scope admin; the account has the role ${role}.`
  return undefined
}

/** Owner of the bookings to show. With `onlySimulated`, real bookings do not exist for the caller. */
export type BookingOwner = { readonly accountId: string; readonly onlySimulated?: boolean }
