import { readConfig } from '../config.ts'
import { explainFailure } from './explain-failure.ts'
import { createStopHandler, loadSandboxPictures, serve, stopOnSignal } from './serve.ts'
import { openWorkerLink, type WorkerSettings } from './worker-link.ts'

/** Worker process of `serai serve --workers`; never started by hand. */
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
        : { vendorEnvironment: Promise.resolve(vendorEnvironment), picture: await loadSandboxPictures() }),
    },
    { reusePort },
  )
  const stop = createStopHandler(running, config)
  signals.setHandler(stop)
  link.onStop(() => void stop())
  link.send({ kind: 'listening', url: running.url })
} catch (error) {
  link.send({ kind: 'failed', reason: explainFailure(error) })
  // The message must be sent before the channel closes.
  setTimeout(() => process.exit(1), 200)
}
