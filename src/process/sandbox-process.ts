import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { SandboxMessage } from './spawn-sandbox.ts'

/** Started by the server, it reports over IPC and ends with the server. Started by hand, it prints the vendors' settings. */
const USAGE = `Usage: node src/process/sandbox-process.ts [options]

Starts only the simulated vendors and payment provider, and prints the variables that connect a server to them
(docs/vendors.md).

  --data-dir FOLDER     stores their bookings; without it they are lost when the process ends
  --settings JSON       frequency of special behaviour, such as '{"worseTerms": 0.002}'
  --seed N              seed for different properties and prices
  --picture-base URL    URL under which the server serves pictures
  --payments-webhook URL  address of the server's webhooks for payments`

const OPTIONS = {
  'picture-base': { type: 'string', default: 'http://127.0.0.1:4000/sandbox/pictures' },
  'data-dir': { type: 'string' },
  seed: { type: 'string' },
  settings: { type: 'string' },
  'payments-webhook': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const values = readOptions()
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

const isChild = process.send !== undefined
if (isChild) {
  process.on('disconnect', () => process.exit(0))
  // Ctrl-C reaches the whole process group, but the server still needs the vendors for running bookings.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
}

try {
  // Speeds up later starts; must come before the imports.
  enableCompileCache(join(import.meta.dirname, '../..', '.runtime', 'compiled'))
  const { loadCityPlaces } = await import('../locations/load-locations.ts')
  const { startSandbox } = await import('../../sandbox/start-sandbox.ts')
  const { parseSettings: readSettings } = await import('../../sandbox/server/settings.ts')
  const { ALL_SETTINGS } = await import('../../sandbox/stand-ins.ts')
  const names = Object.keys(ALL_SETTINGS)
  const settings = readSettings(JSON.parse(values.settings ?? '{}'), names)
  if (settings === undefined)
    throw new Error(`--settings must be a JSON object with numbers for any of: ${names.join(', ')}`)
  const { environment, origins, payments } = await startSandbox({
    places: loadCityPlaces(),
    pictureBase: values['picture-base'],
    settings,
    ...(values['data-dir'] === undefined ? {} : { dataDir: values['data-dir'] }),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    ...(values['payments-webhook'] === undefined ? {} : { paymentsWebhookUrl: values['payments-webhook'] }),
  })
  const { origin, environment: paymentsEnvironment } = payments
  const variables = { ...environment, ...paymentsEnvironment }
  if (isChild) sendToParent({ environment, origins, payments: { origin, environment: paymentsEnvironment } })
  else for (const [name, value] of Object.entries(variables)) console.log(`${name}=${value}`)
} catch (error) {
  const failure = error instanceof Error ? error.message : String(error)
  if (isChild) sendToParent({ failure }, () => process.exit(1))
  else {
    console.error(failure)
    process.exit(1)
  }
}

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exit(2)
  }
}

function sendToParent(message: SandboxMessage, done: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, done)
}
