import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject, vi } from 'vitest'
import { ROOT } from '../servers/server-process.ts'

const run = promisify(execFile)

export type InstalledClient = {
  /** An empty project with the package installed. */
  readonly folder: string
  /** Path of its command-line program. */
  readonly program: string
  close(): void
}

/**
 * The package as a user gets it: built, packed, and installed by npm in an empty project.
 * Done once per test project; each test file gets a copy.
 */
export async function installClient(): Promise<InstalledClient> {
  const from = await installOnce()
  const folder = mkdtempSync(join(tmpdir(), 'serai-client-'))
  cpSync(from, folder, { recursive: true, verbatimSymlinks: true })
  return {
    folder,
    program: join(folder, 'node_modules/.bin/serai-api'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const INSTALL_MAX_MS = 120_000

/** The process that creates the folder installs the package; the others wait. */
async function installOnce(): Promise<string> {
  const folder = join(inject('sharedFolder'), 'client')
  const done = join(folder, 'done')
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    await install(folder)
    writeFileSync(done, '')
  }
  await vi.waitUntil(() => existsSync(done), { timeout: INSTALL_MAX_MS, interval: 200 })
  return folder
}

/**
 * Builds in a separate folder, because test files run in parallel.
 */
async function install(folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  const env = { ...process.env, npm_config_update_notifier: 'false' }
  const built = join(folder, 'built')
  mkdirSync(built)
  for (const file of ['package.json', 'README.md', 'LICENSE'])
    copyFileSync(join(ROOT, 'packages/client', file), join(built, file))
  await run(process.execPath, [join(ROOT, 'packages/client/build.mjs'), join(built, 'dist')])
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, built], { cwd: folder, env })
  const files = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files.map((file) => `./${file}`)], {
    cwd: folder,
    env,
  })
}
