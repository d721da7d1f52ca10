import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { chooseCompression } from './choose-compression.ts'
import { onClose } from './on-close.ts'
import { createStreamCounter } from './stream-counter.ts'

/** `json` is called when the event is written, so that waiting events take little memory. */
export type EventStream = { send(event: string, json: () => string | Buffer): void; end(): void }

/** Limited, because each stream buffers unread events. */
const STREAMS_MAX = { perAccount: 8, perProcess: 200 }
/** Disconnects a client that reads nothing for this long. */
const SLOW_MS = 10_000
/** Larger than most events. */
const CHUNK_BYTES = 256 * 1024

export type OpenEventStream = (reply: FastifyReply, accountId: string) => EventStream

export function createEventStreams(limits = STREAMS_MAX, slowMs = SLOW_MS): OpenEventStream {
  const count = createStreamCounter(limits)
  return (reply, accountId) => {
    count(reply.raw, accountId)
    return openEventStream(reply, slowMs)
  }
}

/** Sends server-sent events at the speed of the reader. JSON has no line breaks, so it fits in one `data:` line. */
function openEventStream(reply: FastifyReply, slowMs: number): EventStream {
  const { raw } = reply
  const sink = startResponse(reply)
  const waiting: (() => Buffer)[] = []
  let isWriting = false
  let isEnding = false

  async function write(): Promise<void> {
    if (isWriting) return
    isWriting = true
    for (let next = waiting.shift(); next !== undefined && !raw.destroyed; next = waiting.shift()) {
      const bytes = next()
      for (let start = 0; start < bytes.length && !raw.destroyed; start += CHUNK_BYTES)
        if (!sink.write(bytes.subarray(start, start + CHUNK_BYTES))) await waitForDrain(sink, raw, slowMs)
    }
    isWriting = false
    if (!isEnding || raw.destroyed || sink.writableEnded) return
    sink.end()
    closeUnlessRead(raw, slowMs)
  }

  /** Closes only this stream on an error, which would otherwise end the process. */
  const writeSafely = () =>
    write().catch((error: unknown) => {
      reply.log.error({ err: error }, 'unexpected error in a stream')
      raw.destroy()
    })

  return {
    send(event, json) {
      if (raw.destroyed) return
      waiting.push(() => Buffer.concat([Buffer.from(`event: ${event}\ndata: `), Buffer.from(json()), END]))
      void writeSafely()
    },
    end() {
      isEnding = true
      void writeSafely()
    },
  }
}

/** Sends the headers; returns the stream to write to. */
function startResponse(reply: FastifyReply): Writable {
  reply.hijack()
  const { raw } = reply
  const headers = reply.getHeaders() as Record<string, string>
  const compression = chooseCompression(reply.request.headers['accept-encoding'])
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    vary: [headers.vary, 'accept-encoding'].filter(Boolean).join(', '),
    ...(compression && { 'content-encoding': compression.name }),
  })
  const compressor = compression?.open()
  compressor?.pipe(raw)
  onClose(raw, () => compressor?.destroy())
  return compressor ?? raw
}

const END = Buffer.from('\n\n')

/** Resolves when the buffer is drained or the connection is closed; closes it after `slowMs`. */
function waitForDrain(sink: Writable, raw: ServerResponse, slowMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => raw.destroy(), slowMs)
    const done = () => {
      clearTimeout(timer)
      sink.off('drain', done)
      raw.off('close', done)
      resolve()
    }
    sink.once('drain', done)
    raw.once('close', done)
  })
}

function closeUnlessRead(raw: ServerResponse, slowMs: number): void {
  const timer = setTimeout(() => raw.destroy(), slowMs)
  raw.once('close', () => clearTimeout(timer))
}
