import type { Callers } from '../http/middleware/authentication.ts'
import type { SeesNet } from '../selling/can-see-net-price.ts'

/** Operating-system user who calls operations in-process. The token is valid in this process only. */
export type CommandLine = { readonly operator: string; readonly token: string }

type Parts = { readonly callers: Callers; readonly seesNet: SeesNet }

/** Accepts the command line as an operator who sees net prices: the user can read the database anyway. */
export function admitCommandLine({ callers, seesNet }: Parts, commandLine: CommandLine | undefined): Parts {
  if (commandLine === undefined) return { callers, seesNet }
  const { operator, token: ownToken } = commandLine
  const caller = { accountId: operator, email: '', name: operator, tokenHash: '', isCommandLine: true } as const
  return {
    callers: {
      holder: async (token) => (token === ownToken ? { ...caller, role: 'operator' } : callers.holder(token)),
    },
    seesNet: async (accountId) => accountId === operator || seesNet(accountId),
  }
}
