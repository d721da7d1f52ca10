import type { Keyring } from '../lib/crypto/keyring.ts'
import { openText, sealText } from '../lib/crypto/seal.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Account, AccountStore } from './store/accounts.ts'
import { describeTotp, findStep, newTotpSecret } from './totp.ts'

const KIND = 'otp1'

export type OneTimeCodes = ReturnType<typeof createOneTimeCodes>

/** Second factor for accounts that have set it up. */
export function createOneTimeCodes(deps: {
  readonly accounts: Pick<AccountStore, 'setTotp' | 'removeTotp' | 'spendTotp'>
  readonly keyring: Keyring
  readonly clock: Clock
}) {
  const { accounts, keyring, clock } = deps
  return {
    /** True for a valid code that has not been used; always false without a secret. */
    async check({ id, totpSecret }: Account, code: string): Promise<boolean> {
      if (totpSecret === undefined) return false
      const secret = openText(keyring, KIND, totpSecret)
      const step = secret && findStep(Buffer.from(secret, 'base64url'), code, clock.now())
      return typeof step === 'number' && (await accounts.spendTotp(id, step))
    },

    /** Creates a secret for an authenticator app. It takes effect once `confirm` has accepted a code. */
    prepare(email: string) {
      const secret = newTotpSecret()
      return {
        ...describeTotp(secret, email),
        async confirm(code: string): Promise<boolean> {
          const step = findStep(secret, code, clock.now())
          if (step === undefined) return false
          return accounts.setTotp(email, sealText(keyring, KIND, secret.toString('base64url')), step)
        },
      }
    },

    remove: (email: string): Promise<boolean> => accounts.removeTotp(email),
  }
}
