import type { ClientCapabilities } from '@modelcontextprotocol/server'
import type { Keyring } from '../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../lib/crypto/seal.ts'

const SEAL = 'mcps1'

/** A client of an earlier revision, as described at its `initialize`. */
export type Session = { readonly id: string; readonly canAsk: boolean }

/** Clients that only support forms send `{}`. */
export const canAskPerson = ({ elicitation }: ClientCapabilities = {}): boolean =>
  elicitation !== undefined && (!('url' in elicitation) || 'form' in elicitation)

/** The id of a session contains it, so that any process can read it, also after a restart. */
export const createSessions = (keyring: Keyring) => ({
  start: (principal: string, capabilities: ClientCapabilities | undefined): string =>
    sealJson(keyring, SEAL, { principal, canAsk: canAskPerson(capabilities) }),

  /** Undefined unless it was started by this key or account. */
  read(principal: string, id: string): Session | undefined {
    const content = openJson<{ principal: string; canAsk: boolean }>(keyring, SEAL, id)
    return content?.principal === principal ? { id, canAsk: content.canAsk } : undefined
  },
})
