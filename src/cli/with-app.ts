import { type App, buildApp } from '../compose/app.ts'
import type { CommandLine } from '../compose/command-line.ts'
import { type Config, readConfig } from '../config.ts'
import { openSandbox } from '../process/serve.ts'

/**
 * Runs a command with the application's parts, without HTTP and jobs. A service may use the same database meanwhile. Standard output
 * is for what the command prints, so the log goes to standard error.
 */
export async function withApp(
  work: (app: App, config: Config) => Promise<number>,
  commandLine?: CommandLine,
): Promise<number> {
  const config = readConfig()
  return withVendors(config, async (env) => {
    const overrides = {
      logDestination: process.stderr,
      vendorEnvironment: Promise.resolve(env),
      ...(commandLine && { commandLine }),
    }
    const app = await buildApp({ ...config, jobs: false }, overrides)
    try {
      return await work(app, config)
    } finally {
      await app.close()
    }
  })
}

/** Runs a command with the vendors' settings. If no vendor is configured, a sandbox runs as long as the command. */
export async function withVendors(
  config: Config,
  work: (env: Readonly<Record<string, string>>) => Promise<number>,
): Promise<number> {
  if (!config.sandbox) return work(config.vendorEnvironment)
  const sandbox = await openSandbox(config)
  try {
    return await work(sandbox.environment)
  } finally {
    await sandbox.close()
  }
}
