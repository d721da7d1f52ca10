import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'
import type { Overrides } from '../../src/compose/core.ts'
import type { Config } from '../../src/config.ts'
import { openSite, type Site } from '../support/servers/browser.ts'

let browser: Promise<Browser> | undefined
let site: Promise<Site> | undefined

/** A server with its own settings or state. The caller closes it. */
export async function openOwnSite(settings: Partial<Config> = {}, overrides: Overrides = {}): Promise<Site> {
  return openSite(settings, overrides, { browser: await sharedBrowser(), folder: inject('sitesFolder') })
}

/**
 * One server per test process, for files that need no settings of their own. Files that count bookings or advance the
 * test clock use their own account.
 */
export function sharedSite(): Promise<Site> {
  // A failed start is not kept, so that the next file or a retry tries again.
  site ??= openOwnSite().catch((error) => {
    site = undefined
    throw error
  })
  return site
}

export function sharedBrowser(): Promise<Browser> {
  browser ??= connectBrowser()
  return browser
}

async function connectBrowser(): Promise<Browser> {
  const endpoint = inject('browserEndpoint')
  if (endpoint === '') throw new Error('Chromium is not installed, and these tests need it')
  return chromium.connect(endpoint)
}
