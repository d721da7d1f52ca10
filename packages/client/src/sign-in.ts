import type { ClientOptions, TokenCall } from './client-options.ts'
import { createClient } from './create-client.ts'
import type { SeraiError } from './serai-error.ts'

export type Credentials = {
  readonly email: string
  readonly password: string
  /** Called at each sign-in of an account with one-time codes. Must return a new code each time. */
  readonly totp?: () => string | Promise<string>
}

type SignIn = {
  token(call: TokenCall): Promise<string>
  onDenied(error: SeraiError, token: string | undefined): boolean
}

/** Client options that sign in at the first call that needs a token, and again when the token has expired. */
export function signInWith(
  { email, password, totp }: Credentials,
  options: Omit<ClientOptions, 'token' | 'onDenied'>,
): SignIn {
  const { accounts } = createClient(options)
  let token: Promise<string> | undefined
  let current: string | undefined
  const signIn = async (retries: number) => {
    try {
      const user = { email, password, ...(totp !== undefined && { totp: await totp() }) }
      current = (await accounts.getToken({ user }, { retries })).token
      return current
    } catch (error) {
      token = undefined
      throw error
    }
  }
  return {
    token({ retries }) {
      // Concurrent calls share one sign-in; a failed one is not kept.
      token ??= signIn(retries)
      return token
    },
    onDenied({ status }, deniedToken) {
      if (status !== 401) return false
      // If several calls are denied together, the first one discards the token and all of them get the new one.
      if (deniedToken === current) token = current = undefined
      return true
    },
  }
}
