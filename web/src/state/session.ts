import { useSyncExternalStore } from 'react'
import { SignInDeclined } from '../api/problem.ts'
import type { SignedIn } from '../api/shapes.ts'

/**
 * The token is kept in memory and in session storage: it survives a reload and ends with the tab. Any script of this
 * origin could read it, so the content security policy allows only our own scripts, and signing out revokes it.
 */
const KEY = 'serai.session'

type Waiter = { resolve(token: string): void; reject(error: Error): void }
export type SessionState = {
  readonly session: SignedIn | undefined
  /** Why sign-in is asked for, if it is. */
  readonly asking: false | 'needed' | 'expired' | 'wanted'
}

let state: SessionState = { session: readStored(), asking: false }
let waiters: Waiter[] = []
const listeners = new Set<() => void>()

export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state)

/** The token; without one, opens the sign-in dialog and waits for it. */
export async function requireToken(): Promise<string> {
  const { session } = state
  if (session !== undefined && isFresh(session)) return session.token
  set({ session: undefined, asking: session === undefined ? state.asking || 'needed' : 'expired' })
  return new Promise((resolve, reject) => waiters.push({ resolve, reject }))
}

/** Removes a token the service no longer accepts; keeps a newer one. */
export function dropToken(token: string): void {
  if (state.session?.token !== token) return
  sessionStorage.removeItem(KEY)
  set({ session: undefined, asking: 'expired' })
}

export function acceptSession(session: SignedIn): void {
  sessionStorage.setItem(KEY, JSON.stringify(session))
  const waiting = takeWaiters()
  set({ session, asking: false })
  for (const waiter of waiting) waiter.resolve(session.token)
}

export function askForSignIn(): void {
  set({ ...state, asking: 'wanted' })
}

export function declineSignIn(): void {
  const waiting = takeWaiters()
  set({ ...state, asking: false })
  for (const waiter of waiting) waiter.reject(new SignInDeclined())
}

export function endSession(): void {
  sessionStorage.removeItem(KEY)
  set({ session: undefined, asking: false })
}

function takeWaiters(): Waiter[] {
  const waiting = waiters
  waiters = []
  return waiting
}

function set(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function isFresh(session: SignedIn): boolean {
  return Date.parse(session.expires_at) > Date.now()
}

function readStored(): SignedIn | undefined {
  try {
    const stored = sessionStorage.getItem(KEY)
    const session = stored === null ? undefined : (JSON.parse(stored) as SignedIn)
    return session !== undefined && typeof session.token === 'string' && isFresh(session) ? session : undefined
  } catch {
    return undefined
  }
}
