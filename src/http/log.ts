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
