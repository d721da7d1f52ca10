import type { ClientOptions } from './call.ts'
import { createClient } from './create-client.ts'

export type Credentials = {
  readonly email: string
  readonly password: string
  /** Called at each sign-in of an account with one-time codes. Must return a new code each time. */
  readonly totp?: () => string | Promise<string>
}

/** Client options that sign in at the first call that needs a token, and again when the token has expired. */
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
      // Concurrent calls share one sign-in; a failed one is not kept.
      token ??= signIn()
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
