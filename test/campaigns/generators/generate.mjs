// Writes clients of openapi.json in the current folder.
import { resolve } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { generateApi } from 'swagger-typescript-api'

await createClient({ input: 'openapi.json', output: 'generated/hey-api', logs: { level: 'silent' } })
await generateApi({ input: resolve('openapi.json'), output: resolve('generated/swagger'), silent: true })
