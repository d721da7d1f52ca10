import { parseArgs } from 'node:util'
import type { App } from '../../compose/app.ts'
import { type Config, misspeltSettings, readConfig } from '../../config.ts'
import { createStopHandler, type Running, serve, stopOnSignal } from '../../process/serve.ts'
import type { Command } from '../command.ts'

export const DEMO = { email: 'demo@example.com', password: 'demo-demo-demo' } as const

export const devCommand: Command = {
  usage: `serai dev   serves the API and the page with a demo account (without it if NODE_ENV=production)`,
  async run(args) {
    parseArgs({ args })
    const config = readConfig()
    for (const warning of misspeltSettings()) console.error(warning)
    const hasDemo = config.mode !== 'production'
    const stop = stopOnSignal()
    const running = await (hasDemo ? serve(config, { demo: DEMO }, { prepare: addDemoAccount }) : serve(config))
    stop.setHandler(createStopHandler(running, config))
    console.log(greeting(config, running, hasDemo))
    return undefined
  },
}

const addDemoAccount = ({ manageAccounts }: App) => manageAccounts.add(DEMO.email, 'Demo Guest', DEMO.password)

function greeting(config: Config, { url, app: { migrated, vendorIds, hasPage } }: Running, hasDemo: boolean): string {
  const database = config.databaseUrl === undefined ? config.dataDir : 'PostgreSQL'
  return [
    '',
    `  Serai is ready${migrated.length > 0 ? ` (set up a new database in ${database})` : ''}.`,
    '',
    ...(hasPage ? [`  Page            ${url}`] : []),
    `  API reference   ${url}/docs`,
    ...(hasDemo ? [`  Account         ${DEMO.email}  /  ${DEMO.password}`] : []),
    `  Vendors         ${describeVendors(config, vendorIds)}`,
    `  Data            ${database}`,
    '',
    '  Stop with Ctrl-C.',
    '',
  ].join('\n')
}

function describeVendors(config: Config, vendorIds: readonly string[]): string {
  if (vendorIds.length === 0) return 'none; see docs/vendors.md (x-simulate-return works without one)'
  return `${vendorIds.join(', ')}${config.sandbox ? ' (sandbox on this machine; no real vendor is called)' : ''}`
}
