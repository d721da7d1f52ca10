/** Writes the documents that are derived from the code; a test fails if they differ. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { readArguments } from './read-arguments.ts'

readArguments(
  `Usage: npm run docs

Writes docs/errors.md, the examples of the API (docs/api-examples.json), the row types of the database
(src/store/tables.ts), the rules that the page checks (web/src/api/service-rules.ts), the dashboards of deploy/grafana
and the generated part of packages/client.`,
  {},
)
// Loaded after the arguments are read, so that --help answers at once.
const { errorsMarkdown } = await import('../src/http/openapi/error-help.ts')
const { describeLimits } = await import('./describe-limits.ts')
const { describeRows } = await import('./describe-rows.ts')
const { migrate } = await import('../src/store/migrations.ts')
const { openDatabase } = await import('../src/store/database.ts')
const { recordExamples } = await import('../test/support/examples/record-examples.ts')
const { renderDashboards } = await import('./dashboards.ts')
for (const [path, text] of renderDashboards()) writeFileSync(path, text)
writeFileSync('docs/errors.md', errorsMarkdown())
writeFileSync('docs/api-examples.json', `${JSON.stringify(await recordExamples(), null, 1)}\n`)
writeFileSync('web/src/api/service-rules.ts', describeLimits())
const database = openDatabase({ kind: 'sqlite', path: ':memory:' })
await migrate(database)
writeFileSync('src/store/tables.ts', await describeRows(database))
await database.close()
// In a separate process, because the type generator needs another compiler.
execFileSync(process.execPath, ['scripts/write-client.ts'], { stdio: 'inherit' })
