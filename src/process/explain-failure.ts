import { ConfigError } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { UnusableDatabase } from '../store/migrations.ts'
import { WrongSecret } from '../store/secret-checks.ts'
import { VendorSettingsError } from '../vendors/settings.ts'

/** Properties of system and PostgreSQL errors. */
type SystemError = NodeJS.ErrnoException & {
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
  readonly severity?: string
}

/** Message for a terminal: the problem and its remedy. A bug keeps its stack. */
export function explainFailure(error: unknown): string {
  if (error instanceof AppError) return explainAppError(error)
  if (error instanceof VendorSettingsError) return `Vendors: ${error.message}`
  if (error instanceof ConfigError) return `Configuration: ${error.message}`
  if (error instanceof UnusableDatabase || error instanceof WrongSecret) return error.message
  if (!(error instanceof Error)) return String(error)
  const { code }: SystemError = error
  if (/^ERR_PARSE_ARGS/.test(String(code))) return `${error.message}. See: serai help`
  return explainListenError(error) ?? explainStorageError(error) ?? error.stack ?? error.message
}

/** A database that is unavailable at the start probably has a wrong setting. */
function explainAppError({ code, cause, message, errors }: AppError): string {
  if (code === 'store_unavailable' && cause instanceof Error)
    return (
      explainStorageError(cause) ??
      `PostgreSQL does not respond (${formatReason(cause)}). Check DATABASE_URL and whether the server is running.`
    )
  return [message, ...errors.map((error) => `  ${error.message}`)].join('\n')
}

/** A host name with several addresses fails with one error for each. */
const formatReason = (cause: Error): string =>
  cause instanceof AggregateError ? cause.errors.map(({ message }) => message).join(', ') : cause.message

function explainListenError({ code, syscall, address, port, hostname }: SystemError): string | undefined {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is already in use. Stop the other program, or choose another port with PORT or SERAI_METRICS_PORT: PORT=4001 npm start`
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${port} cannot be opened by this user. Choose a port above 1023: PORT=4000 npm start`
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && hostname !== undefined))
    return `${address ?? hostname} is not an address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all of them.`
  return undefined
}

/** By SQLSTATE: 28 invalid login, 3D unknown database, 42501 insufficient privilege, 53300 too many connections. */
function explainPostgresError(code: string, message: string): string | undefined {
  const match = [
    { codes: /^(28|3D)/, advice: 'Check DATABASE_URL.' },
    { codes: /^42501/, advice: 'The user of DATABASE_URL must be the owner of the database.' },
    { codes: /^53300/, advice: 'Raise max_connections, or lower SERAI_DATABASE_CONNECTIONS.' },
  ].find(({ codes }) => codes.test(code))
  return match === undefined ? undefined : `PostgreSQL refused the connection: ${message}. ${match.advice}`
}

/** Node's codes for certificate errors. At the start, they can only come from PostgreSQL. */
const CERTIFICATE = /CERT|^UNABLE_TO_/

function explainStorageError({ code, path, message, severity }: SystemError): string | undefined {
  if (severity !== undefined) return explainPostgresError(String(code), message)
  if (CERTIFICATE.test(String(code)))
    return `The certificate of PostgreSQL is not trusted: ${message}. Set the certificate of its authority: NODE_EXTRA_CA_CERTS=FILE`
  if (message === 'The server does not support SSL connections')
    return `PostgreSQL: ${message}. Check sslmode in DATABASE_URL.`
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path ?? 'A file'} cannot be written by user ${process.getuid?.() ?? 'of this process'}. Make its folder writable for this user, or choose another one: SERAI_DATA_DIR=FOLDER`
    case 'ENOSPC':
      return 'The disk is full. Nothing was lost; free some space and start again.'
    case 'ERR_SQLITE_ERROR':
      return `The database cannot be used: ${message}. Its files are unchanged. "serai restore FILE" restores a backup.`
    default:
      return undefined
  }
}
