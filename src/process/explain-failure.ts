import { ConfigError } from '../config.ts'
import { AppError } from '../domain/app-error.ts'
import { VendorSettingsError } from '../vendors/settings.ts'

/** Words for a person at a terminal: what went wrong and what to do. A bug keeps its stack. */
export function explainFailure(error: unknown): string {
  if (error instanceof AppError) return [error.message, ...error.errors.map((one) => `  ${one.message}`)].join('\n')
  if (error instanceof VendorSettingsError) return `Vendors: ${error.message}`
  if (error instanceof ConfigError) return `Configuration: ${error.message}`
  if (!(error instanceof Error)) return String(error)
  if (/^ERR_PARSE_ARGS/.test(String((error as NodeJS.ErrnoException).code))) return `${error.message}. See: serai help`
  const { code, address, port, path } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is taken. Stop what runs there, or choose another: PORT=4001 npm start`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path ?? 'A file'} cannot be written. Choose another data directory: SERAI_DATA_DIR=~/serai-data npm start`
    case 'ENOSPC':
      return 'The disk is full. Nothing was lost; free some space and start again.'
    case 'ERR_SQLITE_ERROR':
      return `The database cannot be used: ${error.message}. Its files are untouched; "serai restore FILE" puts a backup in place.`
    case 'ECONNREFUSED':
      return `PostgreSQL does not answer at ${address}:${port}. Is DATABASE_URL right, and is the server running?`
    default:
      return error.stack ?? error.message
  }
}
