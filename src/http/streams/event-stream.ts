import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { onClose } from './on-close.ts'
import { createOpenStreams } from './open-streams.ts'
import { packingFor } from './stream-packing.ts'

/** What is sent is made when its turn comes: until then nothing but what it is made of takes memory. */
export type EventStream = { send(event: string, json: () => string | Buffer): void; end(): void }

/** How many streams may be open at once: each keeps what its reader has not fetched yet. */
const STREAMS_MAX = { perAccount: 8, perProcess: 200 }
/** A client that reads nothing for this long is disconnected: unread events take memory. */
const SLOW_MS = 10_000
/** How much is written before waiting for the reader: more than most events have. */
const PIECE_BYTES = 256 * 1024

export type OpenEventStream = (reply: FastifyReply, accountId: string) => EventStream

/** Opens streams as long as there are not too many. */
export function createEventStreams(most = STREAMS_MAX, slowMs = SLOW_MS): OpenEventStream {
  const count = createOpenStreams(most)
  return (reply, accountId) => {
    count(reply.raw, accountId)
    return openEventStream(reply, slowMs)
  }
}

/**
 * Server-sent events over the raw socket, compressed where the client takes that, as fast as they are fetched. JSON has no
 * line breaks, so one `data:` line holds it.
 */
function openEventStream(reply: FastifyReply, slowMs: number): EventStream {
  const { raw } = reply
  const sink = beginAnswer(reply)
  const waiting: (() => Buffer)[] = []
  let isWriting = false
  let isEnding = false

  async function write(): Promise<void> {
    if (isWriting) return
    isWriting = true
    for (let next = waiting.shift(); next !== undefined && !raw.destroyed; next = waiting.shift()) {
      const bytes = next()
      for (let at = 0; at < bytes.length && !raw.destroyed; at += PIECE_BYTES)
        if (!sink.write(bytes.subarray(at, at + PIECE_BYTES))) await fetched(sink, raw, slowMs)
    }
    isWriting = false
    if (!isEnding || raw.destroyed || sink.writableEnded) return
    sink.end()
    closeUnlessRead(raw, slowMs)
  }

  /** An error while an event is written closes this stream; unhandled, it would end the process. */
  const writeContained = () =>
    write().catch((error: unknown) => {
      reply.log.error({ err: error }, 'unexpected error in a stream')
      raw.destroy()
    })

  return {
    send(event, json) {
      if (raw.destroyed) return
      waiting.push(() => Buffer.concat([Buffer.from(`event: ${event}\ndata: `), Buffer.from(json()), END]))
      void writeContained()
    },
    end() {
      isEnding = true
      void writeContained()
    },
  }
}

/** Sends the headers; returns where the events are written to. */
function beginAnswer(reply: FastifyReply): Writable {
  reply.hijack()
  const { raw } = reply
  const headers = reply.getHeaders() as Record<string, string>
  const packing = packingFor(reply.request.headers['accept-encoding'])
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    vary: [headers.vary, 'accept-encoding'].filter(Boolean).join(', '),
    ...(packing && { 'content-encoding': packing.name }),
  })
  const packer = packing?.open()
  packer?.pipe(raw)
  onClose(raw, () => packer?.destroy())
  return packer ?? raw
}

const END = Buffer.from('\n\n')

/** Resolves when the reader has fetched what was written, or when the connection is closed, by us in the end. */
function fetched(sink: Writable, raw: ServerResponse, slowMs: number): Promise<void> {
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
