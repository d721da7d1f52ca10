import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findChromium } from '../../../scripts/system-packages.ts'
import { ensurePage } from './ensure-page.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Endpoint of the browser; empty if none is installed. */
    readonly browserEndpoint: string
    /** Data of servers that run until their test process ends. */
    readonly sitesFolder: string
  }
}

export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Tabs of a profile share a process, and with it the compiled scripts of the page.
  '--renderer-process-limit=1',
]

/** One Chromium for all files of a test project; each visit has its own profile. */
export default async function startSharedBrowser(project: TestProject): Promise<() => Promise<void>> {
  // Before the test files, which would all build it.
  ensurePage()
  const executablePath = findChromium()
  const browser =
    executablePath === undefined ? undefined : await chromium.launchServer({ executablePath, args: FLAGS })
  const folder = mkdtempSync(join(tmpdir(), 'serai-sites-'))
  project.provide('browserEndpoint', browser?.wsEndpoint() ?? '')
  project.provide('sitesFolder', folder)
  return async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
