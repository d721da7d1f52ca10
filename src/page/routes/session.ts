import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageSessions } from '../../accounts/page-sessions.ts'
import { SIGN_IN_REFUSALS, type SignInLimiters, spendSignIn } from '../../accounts/routes/sign-in-attempt.ts'
import { TokenRequest } from '../../accounts/schemas/accounts.ts'
import type { CheckPassword } from '../../accounts/sign-in.ts'
import type { GuestAccess } from '../../domain/guest-access.ts'
import type { NewSession, PageHolder } from '../../domain/page-session.ts'
import { type GuestLimiters, signInNeeded } from '../../http/limits/guests.ts'
import { spend } from '../../http/limits/rate-limits.ts'
import type { PageCallers } from '../../http/middleware/page-callers.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import { addressKey } from '../../lib/net/address-key.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { presentPageSession } from '../present.ts'
import { SessionResponse } from '../schemas.ts'

type Deps = {
  checkPassword: CheckPassword
  pageSessions: PageSessions
  pageCallers: PageCallers
  clock: Clock
  limiters: SignInLimiters
  guestLimiters: GuestLimiters
  settings: { guests: { access: GuestAccess } }
}

/** Sessions of the page; programs use tokens. */
export const sessionRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const { pageSessions, pageCallers, limiters, guestLimiters } = deps

  app.post('/api/session', SIGN_IN, async (request, reply) => {
    // Prevents another site from signing a visitor in to its own account.
    pageCallers.refuseOtherSites(request)
    const { email, password, totp } = request.body.user
    await spendSignIn(limiters, email, request.ip)
    const account = await deps.checkPassword(email, password, request.ip, totp ?? undefined)
    const before = await readSession(pageCallers, request)
    return startSession(deps, reply, await pageSessions.beginForAccount(account, before))
  })

  app.post('/api/session/guest', START_GUEST, async (request, reply) => {
    pageCallers.refuseOtherSites(request)
    const existing = await readSession(pageCallers, request)
    if (existing !== undefined) return { data: presentPageSession(existing) }
    if (deps.settings.guests.access === 'off') throw signInNeeded()
    await spend(guestLimiters.newGuestsPerAddress, addressKey(request.ip))
    return startSession(deps, reply, await pageSessions.beginForGuest())
  })
}

function startSession({ pageCallers, clock }: Deps, reply: FastifyReply, session: NewSession) {
  pageCallers.setCookie(reply, session, clock.now())
  return { data: presentPageSession(session) }
}

async function readSession(pageCallers: PageCallers, request: FastifyRequest): Promise<PageHolder | undefined> {
  const found = await pageCallers.identify(request)
  return found instanceof Error ? undefined : found
}

const SIGN_IN = operation('session.sign_in', {
  access: 'public',
  summary: 'Sign in to the page',
  description:
    'For the page only: sets an HttpOnly cookie that replaces a token. It is accepted only from the page’s own origin, and on calls that change something only with a JSON body or the header `x-serai-page`. A guest’s searches, offers and bookings move to the account. `POST /api/accounts/revoke_token` signs out.',
  body: TokenRequest,
  answers: { 200: jsonResponse('Signed in; `set-cookie` contains the session.', SessionResponse) },
  problems: ['unauthenticated', ...SIGN_IN_REFUSALS],
})

const START_GUEST = operation('session.start_guest', {
  access: 'public',
  summary: 'Start a guest session',
  description:
    'For the page only, if the operator allows guests (`SERAI_GUESTS`): a session without an account, with tight limits. An existing session is kept.',
  answers: { 200: jsonResponse('The session; `set-cookie` contains it if it is new.', SessionResponse) },
  problems: ['unauthenticated', 'sign_in_needed'],
})
