// Writes the types of openapi.json in the current folder. Run with --import ./compiler.mjs.
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'

writeFileSync('openapi-types.ts', astToString(await openapiTypescript(pathToFileURL('openapi.json'))))
