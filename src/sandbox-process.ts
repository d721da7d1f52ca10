import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { SandboxMessage } from './sandbox/spawn-sandbox.ts'

/**
 * The vendors' stand-ins as a process. Started by the server it reports over the channel between them and ends with
 * it; started by hand it prints the variables to start a server with.
 */
const { values } = parseArgs({
  options: {
    locations: { type: 'string', default: 'data/locations.bin.zst' },
    'picture-base': { type: 'string', default: 'http://127.0.0.1:4000/sandbox/pictures' },
    'data-dir': { type: 'string' },
    seed: { type: 'string' },
  },
})

const isChild = process.send !== undefined
if (isChild) {
  process.on('disconnect', () => process.exit(0))
  // Ctrl-C reaches the whole group, but bookings under way at the server still need their vendors.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
}

try {
  // Spares a second start the reading of some hundred files; it must come before they are imported.
  enableCompileCache(join(import.meta.dirname, '..', '.runtime', 'compiled'))
  const { loadCityPlaces } = await import('./locations/load-locations.ts')
  const { startSandbox } = await import('./sandbox/start-sandbox.ts')
  const { environment, origins } = await startSandbox({
    places: loadCityPlaces(values.locations),
    pictureBase: values['picture-base'],
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

function say(message: SandboxMessage, done: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, done)
}
