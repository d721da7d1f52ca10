import type { ClientOptions } from './call.ts'
import { createClient } from './create-client.ts'

export type Credentials = {
  readonly email: string
  readonly password: string
  /** For an account with one-time codes: called at each sign-in. Must return a new code, because each works only once. */
  readonly totp?: () => string | Promise<string>
}

/**
 * The options `token` and `onDenied` of a client that signs in by itself: when the first call needs a token, and
 * again when the token has expired.
 */
export function signInWith(
  { email, password, totp }: Credentials,
  options: Omit<ClientOptions, 'token' | 'onDenied'>,
): Required<Pick<ClientOptions, 'token' | 'onDenied'>> {
  const { accounts } = createClient(options)
  let token: Promise<string> | undefined
  let current: string | undefined
  const signIn = async () => {
    try {
      const user = { email, password, ...(totp !== undefined && { totp: await totp() }) }
      current = (await accounts.getToken({ user })).token
      return current
    } catch (error) {
      token = undefined
      throw error
    }
  }
  return {
    token() {
      // Calls at the same time share one sign-in; one that failed is not kept.
      token ??= signIn()
      return token
    },
    onDenied({ status }, refused) {
      if (status !== 401) return false
      // Of several calls that were denied together, the first one asks for a new token and the others get it too.
      if (refused === current) token = current = undefined
      return true
    },
  }
}
