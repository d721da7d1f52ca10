import { readConfig } from '../config.ts'
import { explainFailure } from './explain-failure.ts'
import { sandboxPicture, serve, stopOnSignal, stopper } from './serve.ts'
import { openWorkerLink, type WorkerSettings } from './worker-link.ts'

/** One of several processes that serve the same port; started by `serai serve --workers`, never by hand. */
const link = openWorkerLink()
const signals = stopOnSignal()
try {
  const config = readConfig()
  const { vendorEnvironment, port, reusePort }: WorkerSettings = JSON.parse(process.argv[2] ?? '{}')
  const running = await serve(
    { ...config, port },
    {
      metrics: link.metrics,
      ...(vendorEnvironment === undefined
        ? {}
        : { vendorEnvironment: Promise.resolve(vendorEnvironment), picture: await sandboxPicture() }),
    },
    { reusePort },
  )
  const stop = stopper(running, config)
  signals.by(stop)
  link.onStop(() => void stop())
  link.send({ kind: 'listening', url: running.url })
} catch (error) {
  link.send({ kind: 'failed', words: explainFailure(error) })
  // The message must be out before the channel closes.
  setTimeout(() => process.exit(1), 200)
}
