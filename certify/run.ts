/** Entry point of `npm run certify`. */
import { readConfig } from '../src/config.ts'
import { explainFailure } from '../src/process/explain-failure.ts'
import { CertifyUsageError, certifyVendor, readCertifyOptions, USAGE } from './certify.ts'

const args = process.argv.slice(2)
try {
  if (args.includes('--help') || args.includes('-h')) console.log(USAGE)
  else process.exitCode = await certifyVendor(readCertifyOptions(args), readConfig(), console.log)
} catch (error) {
  const isUsageError = error instanceof CertifyUsageError || /^ERR_PARSE_ARGS/.test(String(Object(error).code))
  console.error(isUsageError ? `${Object(error).message}\n\n${USAGE}` : explainFailure(error))
  process.exit(isUsageError ? 2 : 1)
}
