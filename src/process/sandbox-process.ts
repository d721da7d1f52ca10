import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { SandboxMessage } from './spawn-sandbox.ts'

/**
 * The stand-ins of the vendors as a process. Started by the server, it reports over IPC and ends with the server;
 * started by hand, it prints the variables that connect a server to it.
 */
const USAGE = `Usage: node src/process/sandbox-process.ts [options]

Starts the stand-ins of the vendors alone, and prints the variables that connect a server to them (docs/vendors.md).

  --data-dir FOLDER     keeps their bookings there; without it they are forgotten at the end
  --settings JSON       what they do more or less often, such as '{"worseTerms": 0.002}'
  --seed N              another world
  --picture-base URL    where the server shows pictures`

const OPTIONS = {
  'picture-base': { type: 'string', default: 'http://127.0.0.1:4000/sandbox/pictures' },
  'data-dir': { type: 'string' },
  seed: { type: 'string' },
  settings: { type: 'string' },
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
  // Ctrl-C reaches the whole process group, but bookings in progress at the server still need their vendors.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
}

try {
  // Makes the next start faster; it must come before the imports.
  enableCompileCache(join(import.meta.dirname, '../..', '.runtime', 'compiled'))
  const { loadCityPlaces } = await import('../locations/load-locations.ts')
  const { startSandbox } = await import('../../sandbox/start-sandbox.ts')
  const { readSettings } = await import('../../sandbox/server/settings.ts')
  const { ALL_SETTINGS } = await import('../../sandbox/stand-ins.ts')
  const names = Object.keys(ALL_SETTINGS)
  const settings = readSettings(JSON.parse(values.settings ?? '{}'), names)
  if (settings === undefined) throw new Error(`--settings takes numbers for some of: ${names.join(', ')}`)
  const { environment, origins } = await startSandbox({
    places: loadCityPlaces(),
    pictureBase: values['picture-base'],
    settings,
    ...(values['data-dir'] === undefined ? {} : { dataDir: values['data-dir'] }),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
  })
  if (isChild) say({ environment, origins })
  else for (const [name, value] of Object.entries(environment)) console.log(`${name}=${value}`)
} catch (error) {
  const failure = error instanceof Error ? error.message : String(error)
  if (isChild) say({ failure }, () => process.exit(1))
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

function say(message: SandboxMessage, done: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, done)
}
