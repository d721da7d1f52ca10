import { ConfigError } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { UnusableDatabase } from '../store/migrations.ts'
import { VendorSettingsError } from '../vendors/settings.ts'

/** What errors of the system and of PostgreSQL carry beside their message. */
type Facts = NodeJS.ErrnoException & {
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
  readonly severity?: string
}

/** Words for a person at a terminal: what went wrong and what to do. A bug keeps its stack. */
export function explainFailure(error: unknown): string {
  if (error instanceof AppError) return explainRefusal(error)
  if (error instanceof VendorSettingsError) return `Vendors: ${error.message}`
  if (error instanceof ConfigError) return `Configuration: ${error.message}`
  if (error instanceof UnusableDatabase) return error.message
  if (!(error instanceof Error)) return String(error)
  const facts: Facts = error
  if (/^ERR_PARSE_ARGS/.test(String(facts.code))) return `${error.message}. See: serai help`
  return explainStart(facts) ?? explainStorage(facts) ?? error.stack ?? error.message
}

/** A database that cannot be reached at the start is more likely a wrong setting. */
function explainRefusal({ code, cause, message, errors }: AppError): string {
  if (code === 'store_unavailable' && cause instanceof Error)
    return (
      explainStorage(cause) ??
      `PostgreSQL does not answer (${reasonOf(cause)}). Is DATABASE_URL right, and is the server running?`
    )
  return [message, ...errors.map((one) => `  ${one.message}`)].join('\n')
}

/** A name with several addresses fails with an error for each of them. */
const reasonOf = (cause: Error): string =>
  cause instanceof AggregateError ? cause.errors.map(({ message }) => message).join(', ') : cause.message

/** What keeps a process from listening. */
function explainStart({ code, syscall, address, port, hostname }: Facts): string | undefined {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is taken. Stop what runs there, or choose another with PORT or SERAI_METRICS_PORT: PORT=4001 npm start`
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${port} may not be opened by this user. Choose one above 1023: PORT=4000 npm start`
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && hostname !== undefined))
    return `${address ?? hostname} is no address of this machine. Set HOST to one, or to 0.0.0.0 for all of them.`
  return undefined
}

/** By SQLSTATE: 28 is about the login, 3D says that there is no such database, 42501 that something is not allowed. */
function explainPostgres(code: string, message: string): string | undefined {
  const advice = [
    { codes: /^(28|3D)/, words: 'Is DATABASE_URL right?' },
    { codes: /^42501/, words: 'The user of DATABASE_URL must be the owner of the database.' },
    { codes: /^53300/, words: 'Raise max_connections, or lower SERAI_DATABASE_CONNECTIONS.' },
  ].find(({ codes }) => codes.test(code))
  return advice === undefined ? undefined : `PostgreSQL refuses: ${message}. ${advice.words}`
}

/** How Node names what is wrong with a certificate. Of all servers only PostgreSQL is connected to at a start. */
const CERTIFICATE = /CERT|^UNABLE_TO_/

function explainStorage({ code, path, message, severity }: Facts): string | undefined {
  if (severity !== undefined) return explainPostgres(String(code), message)
  if (CERTIFICATE.test(String(code)))
    return `The certificate of PostgreSQL is not accepted: ${message}. Name the certificate of its authority: NODE_EXTRA_CA_CERTS=FILE`
  if (message === 'The server does not support SSL connections')
    return `PostgreSQL: ${message}. Is sslmode in DATABASE_URL right?`
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path ?? 'A file'} cannot be written. Choose another data directory: SERAI_DATA_DIR=~/serai-data npm start`
    case 'ENOSPC':
      return 'The disk is full. Nothing was lost; free some space and start again.'
    case 'ERR_SQLITE_ERROR':
      return `The database cannot be used: ${message}. Its files are untouched; "serai restore FILE" puts a backup in place.`
    default:
      return undefined
  }
}
