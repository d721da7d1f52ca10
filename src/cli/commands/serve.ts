import { parseArgs } from 'node:util'
import { warnAboutMemory } from '../../compose/database.ts'
import { type Config, misspeltSettings, readConfig, WORKERS_MAX } from '../../config.ts'
import { createStopHandler, serve, stopOnSignal } from '../../process/serve.ts'
import { type Command, WrongArgument } from '../command.ts'

export const serveCommand: Command = {
  usage: `serai serve [--workers N]   serves the API and the page; the settings are in docs/operating/settings.md`,
  async run(args) {
    const workers = readWorkers(args)
    const config = readConfig()
    for (const warning of misspeltSettings()) console.error(warning)
    const count = workers ?? config.workers
    if (count > 1) return serveWithWorkers(config, count)
    const stop = stopOnSignal()
    const running = await serve(config)
    stop.setHandler(createStopHandler(running, config))
    announce(config, running.url)
    return undefined
  },
}

function announce(config: Config, where: string): void {
  console.log(`Serai is listening on ${where}`)
  const warning = warnAboutMemory(config)
  if (warning !== undefined) console.error(warning)
}

function readWorkers(args: string[]): number | undefined {
  const { values } = parseArgs({ args, options: { workers: { type: 'string' } } })
  if (values.workers === undefined) return undefined
  const count = Number(values.workers)
  if (Number.isInteger(count) && count >= 1 && count <= WORKERS_MAX) return count
  throw new WrongArgument(`--workers must be a whole number from 1 to ${WORKERS_MAX}.`)
}

async function serveWithWorkers(config: Config, count: number): Promise<undefined> {
  const { serveWithWorkers, WorkerFailure } = await import('../../process/serve-workers.ts')
  const stop = stopOnSignal()
  try {
    const workers = await serveWithWorkers(config, count, (message) => console.error(message))
    stop.setHandler(async () => {
      await workers.stop()
      process.exit(0)
    })
    announce(config, `${workers.url} with ${count} workers`)
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
