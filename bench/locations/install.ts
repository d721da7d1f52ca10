import { spawnSync } from 'node:child_process'
import { isInstalled, LIBRARIES } from './installed.ts'

const TIMEOUT_MS = 120_000

/** Installs missing search libraries. Returns the reason if that fails. */
export function installAlternatives(): string | undefined {
  if (LIBRARIES.every(isInstalled)) return undefined
  console.log('Installing the search libraries to compare with (once) …')
  // The npm that started us, otherwise the `npm` in PATH.
  const cli = process.env.npm_execpath
  const [program, ...before] = cli?.endsWith('.js') ? [process.execPath, cli] : ['npm']
  // Without a network, npm's default timeouts exceed a minute.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1']
  const args = [...before, 'ci', ...flags, '--fetch-retry-mintimeout=1000']
  const done = spawnSync(program, args, { cwd: import.meta.dirname, encoding: 'utf8', timeout: TIMEOUT_MS })
  const missing = LIBRARIES.filter((name) => !isInstalled(name))
  if (missing.length === 0) return undefined
  const reason = `${done.stderr ?? ''}${done.error?.message ?? ''}`.trim().split('\n')[0] ?? ''
  return `${missing.join(', ')} could not be installed (npm ci in bench/locations: ${reason || `exit ${done.status}`}).
The lookup is measured without them; locations_lookup_vs_best_library stays empty.`
}
