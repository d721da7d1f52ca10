import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './server-process.ts'

/** Builds the page unless `npm test` has already built it. */
export function ensurePage(): void {
  const web = join(ROOT, 'web')
  if (existsSync(join(web, 'dist/index.html'))) return
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  // In a process of its own, because Vite builds for development if NODE_ENV is `test`.
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: web,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) throw new Error('the page could not be built')
}
