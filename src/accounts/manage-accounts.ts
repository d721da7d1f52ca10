import type { Role } from '../domain/access.ts'
import { type FieldError, invalidRequest } from '../domain/errors.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import { EMAIL } from '../lib/text/email.ts'
import type { Clock } from '../lib/time/clock.ts'
import { PASSWORD_LENGTH, type Passwords } from './passwords.ts'
import { emailHash } from './sign-in.ts'
import type { Account, AccountStore } from './store/accounts.ts'
import type { SignInStore } from './store/sign-ins.ts'

export type ManageAccounts = ReturnType<typeof createManageAccounts>

/** Account management by operators; registration is not public. */
export function createManageAccounts(deps: {
  accounts: AccountStore
  signIns: SignInStore
  passwords: Passwords
  clock: Clock
  ids: Ids
}) {
  const { accounts, signIns, passwords, clock, ids } = deps
  return {
    /** Undefined if the e-mail is taken. */
    async add(email: string, name: string, password: string, role: Role = 'client'): Promise<Account | undefined> {
      throwIfAny([...emailErrors(email), ...passwordErrors(password)])
      // Avoids expensive hashing for a taken e-mail. The store also refuses duplicates.
      if ((await accounts.byEmail(email)) !== undefined) return undefined
      const account: Account = {
        id: ids.prefixed('acc'),
        email: email.trim(),
        name: name.trim() === '' ? (email.split('@', 1)[0] ?? email) : name.trim(),
        passwordHash: await passwords.hash(password),
        createdAt: clock.now(),
        disabledAt: undefined,
        role,
      }
      return (await accounts.add(account)) ? account : undefined
    },

    async setPassword(email: string, password: string): Promise<boolean> {
      throwIfAny(passwordErrors(password))
      const changed = await accounts.setPassword(email, await passwords.hash(password), clock.now())
      if (changed) await signIns.clearEmail(emailHash(email))
      return changed
    },

    /** Takes effect for all tokens and keys within a second. */
    setRole: (email: string, role: Role): Promise<boolean> => accounts.setRole(email, role),

    setSeesNet: accounts.setSeesNet,
    setPayment: accounts.setPayment,
    byEmail: (email: string): Promise<Account | undefined> => accounts.byEmail(email),
    disable: (email: string): Promise<boolean> => accounts.disable(email, clock.now()),
    list: (): Promise<Account[]> => accounts.list(),
  }
}

function throwIfAny(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidRequest(errors)
}

function emailErrors(email: string): FieldError[] {
  if (email.length <= 254 && EMAIL.test(email.trim())) return []
  return [{ field: 'email', code: 'wrong_format', message: 'The e-mail must look like name@example.com.' }]
}

function passwordErrors(password: string): FieldError[] {
  const { min, max } = PASSWORD_LENGTH
  if (password.length >= min && password.length <= max) return []
  return [{ field: 'password', code: 'wrong_length', message: `The password must have ${min} to ${max} characters.` }]
}
