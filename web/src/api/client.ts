import { createClient, SeraiError } from '../../../packages/client/src/index.ts'
import { dropToken, requireToken } from '../state/session.ts'
import { problemOf } from './problem.ts'

/** Without a token, or when it has expired, asks for sign-in and then sends. The page repeats calls where a visitor asks for it. */
export const serai = createClient({
  baseUrl: '',
  retries: 0,
  token: requireToken,
  onDenied({ status }, token) {
    if (status !== 401) return false
    if (token !== undefined) dropToken(token)
    return true
  },
})

/** The result of a call; its failure as the page shows it. */
export async function resultOf<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw error instanceof SeraiError ? problemOf(error) : error
  }
}
