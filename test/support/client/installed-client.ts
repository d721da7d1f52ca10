import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../servers/server-process.ts'

const run = promisify(execFile)

export type InstalledClient = {
  /** An otherwise empty project that has the package. */
  readonly folder: string
  /** Its command line. */
  readonly program: string
  close(): void
}

/**
 * The package as a user gets it: packed, and installed by npm in an empty project. Its dependency is packed from this
 * checkout too, so that no network is needed.
 */
export async function installClient(): Promise<InstalledClient> {
  const folder = mkdtempSync(join(tmpdir(), 'serai-client-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  const env = { ...process.env, npm_config_update_notifier: 'false' }
  const packed = ['packages/client', 'node_modules/openapi-fetch', 'node_modules/openapi-typescript-helpers']
  for (const path of packed) {
    // Only our own package has to be built first.
    const flags = path === 'packages/client' ? [] : ['--ignore-scripts']
    await run('npm', ['pack', '--pack-destination', folder, ...flags], { cwd: join(ROOT, path), env })
  }
  const files = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files.map((file) => `./${file}`)], {
    cwd: folder,
    env,
  })
  return {
    folder,
    program: join(folder, 'node_modules/.bin/serai-api'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
