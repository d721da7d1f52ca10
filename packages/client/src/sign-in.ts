import type { ClientOptions } from './call.ts'
import { createClient } from './create-client.ts'

export type Credentials = { readonly email: string; readonly password: string }

/**
 * The options `token` and `onUnauthenticated` of a client that signs in by itself: when the first call needs a token, and
 * again when the token has expired.
 */
export function signInWith(
  { email, password }: Credentials,
  options: Omit<ClientOptions, 'token' | 'onUnauthenticated'>,
): Required<Pick<ClientOptions, 'token' | 'onUnauthenticated'>> {
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
    async onUnauthenticated(refused) {
      if ((await token?.catch(() => undefined)) === refused) token = undefined
      return true
    },
  }
}
