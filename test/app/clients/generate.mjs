// Makes both clients from openapi.json in the current folder. Run with --import ./compiler.mjs.
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'

writeFileSync('openapi-types.ts', astToString(await openapiTypescript(pathToFileURL('openapi.json'))))
await createClient({
  input: 'openapi.json',
  output: { path: 'hey-api', module: { extension: '.ts' } },
  logs: { level: 'silent', file: false },
})
