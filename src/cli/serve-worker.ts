import { readConfig } from '../config.ts'
import { keepTicksQuick } from '../lib/quick-ticks.ts'
import { openWorkerLink } from '../worker-link.ts'
import { explainFailure } from './failure.ts'

/** One of several processes that serve the same port; started by `serai serve --workers`, never by hand. */
keepTicksQuick()
const link = openWorkerLink()
try {
  // Nearly all of the service: not before its ticks are seen to.
  const { onSignal, sandboxPicture, serve, stopper } = await import('../main.ts')
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
