/** What an account is for. */
export const ROLES = ['client', 'viewer', 'operator'] as const
export type Role = (typeof ROLES)[number]

/** What an API key may be used for. `admin` manages webhooks, and with the role `operator` the whole service. */
export const SCOPES = ['search', 'book', 'cancel', 'read', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** A test key never leaves the simulated world. */
export const KEY_MODES = ['live', 'test'] as const
export type KeyMode = (typeof KEY_MODES)[number]

/**
 * Who may call an operation: anybody (`public`), any identified caller (`account`), a person who has signed in and no key
 * (`person`), a caller with a scope, an operator with the scope `admin` (`operator`), or an operator who has signed in and no key
 * (`operator_person`).
 */
const ACCESSES = ['public', 'account', 'person', ...SCOPES, 'operator', 'operator_person'] as const
export type Access = (typeof ACCESSES)[number]

const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  client: SCOPES,
  viewer: ['read'],
  operator: SCOPES,
}

/** The most that somebody with this role can do, in person or by a key. */
export const scopesOf = (role: Role): readonly Scope[] => SCOPES_OF[role]

type Permissions = { readonly role: Role; readonly key?: { readonly scopes: readonly Scope[] } }

const NO_KEYS = 'An API key cannot do this: sign in with e-mail and password and use the token.'

/** Why an operation is refused to a caller, for the caller; undefined when it is not. */
export function refusalOf(access: Access, { role, key }: Permissions): string | undefined {
  if (access === 'public' || access === 'account') return undefined
  if (access === 'person') return key && NO_KEYS
  if (access === 'operator_person') return (key && NO_KEYS) ?? refusalOf('operator', { role })
  const scope = access === 'operator' ? 'admin' : access
  if (!scopesOf(role).includes(scope))
    return `This needs the scope ${scope}, which accounts with the role ${role} do not have.`
  if (key !== undefined && !key.scopes.includes(scope))
    return `This needs the scope ${scope}; the key has ${key.scopes.join(', ')}.`
  if (access === 'operator' && role !== 'operator')
    return `This needs the role operator beside the scope admin; the account has the role ${role}.`
  return undefined
}

/** Owner of the bookings to show. With `onlySimulated`, real bookings do not exist for the caller. */
export type BookingOwner = { readonly accountId: string; readonly onlySimulated?: boolean }
