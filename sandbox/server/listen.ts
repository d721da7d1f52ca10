import type { Server } from 'node:http'

/** Listens on a free loopback port. */
export function listenOnLoopback(server: Server): Promise<{ readonly origin: string }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the stand-in has no port'))
      else resolve({ origin: `http://127.0.0.1:${address.port}` })
    })
  })
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
