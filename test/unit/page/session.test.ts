import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { PageSession } from '../../../web/src/api/shapes.ts'
import { createTabStorage } from '../../support/web/tab-storage.ts'

/** Browsers accept URLs without an origin. */
class PageRequest extends Request {
  constructor(input: string, init?: RequestInit) {
    super(new URL(input, 'http://page'), init)
  }
}

type Tab = { onmessage: ((event: { data: unknown }) => void) | undefined }

/** A tab of the page with a fake service, as far as sessions need them. */
async function openTab(account: string | null = null) {
  const service = { account, answersSignOut: true, guests: 0, answers: [] as Promise<Response>[] }
  const tabs: Tab[] = []
  const reload = vi.fn()
  vi.stubGlobal('sessionStorage', createTabStorage())
  vi.stubGlobal('localStorage', createTabStorage())
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      onmessage = undefined
      postMessage = vi.fn()
      constructor() {
        tabs.push(this)
      }
    },
  )
  vi.stubGlobal('Request', PageRequest)
  vi.stubGlobal('fetch', async (url: string | Request) => {
    if (typeof url !== 'string') return service.answers.shift() ?? Response.json({ data: [], meta: {} })
    if (url.startsWith('/page-config.json'))
      return Response.json({ guests: 'book', session: toSession(service.account) })
    if (!service.answersSignOut) return new Response('', { status: 503 })
    const status = service.account === null ? 401 : 204
    service.account = null
    return new Response(null, { status })
  })
  vi.resetModules()
  const session = await import('../../../web/src/session/session.ts')
  const { askToSignOut } = await import('../../../web/src/session/sign-out.ts')
  await session.loadPageConfig()
  const signOut = async () => {
    await askToSignOut()
    session.endSession()
  }
  /** Like `POST /api/session/guest`, keeps an existing session. */
  const startGuest = async () => {
    service.guests += 1
    return toSession(service.account) ?? GUEST
  }
  const hear = (data: unknown) => tabs[0]?.onmessage?.({ data })
  const type = () => sessionStorage.setItem('serai.guest', 'Ana Costa')
  /** Ends the session at the service and denies a request. */
  const expire = async () => {
    service.account = null
    await session.checkSession()
  }
  return { ...session, service, signOut, expire, startGuest, hear, type, reload }
}

const accountSession = (id: string): PageSession => ({
  account: { id, email: `${id}@example.com`, name: id, role: 'client' },
  expires_at: '2027-01-01T00:00:00.000Z',
})
const toSession = (id: string | null) => (id === null ? null : accountSession(id))
const GUEST: PageSession = { account: null, expires_at: '2027-01-01T00:00:00.000Z' }
/** Waits longer than a response takes. */
const responseTime = () => new Promise((resolve) => setTimeout(resolve, 20))
const typed = () => sessionStorage.getItem('serai.guest')

beforeEach(() => {
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
})

test('a failed sign-out is repeated before a new session starts', async () => {
  const { service, signOut, requireSession, startGuest } = await openTab('acc_ana')
  service.answersSignOut = false
  await signOut()
  await expect(requireSession(startGuest)).rejects.toMatchObject({ code: 'unreachable' })
  expect(service).toMatchObject({ account: 'acc_ana', guests: 0 })
  service.answersSignOut = true
  expect(await requireSession(startGuest)).toEqual(GUEST)
  expect(service).toMatchObject({ account: null, guests: 1 })
})

test('signing out of an ended session is not repeated', async () => {
  const { service, signOut, requireSession, startGuest } = await openTab('acc_ana')
  service.account = null
  await signOut()
  service.answersSignOut = false
  expect(await requireSession(startGuest)).toEqual(GUEST)
})

test('a sign-in after a failed sign-out is kept', async () => {
  const { service, signOut, beginSession, requireSession, startGuest } = await openTab('acc_ana')
  service.answersSignOut = false
  await signOut()
  service.account = 'acc_ben'
  await beginSession(async () => accountSession('acc_ben'))
  service.answersSignOut = true
  expect(await requireSession(startGuest)).toMatchObject({ account: { id: 'acc_ben' } })
  expect(service.account).toBe('acc_ben')
})

test.each(['in this tab', 'in another'])(
  'another account that signs in %s after a session has expired sees none of its data',
  async (where) => {
    const { service, expire, requireSession, startGuest, beginSession, hear, type, reload } = await openTab('acc_ana')
    type()
    await expire()
    const waiting = vi.fn()
    void requireSession(startGuest).then(waiting, waiting)
    service.account = 'acc_ben'
    if (where === 'in this tab') await beginSession(async () => accountSession('acc_ben'))
    else hear('changed')
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(typed()).toBeNull()
    expect(waiting, 'Ana’s request is not sent as Ben').not.toHaveBeenCalled()
  },
)

test.each(['in this tab', 'in another'])(
  'the owner of an expired session who signs in again %s continues',
  async (where) => {
    const { service, expire, requireSession, startGuest, beginSession, hear, type, reload } = await openTab('acc_ana')
    type()
    await expire()
    const again = requireSession(startGuest)
    service.account = 'acc_ana'
    if (where === 'in this tab') await beginSession(async () => accountSession('acc_ana'))
    else hear('changed')
    expect(await again).toMatchObject({ account: { id: 'acc_ana' } })
    expect(reload).not.toHaveBeenCalled()
    expect(typed()).toBe('Ana Costa')
  },
)

test('a guest who signs in keeps entered data until a sign-out in another tab', async () => {
  const { beginSession, requireSession, startGuest, hear, type, reload } = await openTab()
  await requireSession(startGuest)
  type()
  await beginSession(async () => accountSession('acc_ana'))
  expect(typed()).toBe('Ana Costa')
  hear('ended')
  expect(typed()).toBeNull()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a sign-in during the start of a guest session wins, even if the guest session arrives later', async () => {
  const { beginSession, requireSession, startGuest } = await openTab()
  const late = Promise.withResolvers<PageSession>()
  const asked = requireSession(() => late.promise)
  await responseTime()
  const signedIn = beginSession(async () => accountSession('acc_ana'))
  await responseTime()
  late.resolve(GUEST)
  await Promise.all([asked, signedIn])
  expect(await requireSession(startGuest)).toMatchObject({ account: { id: 'acc_ana' } })
})

test('requests during a sign-in wait for it instead of starting a guest session', async () => {
  const { beginSession, requireSession, startGuest, service } = await openTab()
  const signedIn = beginSession(async () => {
    await responseTime()
    return accountSession('acc_ana')
  })
  expect(await requireSession(startGuest)).toMatchObject({ account: { id: 'acc_ana' } })
  await signedIn
  expect(service.guests).toBe(0)
})

test('a guest continues as a guest after a wrong password', async () => {
  const { beginSession, requireSession, startGuest } = await openTab()
  const refused = beginSession(async () => {
    await responseTime()
    throw new Error('wrong password')
  })
  const asked = requireSession(startGuest)
  await expect(refused).rejects.toThrow('wrong password')
  expect(await asked).toEqual(GUEST)
})

test('a sign-in is kept while the page reads a change of another tab', async () => {
  const { beginSession, requireSession, startGuest, hear } = await openTab()
  hear('changed')
  await beginSession(async () => accountSession('acc_ana'))
  await responseTime()
  expect(await requireSession(startGuest)).toMatchObject({ account: { id: 'acc_ana' } })
})

test('a late denial of an earlier session does not end the current session', async () => {
  const { service, expire, beginSession } = await openTab('acc_ana')
  const { findPlaces } = await import('../../../web/src/api/operations.ts')
  const late = Promise.withResolvers<Response>()
  service.answers.push(late.promise)
  const slow = findPlaces('lisbon')
  await vi.waitFor(() => expect(service.answers, 'it was sent').toEqual([]))
  await expire()
  service.account = 'acc_ana'
  await beginSession(async () => accountSession('acc_ana'))
  await findPlaces('porto')
  late.resolve(Response.json({ code: 'unauthenticated' }, { status: 401 }))
  expect(await slow).toEqual([])
})

test('a sign-in is kept while the page checks whether the session has ended', async () => {
  const { service, beginSession, checkSession, requireSession, startGuest } = await openTab('acc_ana')
  service.account = null
  const checked = checkSession()
  await beginSession(async () => accountSession('acc_ana'))
  await checked
  expect(await requireSession(startGuest)).toMatchObject({ account: { id: 'acc_ana' } })
})
