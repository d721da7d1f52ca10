import { type App, buildApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { bookingAnswer } from '../http/present-booking.ts'
import { systemClock } from '../lib/clock.ts'
import { LOCATIONS_FILE } from '../locations/load-locations.ts'
import { spawnSandbox } from '../sandbox/spawn-sandbox.ts'
import { bookingsCommand } from './bookings.ts'
import { catalogueCommand } from './catalogue.ts'
import { contentCommand } from './content.ts'
import { vendorsCommand } from './vendors.ts'

const out = (line: string) => console.log(line)

export const operateBookings = (args: string[]): Promise<number> =>
  withApp((app) =>
    bookingsCommand(args, {
      bookings: app.operator.bookings,
      settle: { due: app.settleBookings, one: app.operator.settleOne },
      present: bookingAnswer,
      clock: systemClock,
      out,
    }),
  )

export const operateCatalogue = (args: string[]): Promise<number> =>
  withApp((app) => catalogueCommand(args, { catalogue: app.operator.catalogue, out }))

export const operateContent = (args: string[]): Promise<number> =>
  withApp((app) => {
    const interrupted = new AbortController()
    process.once('SIGINT', () => interrupted.abort())
    const { catalogue, vendors } = app.operator
    const status = process.stdout.isTTY ? (text: string) => void process.stdout.write(`\r${text}\u001b[K`) : undefined
    return contentCommand(args, {
      catalogue,
      vendors,
      out,
      signal: interrupted.signal,
      ...(status === undefined ? {} : { status }),
    })
  })

export async function operateVendors(args: string[]): Promise<number> {
  return withVendors(readConfig(), (env) => vendorsCommand(args, { env, clock: systemClock, out }))
}

/** The application's parts without HTTP and without its clockwork; a service may run beside it on the same database. */
async function withApp(work: (app: App) => Promise<number>): Promise<number> {
  const config = readConfig()
  return withVendors(config, async (env) => {
    const app = await buildApp({ ...config, jobs: false }, { vendorEnvironment: Promise.resolve(env) })
    try {
      return await work(app)
    } finally {
      await app.close()
    }
  })
}

/** Where no vendor is configured, a sandbox stands in for as long as the command runs. */
async function withVendors(
  config: Config,
  work: (env: Readonly<Record<string, string>>) => Promise<number>,
): Promise<number> {
  if (!config.sandbox) return work(config.vendorEnvironment)
  const sandbox = await spawnSandbox({
    locationsFile: LOCATIONS_FILE,
    dataDir: config.dataDir,
    pictureBase: `${config.publicUrl}/sandbox/pictures`,
  })
  try {
    return await work(sandbox.environment)
  } finally {
    await sandbox.close()
  }
}
