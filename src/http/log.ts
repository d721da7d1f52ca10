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
type RequestLog = { log: Logger; bindings: object }

function write({ log, bindings }: RequestLog, level: Level, first: unknown, message?: string): void {
  if (!log.isLevelEnabled(level)) return
  if (typeof first === 'string') log[level](bindings, first)
  else if (first instanceof Error) log[level]({ ...bindings, err: first }, message)
  else log[level]({ ...bindings, ...(first as object) }, message)
}

const METHODS = {
  fatal(this: RequestLog, first: unknown, message?: string) {
    write(this, 'fatal', first, message)
  },
  error(this: RequestLog, first: unknown, message?: string) {
    write(this, 'error', first, message)
  },
  warn(this: RequestLog, first: unknown, message?: string) {
    write(this, 'warn', first, message)
  },
  info(this: RequestLog, first: unknown, message?: string) {
    write(this, 'info', first, message)
  },
  debug(this: RequestLog, first: unknown, message?: string) {
    write(this, 'debug', first, message)
  },
  trace(this: RequestLog, first: unknown, message?: string) {
    write(this, 'trace', first, message)
  },
  silent() {},
  child(this: RequestLog, more: object) {
    return requestLog(this.log, { ...this.bindings, ...more })
  },
  get level() {
    return (this as unknown as RequestLog).log.level
  },
}

/**
 * The log of one request. Most requests write one line or none, so nothing is made for them beforehand; what names the request
 * is added to each line that is written.
 */
export function requestLog(log: Logger, bindings: object = {}): FastifyBaseLogger {
  const made: RequestLog = Object.create(METHODS)
  made.log = log
  made.bindings = bindings
  return made as unknown as FastifyBaseLogger
}
