import type { ClientOptions } from './call.ts'
import { createClient } from './create-client.ts'

export type Credentials = { readonly email: string; readonly password: string }

/**
 * The options `token` and `onDenied` of a client that signs in by itself: when the first call needs a token, and
 * again when the token has expired.
 */
export function signInWith(
  { email, password }: Credentials,
  options: Omit<ClientOptions, 'token' | 'onDenied'>,
): Required<Pick<ClientOptions, 'token' | 'onDenied'>> {
  const { accounts } = createClient(options)
  let token: Promise<string> | undefined
  const signIn = () => accounts.getToken({ user: { email, password } }).then((answer) => answer.token)
  return {
    token() {
      // Calls at the same time share one sign-in; one that failed is not kept.
      token ??= signIn().catch((error) => {
        token = undefined
        throw error
      })
      return token
    },
    async onDenied({ status }, refused) {
      if (status !== 401) return false
      if ((await token?.catch(() => undefined)) === refused) token = undefined
      return true
    },
  }
}
