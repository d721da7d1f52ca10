/** Writes the documents that are derived from the code; a test fails if they differ. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { readArguments } from './read-arguments.ts'

readArguments(
  `Usage: npm run docs

Writes docs/errors.md, the examples of the API (docs/api-examples.json) and the generated part of packages/client.`,
  {},
)
// Loaded once the arguments are read, so that --help answers at once.
const { errorsMarkdown } = await import('../src/http/openapi/error-help.ts')
const { recordExamples } = await import('../test/support/examples/record-examples.ts')
writeFileSync('docs/errors.md', errorsMarkdown())
writeFileSync('docs/api-examples.json', `${JSON.stringify(await recordExamples(), null, 1)}\n`)
// A process of its own: the generator of types needs another compiler.
execFileSync(process.execPath, ['scripts/write-client.ts'], { stdio: 'inherit' })
