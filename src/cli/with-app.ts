import { type App, buildApp } from '../compose/app.ts'
import type { CommandLine } from '../compose/command-line.ts'
import { type Config, readConfig } from '../config.ts'
import { openSandbox, standInVariables } from '../process/serve.ts'

/** Runs a command with the application, without jobs. Logs to standard error: standard output is for the command's result. */
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

/** Runs a command with the vendors' settings. Starts a sandbox for its duration if the configuration asks for one. */
export async function withVendors(
  config: Config,
  work: (env: Readonly<Record<string, string>>) => Promise<number>,
): Promise<number> {
  if (!config.sandbox) return work(config.vendorEnvironment)
  const sandbox = await openSandbox(config)
  try {
    return await work(standInVariables(sandbox))
  } finally {
    await sandbox.close()
  }
}
