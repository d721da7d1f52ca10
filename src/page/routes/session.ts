import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageSessions } from '../../accounts/page-sessions.ts'
import { SIGN_IN_REFUSALS, type SignInLimiters, spendSignIn } from '../../accounts/routes/sign-in-attempt.ts'
import { TokenRequest } from '../../accounts/schemas/accounts.ts'
import type { CheckPassword } from '../../accounts/sign-in.ts'
import type { GuestAccess } from '../../domain/guest-access.ts'
import type { BegunSession, PageHolder } from '../../domain/page-session.ts'
import { type GuestLimiters, signInNeeded } from '../../http/limits/guests.ts'
import { spend } from '../../http/limits/rate-limits.ts'
import type { PageCallers } from '../../http/middleware/page-callers.ts'
import { operation } from '../../http/operation.ts'
import { answer } from '../../http/schemas/answer.ts'
import { addressKey } from '../../lib/net/address-key.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { presentSession } from '../present.ts'
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

/** The page's own way to a session; programs get a token instead. */
export const sessionRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const { pageSessions, pageCallers, limiters, guestLimiters } = deps

  app.post('/api/session', SIGN_IN, async (request, reply) => {
    // Otherwise another site could sign a visitor in to an account of its own.
    pageCallers.refuseOtherSites(request)
    const { email, password, totp } = request.body.user
    await spendSignIn(limiters, email, request.ip)
    const account = await deps.checkPassword(email, password, request.ip, totp ?? undefined)
    const before = await sessionOf(pageCallers, request)
    return begun(deps, reply, await pageSessions.beginForAccount(account, before))
  })

  app.post('/api/session/guest', START_GUEST, async (request, reply) => {
    pageCallers.refuseOtherSites(request)
    const present = await sessionOf(pageCallers, request)
    if (present !== undefined) return { data: presentSession(present) }
    if (deps.settings.guests.access === 'off') throw signInNeeded()
    await spend(guestLimiters.newGuestsPerAddress, addressKey(request.ip))
    return begun(deps, reply, await pageSessions.beginForGuest())
  })
}

function begun({ pageCallers, clock }: Deps, reply: FastifyReply, session: BegunSession) {
  pageCallers.keep(reply, session, clock.now())
  return { data: presentSession(session) }
}

async function sessionOf(pageCallers: PageCallers, request: FastifyRequest): Promise<PageHolder | undefined> {
  const found = await pageCallers.of(request)
  return found instanceof Error ? undefined : found
}

const SIGN_IN = operation('session.sign_in', {
  access: 'public',
  summary: 'Sign in to the page',
  description:
    'For the page alone: sets an HttpOnly cookie that stands for a token. It is accepted only from the page’s own origin, on calls that change something with a JSON body or the header `x-serai-page`. A guest’s searches, offers and bookings become the account’s. `POST /api/accounts/revoke_token` signs out.',
  body: TokenRequest,
  answers: { 200: answer('Signed in; `set-cookie` holds the session.', SessionResponse) },
  problems: ['unauthenticated', ...SIGN_IN_REFUSALS],
})

const START_GUEST = operation('session.start_guest', {
  access: 'public',
  summary: 'Begin a guest’s session of the page',
  description:
    'For the page alone, where the operator allows guests (`SERAI_GUESTS`): a session without an account, with tight limits. A session that exists already is kept.',
  answers: { 200: answer('The session; `set-cookie` holds it where it is new.', SessionResponse) },
  problems: ['unauthenticated', 'sign_in_needed'],
})
