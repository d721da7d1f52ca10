/** Sets the version in every file that has to name it; a test compares them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments, refuse } from './read-arguments.ts'

const USAGE = `Usage: node scripts/set-version.ts VERSION

Sets the version of the service, its API description and its client, such as 0.2.0.`

const { positionals } = readArguments(USAGE, { allowPositionals: true })
const [version = ''] = positionals
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse(USAGE, 'VERSION must be three numbers, such as 0.2.0.')

const write = (path: string, content: object) => writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
for (const path of ['package.json', 'packages/client/package.json'])
  write(path, { ...JSON.parse(readFileSync(path, 'utf8')), version })
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
lock.version = lock.packages[''].version = version
write('package-lock.json', lock)
