import type { Keyring } from '../lib/crypto/keyring.ts'
import { openText, sealText } from '../lib/crypto/seal.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Account, AccountStore } from './store/accounts.ts'
import { newTotpSecret, stepOfCode, totpAddress } from './totp.ts'

const KIND = 'otp1'

export type OneTimeCodes = ReturnType<typeof createOneTimeCodes>

/** The second step of signing in, for accounts that have set it up. */
export function createOneTimeCodes(deps: {
  readonly accounts: Pick<AccountStore, 'setTotp' | 'removeTotp' | 'spendTotp'>
  readonly keyring: Keyring
  readonly clock: Clock
}) {
  const { accounts, keyring, clock } = deps
  return {
    /** Whether the code is right; each counts once. An account without a secret has no right one. */
    async check({ id, totpSecret }: Account, code: string): Promise<boolean> {
      if (totpSecret === undefined) return false
      const secret = openText(keyring, KIND, totpSecret)
      const step = secret && stepOfCode(Buffer.from(secret, 'base64url'), code, clock.now())
      return typeof step === 'number' && (await accounts.spendTotp(id, step))
    },

    /** A secret for an authenticator app. Nothing is asked for before `confirm` was given a code of it. */
    prepare(email: string) {
      const secret = newTotpSecret()
      return {
        ...totpAddress(secret, email),
        async confirm(code: string): Promise<boolean> {
          const step = stepOfCode(secret, code, clock.now())
          if (step === undefined) return false
          return accounts.setTotp(email, sealText(keyring, KIND, secret.toString('base64url')), step)
        },
      }
    },

    remove: (email: string): Promise<boolean> => accounts.removeTotp(email),
  }
}
