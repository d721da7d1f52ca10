import { useSyncExternalStore } from 'react'
import { SignInDeclined } from '../api/problem.ts'
import type { PageConfig, PageSession } from '../api/shapes.ts'

/**
 * Who is signed in. The session itself is a cookie that scripts cannot read, shared by all tabs of this browser; the page only
 * knows whose it is, and tells the other tabs when that changes.
 */
export type SessionState = {
  /** Of an account; undefined for guests and before anything is known. */
  readonly session: SignedIn | undefined
  /** Whether searching works as things are, signed in or as a guest. */
  readonly canSearch: boolean
  /** Why sign-in is asked for, if it is. */
  readonly asking: false | 'needed' | 'expired' | 'wanted'
}
export type SignedIn = PageSession & { readonly account: NonNullable<PageSession['account']> }

type Waiter = { resolve(): void; reject(error: Error): void }
type StartGuest = () => Promise<PageSession>

/** If it cannot be read, the page works as in production. */
const UNREADABLE: PageConfig = {
  mode: 'production',
  demo: null,
  map_style_url: null,
  mail: false,
  guests: 'off',
  session: null,
}

let held: PageSession | undefined
let guests: PageConfig['guests'] = 'off'
let asking: SessionState['asking'] = false
let state: SessionState = { session: undefined, canSearch: false, asking }
let waiters: Waiter[] = []
let starting: Promise<void> | undefined
let config: Promise<PageConfig> | undefined
const listeners = new Set<() => void>()
const endListeners = new Set<() => void>()
const otherTabs = new BroadcastChannel('serai.session')
otherTabs.onmessage = () => void followOtherTab()

export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state)

/** How the service is set up, and who is signed in: read once, when the page opens. */
export function pageConfig(): Promise<PageConfig> {
  config ??= readConfig().then((read) => {
    guests = read.guests
    held = read.session ?? undefined
    publish()
    return read
  })
  return config
}

/** Resolves as soon as there is a session to send requests with: where guests are allowed, at once. */
export async function requireSession(startGuest: StartGuest): Promise<PageSession> {
  await pageConfig()
  if (held === undefined && guests !== 'off' && asking === false) await becomeGuest(startGuest)
  if (held === undefined) await signedIn('needed')
  if (held === undefined) throw new SignInDeclined()
  return held
}

/** Opens the sign-in dialog and resolves once an account is signed in. */
export function signedIn(why: 'needed' | 'expired'): Promise<void> {
  asking = asking || why
  publish()
  return new Promise((resolve, reject) => waiters.push({ resolve, reject }))
}

/** Forgets a session that the service no longer accepts; keeps a newer one. A guest gets a new one unasked. */
export function dropSession(used: PageSession): void {
  if (held !== used) return
  held = undefined
  if (used.account !== null) asking = 'expired'
  publish()
}

export function acceptSession(session: PageSession): void {
  held = session
  if (session.account !== null) asking = false
  const waiting = asking === false ? takeWaiters() : []
  publish()
  for (const waiter of waiting) waiter.resolve()
  otherTabs.postMessage('changed')
}

export function askForSignIn(): void {
  asking = 'wanted'
  publish()
}

export function declineSignIn(): void {
  asking = false
  const waiting = takeWaiters()
  publish()
  for (const waiter of waiting) waiter.reject(new SignInDeclined())
}

/** Signed out on purpose. */
export function endSession(): void {
  held = undefined
  asking = false
  forgetTyped()
  for (const listener of endListeners) listener()
  publish()
  otherTabs.postMessage('changed')
}

/** Called when somebody signs out, not when a session expires. */
export function onSessionEnd(listener: () => void): void {
  endListeners.add(listener)
}

/** Names, addresses and searches that this tab keeps. Where a session only expires they stay: its owner goes on. */
function forgetTyped(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('serai.')) sessionStorage.removeItem(key)
}

function becomeGuest(startGuest: StartGuest): Promise<void> {
  starting ??= startGuest()
    .then(acceptSession)
    .finally(() => {
      starting = undefined
    })
  return starting
}

/** What this tab shows of an account that was signed out elsewhere must go; a reload is the sure way. */
async function followOtherTab(): Promise<void> {
  const before = held?.account?.id
  const { session } = await readConfig()
  held = session ?? undefined
  if (before !== undefined && held?.account?.id !== before) {
    forgetTyped()
    return location.reload()
  }
  if (held?.account) {
    asking = false
    for (const waiter of takeWaiters()) waiter.resolve()
  }
  publish()
}

async function readConfig(): Promise<PageConfig> {
  try {
    const response = await fetch('/page-config.json')
    return response.ok ? ((await response.json()) as PageConfig) : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

function takeWaiters(): Waiter[] {
  const waiting = waiters
  waiters = []
  return waiting
}

function publish(): void {
  const session = held?.account ? { ...held, account: held.account } : undefined
  state = { session, canSearch: session !== undefined || guests !== 'off', asking }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  void pageConfig()
  return () => listeners.delete(listener)
}
