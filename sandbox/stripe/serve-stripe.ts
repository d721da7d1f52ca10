import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Clock } from '../../src/lib/time/clock.ts'
import { answerUnderFaults, type StandInAnswer } from '../server/answer-under-faults.ts'
import { isControl, refuseRemote } from '../server/control.ts'
import { createFaultPlan, findFault } from '../server/fault-plan.ts'
import type { Fault } from '../server/faults.ts'
import { closeServer, listenOnLoopback } from '../server/listen.ts'
import type { PartialSettings } from '../server/settings.ts'
import { type ApiRequest, handleApi, readKey, SANDBOX_KEYS } from './api.ts'
import { applyDueChanges } from './changes.ts'
import { answerStripeControl, createCommands } from './commands.ts'
import { createEvents } from './events.ts'
import { createIdempotencyKeys } from './idempotency.ts'
import { API_VERSION } from './objects.ts'
import { answerPage, isPage } from './pages/answer-page.ts'
import { type Parts, STRIPE_DEFAULTS, type StripeSandboxSettings } from './parts.ts'
import { apiError, keyInUse, type StripeReply, throttledReply } from './refusal.ts'
import { findApiRoute } from './route.ts'
import { createStripeState } from './state.ts'
import { createStripeControl } from './stripe-control.ts'

type Options = {
  readonly clock: Clock
  /** File of its payments; without it they are lost with the process. */
  readonly path?: string | undefined
  readonly seed?: number
  readonly settings?: PartialSettings
}

const BODY_MAX_BYTES = 1024 * 1024
/** Holds lapse and refunds finish even if no request comes. */
const TICK_MS = 250
/** Signing secret of the webhooks that the stand-in sends. */
export const SANDBOX_WEBHOOK_SECRET = 'whsec_serai_sandbox'

/** HTTP server of the stand-in: the API, the card form for browsers, and the control paths. */
export function serveStripe({ clock, path, seed = 1, settings: given = {} }: Options) {
  const settings: StripeSandboxSettings = { ...STRIPE_DEFAULTS, ...given }
  const state = createStripeState({ path })
  const createId = (prefix: string) => `${prefix}_3Serai${randomBytes(9).toString('hex')}`
  const events = createEvents({ clock, settings, seed, createId })
  const keys = createIdempotencyKeys(clock, () => settings.keyHours)
  const faults = createFaultPlan(seed)
  let origin = ''
  const parts: Parts = { state, events, clock, settings, createId, origin: () => origin }
  const commands = createCommands({ parts, faults, keys })

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = incoming
    const url = new URL(incoming.url ?? '/', origin)
    const text = await readText(incoming)
    const request: ApiRequest = { method, url, headers, text }
    if (isControl(url)) {
      return send(response, refuseRemote(incoming) ?? (await answerStripeControl(commands, request)))
    }
    if (isPage(url)) return send(response, answerPage(parts, request))
    return answerApi(request, response)
  }

  async function answerApi(request: ApiRequest, response: ServerResponse): Promise<void> {
    const due = faults.next(findApiRoute(request.method, request.url.pathname)?.operation ?? 'unknown')
    const key = readKey(request)
    if (key !== undefined && keys.isRunning(key)) return send(response, toAnswer(keyInUse(key)))
    if (key !== undefined) keys.start(key)
    const end = () => void (key !== undefined && keys.end(key))
    const late = findFault(due, 'late_effect')
    if (late !== undefined) return workLate(request, response, due, late.ms ?? 0, end)
    const work = async () => {
      const reply = handleApi(parts, keys, request, due)
      if (settings.webhookBeforeAnswer > 0) await events.settled()
      return toAnswer(reply)
    }
    const failures = { unavailable: toAnswer(apiError()), throttled: toAnswer(throttledReply()) }
    try {
      await answerUnderFaults({ response, faults: due, gzip: false, ...failures, work })
    } finally {
      end()
    }
  }

  /** The request is still on its way when the client has given up. */
  function workLate(request: ApiRequest, response: ServerResponse, due: readonly Fault[], ms: number, end: () => void) {
    setTimeout(() => {
      handleApi(parts, keys, request, due)
      end()
    }, ms).unref()
    response.socket?.resetAndDestroy()
  }

  const toAnswer = ({ status, headers, body }: StripeReply): StandInAnswer => ({
    status,
    headers: { 'request-id': createId('req'), 'stripe-version': API_VERSION, ...headers },
    body: JSON.stringify(body),
  })

  const server = createServer((incoming, response) => {
    response.setHeader('date', new Date(clock.now()).toUTCString())
    answer(incoming, response).catch((error: unknown) => {
      // A bug of the sandbox must not look like an error of the provider.
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ stand_in_failed: String(error) }))
    })
  })
  const ticking = setInterval(() => applyDueChanges(parts), TICK_MS).unref()

  return {
    async listen() {
      origin = (await listenOnLoopback(server)).origin
      return { origin }
    },
    async close() {
      clearInterval(ticking)
      await closeServer(server)
    },
    control: createStripeControl((method, path, body) => commands.run(method, path, body)),
  }
}

/** Environment variables that connect the service to a stand-in at `origin`. */
export const stripeEnvironment = (origin: string): Readonly<Record<string, string>> => ({
  SERAI_PAYMENTS: 'stripe',
  SERAI_STRIPE_SECRET_KEY: SANDBOX_KEYS.secret,
  SERAI_STRIPE_PUBLISHABLE_KEY: SANDBOX_KEYS.publishable,
  SERAI_STRIPE_WEBHOOK_SECRETS: SANDBOX_WEBHOOK_SECRET,
  SERAI_STRIPE_ORIGIN: origin,
})

function send(response: ServerResponse, { status, headers, body }: StandInAnswer): void {
  response.writeHead(status, { ...(body !== '' && { 'content-type': 'application/json' }), ...headers })
  response.end(body)
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += chunk.length
    if (size <= BODY_MAX_BYTES) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
