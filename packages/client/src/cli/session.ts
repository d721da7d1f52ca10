import { type Client, createClient } from '../create-client.ts'
import type { Simulation } from '../methods.ts'
import { CommandError, EXIT } from './exit-codes.ts'
import { CREDENTIALS_FILE, readPrivate } from './files.ts'

export type Credentials = { readonly url: string; readonly token: string; readonly account?: string }

export const DEFAULT_URL = 'http://127.0.0.1:4000'

/** From the environment, or as stored by `serai-api login`. */
export function readCredentials(): Partial<Credentials> {
  const stored = readPrivate<Credentials>(CREDENTIALS_FILE)
  const { SERAI_API_KEY: key, SERAI_URL: url } = process.env
  if (url && !URL.canParse(url))
    throw new CommandError('SERAI_URL must be a URL such as https://api.example.com.', EXIT.usage)
  // The stored credentials are never sent to another service.
  if (key) return { url: url || stored?.url || DEFAULT_URL, token: key }
  if (url && stored && new URL(url).origin !== new URL(stored.url).origin) return { url }
  return { ...stored, ...(url ? { url } : {}) }
}

export function openClient(simulate?: Simulation): Client {
  const { url, token } = readCredentials()
  if (url === undefined || token === undefined)
    throw new CommandError(
      'You are not signed in. Run serai-api login --url URL, or set SERAI_API_KEY and SERAI_URL.',
      EXIT.notAllowed,
    )
  return createClient({ baseUrl: url, token, ...(simulate && { simulate }), headers: { 'user-agent': 'serai-api' } })
}
