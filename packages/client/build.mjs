// Builds the package: ES modules with the command line, and the library as CommonJS.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const HERE = import.meta.dirname
const [folder = join(HERE, 'dist')] = process.argv.slice(2).map((path) => resolve(path))
const compile = (config, outDir) => {
  const tsc = join(HERE, '../../node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '--singleThreaded', '-p', join(HERE, config), '--outDir', outDir])
}
compile('tsconfig.json', folder)
compile('tsconfig.cjs.json', join(folder, 'cjs'))
writeFileSync(join(folder, 'cjs/package.json'), '{ "type": "commonjs" }\n')
