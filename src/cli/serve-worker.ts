import { readConfig } from '../config.ts'
import { onSignal, sandboxPicture, serve, stopper } from '../main.ts'
import { openWorkerLink } from '../worker-link.ts'
import { explainFailure } from './failure.ts'

/** One of several processes that serve the same port; started by `serai serve --workers`, never by hand. */
const link = openWorkerLink()
try {
  const config = readConfig()
  const { vendorEnvironment, port, reusePort } = await link.orders
  const running = await serve(
    { ...config, port, sandbox: false },
    {
      counters: link.counters,
      metrics: link.metrics,
      ...(vendorEnvironment === undefined
        ? {}
        : { vendorEnvironment: Promise.resolve(vendorEnvironment), picture: await sandboxPicture() }),
    },
    { reusePort },
  )
  const stop = stopper(running, config)
  onSignal(stop)
  link.onStop(() => void stop())
  link.say({ kind: 'listening', url: running.url })
} catch (error) {
  link.say({ kind: 'failed', words: explainFailure(error) })
  // The message must be out before the channel closes.
  setTimeout(() => process.exit(1), 200)
}
