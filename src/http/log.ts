import type { FastifyBaseLogger } from 'fastify'
import pino, { type Logger } from 'pino'

/** Nothing that could open a door or name a guest is ever written to the log. Each path leads into something; see `write`. */
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
/** `plain` writes the same lines as `log`, but redacts nothing. */
type Logs = { readonly log: Logger; readonly plain: Logger }
type RequestLog = { logs: Logs; bindings: object }

function write({ logs, bindings }: RequestLog, level: Level, first: unknown, message?: string): void {
  if (!logs.log.isLevelEnabled(level)) return
  if (typeof first === 'string') logs.log[level](bindings, first)
  else if (first instanceof Error) logs.log[level]({ ...bindings, err: first }, message)
  else {
    const line = { ...bindings, ...(first as object) }
    // To look for what must not be told takes four times as long as to write, and it only ever lies inside of something.
    const log = Object.values(line).some(isObject) ? logs.log : logs.plain
    log[level](line, message)
  }
}

const isObject = (value: unknown) => typeof value === 'object'

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
    return requestLogOf(this.logs, { ...this.bindings, ...more })
  },
  get level() {
    return (this as unknown as RequestLog).logs.log.level
  },
}

/**
 * What logs of requests are made from. Most requests write one line or none, so nothing is made for them beforehand; what
 * names the request is added to each line that is written.
 */
export const requestLog = (log: Logger): FastifyBaseLogger =>
  requestLogOf({ log, plain: log.child({}, { redact: [] }) }, {})

function requestLogOf(logs: Logs, bindings: object): FastifyBaseLogger {
  const made: RequestLog = Object.create(METHODS)
  made.logs = logs
  made.bindings = bindings
  return made as unknown as FastifyBaseLogger
}
