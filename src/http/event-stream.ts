import type { FastifyReply } from 'fastify'

export type EventStream = { send(event: string, json: string | Buffer): void; end(): void }

/** Server-sent events over the raw socket. JSON has no line breaks, so one `data:` line holds it. */
export function openEventStream(reply: FastifyReply): EventStream {
  reply.hijack()
  const { raw } = reply
  const headers = reply.getHeaders() as Record<string, string>
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  return {
    send(event, json) {
      if (raw.destroyed) return
      raw.write(`event: ${event}\ndata: `)
      raw.write(json)
      raw.write('\n\n')
    },
    end() {
      if (!raw.destroyed) raw.end()
    },
  }
}
