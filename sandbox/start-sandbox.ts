import { join } from 'node:path'
import { type Clock, systemClock } from '../src/lib/time/clock.ts'
import { createAllotment } from './server/allotment.ts'
import { localControl, type VendorControl } from './server/control.ts'
import { createFaultPlan } from './server/fault-plan.ts'
import { createLedger } from './server/ledger.ts'
import { serveStandIn } from './server/serve-stand-in.ts'
import type { PartialSettings } from './server/settings.ts'
import { byStandIn, STAND_INS, type StandInId } from './stand-ins.ts'
import { SANDBOX_WEBHOOK_SECRET, serveStripe, stripeEnvironment } from './stripe/serve-stripe.ts'
import type { StripeControl } from './stripe/stripe-control.ts'
import type { Place } from './world/contract.ts'
import { createLazyWorld } from './world/lazy-world.ts'
import { createWorld } from './world/world.ts'

/** Stand-ins of all vendors and of the payment provider, in this process or in a separate one. */
export type Sandbox = {
  /** Environment variables that connect the registry to the stand-ins instead of the real vendors. */
  readonly environment: Readonly<Record<string, string>>
  readonly origins: Readonly<Record<StandInId, string>>
  readonly control: Readonly<Record<StandInId, VendorControl>>
  readonly payments: SandboxPayments
  close(): Promise<void>
}

/** Stand-in of the payment provider. */
export type SandboxPayments = {
  readonly origin: string
  /** Environment variables that make the service take cards through it. */
  readonly environment: Readonly<Record<string, string>>
  readonly control: StripeControl
}

type SandboxOptions = {
  readonly places: Iterable<Place>
  /** Directory of the ledgers; without it they live in memory. */
  readonly dataDir?: string
  /** Base address of pictures: `http://127.0.0.1:4000/sandbox/pictures`. */
  readonly pictureBase: string
  readonly clock?: Clock
  /** Seed for faults that hit only a share of calls. */
  readonly seed?: number
  /** Overrides of the default settings. */
  readonly settings?: PartialSettings
  /** Address of the service's webhooks for payments; without it none are sent. */
  readonly paymentsWebhookUrl?: string
}

/** Stand-ins can serve content at any time, and reading the whole world ahead would take hours. */
const STAND_IN_CONTENT = {
  SERAI_CONTENT_LIVE: 'true',
  SERAI_CONTENT_JOB: 'off',
  SERAI_CONTENT_LANGUAGES: 'en,de',
}

/** Starts all stand-ins over one world. A room sold by one is gone at the others, even after a restart. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock = systemClock, seed = 1, dataDir, settings = {} } = options
  const pictureBase = options.pictureBase.replace(/\/+$/, '')
  const allotment = createAllotment()
  const ledgers = byStandIn(({ id }) =>
    createLedger(dataDir === undefined ? {} : { path: join(dataDir, 'sandbox', `${id}.jsonl`) }),
  )
  const world = createLazyWorld(() => {
    const built = createWorld({ places: options.places })
    for (const ledger of Object.values(ledgers)) ledger.replayInto(allotment, built)
    return built
  })
  const servers = byStandIn((standIn) => {
    const faults = createFaultPlan(seed)
    return serveStandIn(standIn, {
      world,
      allotment,
      clock,
      pictureBase,
      ledger: ledgers[standIn.id],
      faults,
      settings,
    })
  })
  const stripe = serveStripe({
    clock,
    seed,
    ...(dataDir !== undefined && { path: join(dataDir, 'sandbox', 'stripe.jsonl') }),
  })
  const { origin } = await stripe.listen()
  const { paymentsWebhookUrl: url } = options
  if (url !== undefined) await stripe.control.setWebhook({ url, secrets: [SANDBOX_WEBHOOK_SECRET] })
  const listening = await Promise.all(
    STAND_INS.map(async ({ id }) => [id, (await servers[id].listen()).origin] as const),
  )
  const origins = Object.fromEntries(listening) as Sandbox['origins']
  // Builds the world while the caller prepares its first request.
  setImmediate(() => world.size())
  return {
    environment: Object.assign(
      {},
      STAND_IN_CONTENT,
      ...STAND_INS.map(({ id, environment }) => environment(origins[id], pictureBase)),
    ),
    origins,
    control: byStandIn(({ id }) => localControl(servers[id])),
    payments: { origin, environment: stripeEnvironment(origin), control: stripe.control },
    async close() {
      await Promise.all([stripe, ...Object.values(servers)].map((server) => server.close()))
    },
  }
}
