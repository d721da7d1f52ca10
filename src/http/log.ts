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

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
type Write = (first: unknown, message?: string) => void

/**
 * The log of one request. Most requests write one line or none, so nothing is made for them beforehand; what names the request
 * is added to each line that is written.
 */
export function requestLog(log: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  const write =
    (level: (typeof LEVELS)[number]): Write =>
    (first, message) => {
      if (typeof first === 'string') log[level](bindings, first)
      else if (first instanceof Error) log[level]({ ...bindings, err: first }, message)
      else log[level]({ ...bindings, ...(first as object) }, message)
    }
  const lazy = {
    level: log.level,
    silent: () => undefined,
    child: (more: object) => requestLog(log, { ...bindings, ...more }),
  }
  for (const level of LEVELS) Object.defineProperty(lazy, level, { get: () => write(level) })
  return lazy as unknown as FastifyBaseLogger
}
