import { useSyncExternalStore } from 'react'
import { SignInDeclined } from '../api/problem.ts'
import type { PageConfig, PageSession } from '../api/shapes.ts'
import { createListeners, type Listener } from '../browser/listeners.ts'
import { forgetSearches } from '../search/recent-searches.ts'
import { readPageConfig } from './page-config.ts'
import { forgetSignOut, settleSignOut } from './sign-out.ts'

/** The session is an HttpOnly cookie shared by all tabs; the page knows only its owner, and notifies other tabs of changes. */
export type SessionState = {
  /** Session of an account; undefined for guests and before it is known. */
  readonly session: SignedIn | undefined
  /** True if the visitor can search, signed in or as a guest. */
  readonly canSearch: boolean
  /** False for guests of a service without card payments: its seller settles their bookings outside of the page. */
  readonly isCharged: boolean
  /** Reason for showing the sign-in dialog. */
  readonly asking: false | 'needed' | 'expired' | 'wanted'
}
type SignedIn = PageSession & { readonly account: NonNullable<PageSession['account']> }

type Waiter = { resolve(): void; reject(error: Error): void }
type StartGuest = () => Promise<PageSession>

let currentSession: PageSession | undefined
/** Account whose data this tab holds, even after its session has expired. */
let owner: string | undefined
let guests: PageConfig['guests'] = 'off'
let takesCards = false
let askingFor: SessionState['asking'] = false
let state: SessionState = { session: undefined, canSearch: false, isCharged: true, asking: askingFor }
let waiters: Waiter[] = []
let startingGuest: Promise<void> | undefined
/** Incremented when a session starts or ends in any tab, so that earlier responses are ignored. */
let changes = 0
/** Resolves when all pending session starts have finished. */
let lastTurn: Promise<void> = Promise.resolve()
let config: Promise<PageConfig> | undefined
const listeners = createListeners()
const sessionEnd = createListeners()
const otherTabs = new BroadcastChannel('serai.session')
otherTabs.onmessage = ({ data }) => void (data === 'ended' ? followSignOut() : followOtherTab())

export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state)

/** Loads the settings and the session on page load; a failed load is repeated on the next use. */
export function loadPageConfig(): Promise<PageConfig> {
  config ??= readConfig().catch((error) => {
    config = undefined
    throw error
  })
  return config
}

async function readConfig(): Promise<PageConfig> {
  const before = currentSession
  const hasChanged = await settleSignOut()
  const read = await readPageConfig(hasChanged)
  guests = read.guests
  takesCards = read.payments != null
  // Keeps a session that has started in the meantime.
  if (currentSession === before) currentSession = read.session ?? undefined
  publish()
  return read
}

/** Resolves once there is a session; starts a guest session if guests are allowed. */
export async function requireSession(startGuest: StartGuest): Promise<PageSession> {
  await loadPageConfig()
  if (currentSession === undefined && guests !== 'off' && askingFor === false) await becomeGuest(startGuest)
  if (currentSession === undefined) await waitForSignIn('needed')
  if (currentSession === undefined) throw new SignInDeclined()
  return currentSession
}

/** Resolves once an account is signed in: a guest's session is not enough. */
export async function requireAccount(): Promise<void> {
  await loadPageConfig()
  if (currentSession?.account == null) await waitForSignIn('needed')
}

/** Opens the sign-in dialog; resolves once an account is signed in. */
export function waitForSignIn(why: 'needed' | 'expired'): Promise<void> {
  askingFor = askingFor || why
  publish()
  return new Promise((resolve, reject) => waiters.push({ resolve, reject }))
}

/** Checks the session after a denied request, which may be older than the session. A guest gets a new one. */
export async function checkSession(): Promise<void> {
  const before = currentSession
  if (before === undefined) return
  const { session } = await readPageConfig(true)
  if (currentSession !== before || session !== null) return
  currentSession = undefined
  if (before.account !== null) askingFor = 'expired'
  publish()
}

/** Waits for a guest session that is still starting, so that its bookings move to the account. */
export const beginSession = (signIn: () => Promise<PageSession>): Promise<void> =>
  runInTurn(async () => acceptSession(await signIn()))

function acceptSession(session: PageSession): void {
  changes += 1
  forgetSignOut()
  if (belongsToAnother(session)) {
    clearAndReload()
    otherTabs.postMessage('changed')
    return
  }
  currentSession = session
  if (session.account !== null) askingFor = false
  const waiting = askingFor === false ? takeWaiters() : []
  publish()
  for (const waiter of waiting) waiter.resolve()
  otherTabs.postMessage('changed')
}

export function askForSignIn(): void {
  askingFor = 'wanted'
  publish()
}

export function declineSignIn(): void {
  askingFor = false
  const waiting = takeWaiters()
  publish()
  for (const waiter of waiting) waiter.reject(new SignInDeclined())
}

/** Called when the user signs out. */
export function endSession(): void {
  changes += 1
  currentSession = undefined
  owner = undefined
  askingFor = false
  // Reloaded after the session has ended.
  config = undefined
  clearStoredData()
  sessionEnd.notify()
  publish()
  otherTabs.postMessage('ended')
}

/** Runs the listener on sign-out, not when a session expires. */
export function onSessionEnd(listener: () => void): void {
  sessionEnd.subscribe(listener)
}

/** Removes stored names, addresses and searches. Kept if a session only expires, because its owner may continue. */
function clearStoredData(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('serai.')) sessionStorage.removeItem(key)
  forgetSearches()
}

const belongsToAnother = (session: PageSession | null): boolean =>
  owner !== undefined && session?.account != null && session.account.id !== owner

/** A reload reliably removes the data of the previous account. */
function clearAndReload(): void {
  clearStoredData()
  location.reload()
}

function becomeGuest(startGuest: StartGuest): Promise<void> {
  const begin = async () => {
    if (currentSession === undefined) acceptSession(await startGuest())
  }
  startingGuest ??= runInTurn(begin).finally(() => {
    startingGuest = undefined
  })
  return startingGuest
}

/** Runs session starts one at a time; otherwise the last response would decide the session. */
function runInTurn(begin: () => Promise<void>): Promise<void> {
  const turn = lastTurn.then(begin)
  lastTurn = turn.catch(() => undefined)
  return turn
}

/** The user has signed out in another tab. */
function followSignOut(): void {
  if (owner !== undefined) {
    clearAndReload()
    return
  }
  currentSession = undefined
  config = undefined
  publish()
}

/** If the session cannot be read, this tab continues; its next request is denied if necessary. */
async function followOtherTab(): Promise<void> {
  changes += 1
  const reading = changes
  const before = currentSession?.account?.id
  const read = await readPageConfig(true).catch(() => undefined)
  if (read === undefined || reading !== changes) return
  const isOther = before !== undefined && read.session?.account?.id !== before
  if (isOther || belongsToAnother(read.session)) return clearAndReload()
  currentSession = read.session ?? undefined
  if (currentSession?.account) {
    askingFor = false
    for (const waiter of takeWaiters()) waiter.resolve()
  }
  publish()
}

function takeWaiters(): Waiter[] {
  const waiting = waiters
  waiters = []
  return waiting
}

function publish(): void {
  const session = currentSession?.account ? { ...currentSession, account: currentSession.account } : undefined
  owner = session?.account.id ?? owner
  const isSignedIn = session !== undefined
  const isCharged = isSignedIn || takesCards || guests !== 'book'
  state = { session, canSearch: isSignedIn || guests !== 'off', isCharged, asking: askingFor }
  listeners.notify()
}

function subscribe(listener: Listener): () => void {
  // A failed load is repeated on the next use.
  loadPageConfig().catch(() => undefined)
  return listeners.subscribe(listener)
}
