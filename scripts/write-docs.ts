/** Writes the documents that are made from the code; a test fails while they differ. */
import { writeFileSync } from 'node:fs'
import { errorsMarkdown } from '../src/http/error-help.ts'

writeFileSync('docs/errors.md', errorsMarkdown())
