import type { FastifyBaseLogger } from 'fastify'
import pino, { type Logger } from 'pino'

/** Nothing that could open a door or name a guest is ever written to the log. */
const REDACTED = [
  'req.headers.authorization',
  'headers.authorization',
  '*.authorization',
  '*.password',
  '*.token',
  '*.secret',
  '*.apiKey',
  '*.email',
  '*.phone',
  '*.guests',
  '*.contact',
  '*.booking_info',
]

export function createLog(level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    redact: { paths: REDACTED, censor: '[redacted]' },
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      // The default serialisers would log whole headers and the query string.
      req: () => undefined,
      res: () => undefined,
      err: (error: unknown) =>
        error instanceof Error
          ? { type: error.name, message: error.message, stack: error.stack }
          : { message: String(error) },
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
type Lazy = { readonly log: FastifyBaseLogger; readonly bindings: object }

function write({ log, bindings }: Lazy, level: Level, first: unknown, message?: string): void {
  if (typeof first === 'string') log[level](bindings, first)
  else if (first instanceof Error) log[level]({ ...bindings, err: first }, message)
  else log[level]({ ...bindings, ...(first as object) }, message)
}

const METHODS = {
  fatal(this: Lazy, first: unknown, message?: string) {
    write(this, 'fatal', first, message)
  },
  error(this: Lazy, first: unknown, message?: string) {
    write(this, 'error', first, message)
  },
  warn(this: Lazy, first: unknown, message?: string) {
    write(this, 'warn', first, message)
  },
  info(this: Lazy, first: unknown, message?: string) {
    write(this, 'info', first, message)
  },
  debug(this: Lazy, first: unknown, message?: string) {
    write(this, 'debug', first, message)
  },
  trace(this: Lazy, first: unknown, message?: string) {
    write(this, 'trace', first, message)
  },
  silent() {},
  child(this: Lazy, more: object) {
    return requestLog(this.log, { ...this.bindings, ...more })
  },
}

/**
 * The log of one request. Most requests write one line or none, so nothing is made for them beforehand; what names the request
 * is added to each line that is written.
 */
export function requestLog(log: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return { __proto__: METHODS, log, bindings, level: log.level } as unknown as FastifyBaseLogger
}
