import { useSyncExternalStore } from 'react'
import { SignInDeclined } from '../api/problem.ts'
import type { PageConfig, PageSession } from '../api/shapes.ts'
import { createListeners, type Listener } from '../browser/listeners.ts'
import { forgetSearches } from '../search/recent-searches.ts'
import { readPageConfig } from './page-config.ts'
import { forgetSignOut, settleSignOut } from './sign-out.ts'

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
type SignedIn = PageSession & { readonly account: NonNullable<PageSession['account']> }

type Waiter = { resolve(): void; reject(error: Error): void }
type StartGuest = () => Promise<PageSession>

let held: PageSession | undefined
/** The account whose searches, bookings and typed texts this tab has; also after its session has expired. */
let owner: string | undefined
let guests: PageConfig['guests'] = 'off'
let asking: SessionState['asking'] = false
let state: SessionState = { session: undefined, canSearch: false, asking }
let waiters: Waiter[] = []
let startingGuest: Promise<void> | undefined
/** Incremented whenever a session begins or ends, here or in another tab, so that an answer requested before is ignored. */
let changes = 0
/** Ends when every session that was to begin has begun, or has failed to. */
let turns: Promise<void> = Promise.resolve()
let config: Promise<PageConfig> | undefined
const listeners = createListeners()
const sessionEnd = createListeners()
const otherTabs = new BroadcastChannel('serai.session')
otherTabs.onmessage = ({ data }) => void (data === 'ended' ? endHere() : followOtherTab())

export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state)

/** The service's settings and who is signed in: read when the page opens, and again on the next use if that failed. */
export function pageConfig(): Promise<PageConfig> {
  config ??= readConfig().catch((error) => {
    config = undefined
    throw error
  })
  return config
}

async function readConfig(): Promise<PageConfig> {
  const before = held
  await settleSignOut()
  const read = await readPageConfig()
  guests = read.guests
  // Somebody who has signed in meanwhile stays so.
  if (held === before) held = read.session ?? undefined
  publish()
  return read
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

/**
 * After a request was denied: forgets the session if the service does not know it any more. The request may have been sent before
 * the session began, so the service is asked. A guest gets a new session without being asked.
 */
export async function checkSession(): Promise<void> {
  const before = held
  if (before === undefined) return
  const { session } = await readPageConfig()
  if (held !== before || session !== null) return
  held = undefined
  if (before.account !== null) asking = 'expired'
  publish()
}

/** Signs in, after a guest session that is still starting: the guest's bookings then move to the account. */
export const beginSession = (signIn: () => Promise<PageSession>): Promise<void> =>
  inTurn(async () => acceptSession(await signIn()))

function acceptSession(session: PageSession): void {
  changes += 1
  forgetSignOut()
  if (isOfAnother(session)) {
    startOver()
    otherTabs.postMessage('changed')
    return
  }
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
  changes += 1
  held = undefined
  owner = undefined
  asking = false
  // To be read again, after the session has really been ended.
  config = undefined
  forgetTyped()
  sessionEnd.tell()
  publish()
  otherTabs.postMessage('ended')
}

/** Called when somebody signs out, not when a session expires. */
export function onSessionEnd(listener: () => void): void {
  sessionEnd.subscribe(listener)
}

/** Names, addresses and searches that this tab keeps. Where a session only expires they stay: its owner goes on. */
function forgetTyped(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('serai.')) sessionStorage.removeItem(key)
  forgetSearches()
}

const isOfAnother = (session: PageSession | null): boolean =>
  owner !== undefined && session?.account != null && session.account.id !== owner

/** What this tab shows and keeps of an account that is not signed in any more must go; a reload is the sure way. */
function startOver(): void {
  forgetTyped()
  location.reload()
}

function becomeGuest(startGuest: StartGuest): Promise<void> {
  const begin = async () => {
    if (held === undefined) acceptSession(await startGuest())
  }
  startingGuest ??= inTurn(begin).finally(() => {
    startingGuest = undefined
  })
  return startingGuest
}

/** One after the other: if two were asked for at once, whichever answer came last would decide who this browser is. */
function inTurn(begin: () => Promise<void>): Promise<void> {
  const turn = turns.then(begin)
  turns = turn.catch(() => undefined)
  return turn
}

/** Somebody has signed out in another tab. */
function endHere(): void {
  if (owner !== undefined) {
    startOver()
    return
  }
  held = undefined
  config = undefined
  publish()
}

/** Where it cannot be read who is signed in now, this tab goes on as it is; its next request shows whether it may. */
async function followOtherTab(): Promise<void> {
  changes += 1
  const reading = changes
  const before = held?.account?.id
  const read = await readPageConfig().catch(() => undefined)
  if (read === undefined || reading !== changes) return
  const isOther = before !== undefined && read.session?.account?.id !== before
  if (isOther || isOfAnother(read.session)) return startOver()
  held = read.session ?? undefined
  if (held?.account) {
    asking = false
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
  const session = held?.account ? { ...held, account: held.account } : undefined
  owner = session?.account.id ?? owner
  state = { session, canSearch: session !== undefined || guests !== 'off', asking }
  listeners.tell()
}

function subscribe(listener: Listener): () => void {
  // A failed read is repeated when its result is next needed.
  pageConfig().catch(() => undefined)
  return listeners.subscribe(listener)
}
