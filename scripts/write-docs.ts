/** Writes the documents that are derived from the code; a test fails if they differ. */
import { writeFileSync } from 'node:fs'
import { errorsMarkdown } from '../src/http/frame/error-help.ts'
import { readArguments } from './read-arguments.ts'
import { recordExamples } from './record-examples.ts'

readArguments(
  'Usage: npm run docs\n\nWrites docs/errors.md, and the examples of the API to src/http/schemas/examples.json.',
  {},
)
writeFileSync('docs/errors.md', errorsMarkdown())
writeFileSync('src/http/schemas/examples.json', `${JSON.stringify(await recordExamples(), null, 1)}\n`)
