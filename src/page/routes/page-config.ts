import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { PageSessions } from '../../accounts/page-sessions.ts'
import type { GuestAccess } from '../../domain/guest-access.ts'
import type { ExchangeRates } from '../../domain/money/exchange.ts'
import type { PageHolder } from '../../domain/page-session.ts'
import type { GuestLimiters } from '../../http/limits/guests.ts'
import { isLoopbackHost } from '../../http/metrics.ts'
import type { PageCallers } from '../../http/middleware/page-callers.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Day } from '../../http/schemas/scalars.ts'
import { addressKey } from '../../lib/net/address-key.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { CardForm } from '../../payments/card-form.ts'
import { presentPageSession } from '../present.ts'
import { PageSession } from '../schemas.ts'

export type PageSettings = {
  readonly mode: string
  /** Pre-filled in development, null otherwise. */
  readonly demo: { readonly email: string; readonly password: string } | null
  readonly mapStyleUrl: string | null
  /** False if the service sends no e-mail. The page then hides all texts about it. */
  readonly mail: boolean
  /** True if all vendors are sandboxes: no booking reaches a real property. */
  readonly isSandbox: boolean
  readonly guests: GuestAccess
  /** Converts a list to another currency without another search. */
  readonly exchangeRates: () => ExchangeRates
  /** Undefined if the service takes no cards. */
  readonly cardForm?: CardForm | undefined
}

export type PageConfigDeps = {
  readonly settings: PageSettings
  readonly pageCallers: Pick<PageCallers, 'identify' | 'renew' | 'setCookie'>
  readonly pageSessions: Pick<PageSessions, 'beginForGuest'>
  readonly guestLimiters: Pick<GuestLimiters, 'newGuestsPerAddress'>
  readonly clock: Clock
}

const CardFormSource = Type.Object(
  {
    provider: Type.String(),
    publishable_key: Type.String(),
    script: Type.Optional(Type.String()),
    form: Type.Optional(Type.String()),
  },
  { description: 'Card form of the payment provider: its script, or in development the form of its stand-in.' },
)

const PageConfig = Type.Object(
  {
    mode: Type.String(),
    demo: nullable(Type.Object({ email: Type.String(), password: Type.String() })),
    map_style_url: nullable(Type.String()),
    mail: Type.Boolean(),
    sandbox: Type.Boolean({ description: 'True if all vendors are sandboxes: no booking reaches a real property.' }),
    guests: Type.Enum(['off', 'search', 'book']),
    exchange_rates: Type.Object({ date: Day, rates: Type.Record(Type.String(), Type.Number()) }),
    session: nullable(PageSession),
    payments: Type.Optional(CardFormSource),
  },
  {
    description: 'Settings of the service and the current session, read by the page when it opens.',
    examples: [
      {
        mode: 'production',
        demo: null,
        map_style_url: null,
        mail: false,
        sandbox: false,
        guests: 'off',
        exchange_rates: { date: '2027-01-15', rates: { EUR: 1, USD: 1.08 } },
        session: null,
      },
    ],
  },
)

const PAGE_CONFIG = {
  config: { operation: 'page.config', access: 'public' as const, internal: true },
  schema: { hide: true, response: { 200: PageConfig } },
}

export const pageConfigRoutes: FastifyPluginAsync<PageConfigDeps> = async (app, deps) => {
  const { settings } = deps
  app.get('/page-config.json', PAGE_CONFIG, async (request, reply) => {
    const session = await readOrStartSession(deps, request, reply)
    reply.header('cache-control', 'no-store')
    return {
      mode: settings.mode,
      demo: isLoopbackHost(request) ? settings.demo : null,
      map_style_url: settings.mapStyleUrl,
      mail: settings.mail,
      sandbox: settings.isSandbox,
      guests: settings.guests,
      exchange_rates: settings.exchangeRates(),
      session: session === undefined ? null : presentPageSession(session),
      ...(settings.cardForm && { payments: presentCardForm(settings.cardForm) }),
    }
  })
}

async function readOrStartSession(
  deps: PageConfigDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PageHolder | undefined> {
  const found = await deps.pageCallers.identify(request)
  if (found instanceof Error) return undefined
  if (found === undefined) return startGuest(deps, request, reply)
  await deps.pageCallers.renew(request, reply, found, deps.clock.now())
  return found
}

/**
 * `?guest` starts a session, which saves pages that search at once a request. Only our own page may do so: browsers
 * withhold `SameSite=Strict` cookies from other sites, so the new session would replace that of an account. Over the
 * limit, the page calls `POST /api/session/guest` and shows its error.
 */
async function startGuest(
  { settings, pageCallers, pageSessions, guestLimiters, clock }: PageConfigDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PageHolder | undefined> {
  const isWanted = Object.hasOwn(Object(request.query), 'guest') && settings.guests !== 'off'
  if (!isWanted || request.headers['sec-fetch-site'] !== 'same-origin') return undefined
  const { isExceeded } = await guestLimiters.newGuestsPerAddress.spend(addressKey(request.ip), 1)
  if (isExceeded) return undefined
  const session = await pageSessions.beginForGuest()
  pageCallers.setCookie(reply, session, clock.now())
  return session
}

const presentCardForm = ({ provider, publishableKey, source }: CardForm) => ({
  provider,
  publishable_key: publishableKey,
  ...source,
})
