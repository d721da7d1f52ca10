import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../servers/server-process.ts'

const VERSION = '22.23.3'

/**
 * The oldest Node that the client supports: from `SERAI_NODE_22`, or installed once from npm.
 * Returns the reason if there is none.
 */
export function findNode22(): { readonly path: string } | { readonly missing: string } {
  const named = process.env.SERAI_NODE_22
  if (named !== undefined)
    return isNode22(named) ? { path: named } : { missing: `SERAI_NODE_22=${named} is not Node 22` }
  const pack = `node-${process.platform}-${process.arch}`
  const folder = join(ROOT, '.runtime', 'node-22')
  const path = join(folder, 'node_modules', pack, 'bin', 'node')
  if (isNode22(path)) return { path }
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
    execFileSync('npm', ['install', ...flags, `${pack}@${VERSION}`], { cwd: folder, stdio: 'pipe', timeout: 120_000 })
  } catch (error) {
    return { missing: `Node 22 could not be installed from npm: ${String(error).slice(0, 200)}` }
  }
  return isNode22(path) ? { path } : { missing: 'the Node 22 from npm does not run here' }
}

const isNode22 = (path: string): boolean =>
  spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.startsWith('v22.') === true
