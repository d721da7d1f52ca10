import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { testApp } from '../support/app/app.ts'

const run = promisify(execFile)
/** Not dependencies of this repository: they would be most of its lock file. */
const GENERATORS = [
  '@hey-api/openapi-ts@0.99.0',
  'oazapfts@6.4.0',
  'openapi-typescript-codegen@0.31.0',
  'swagger-typescript-api@13.13.0',
  'typescript@5.9.3',
]
const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  },
  include: ['generated'],
}

test('clients of four more generators compile in strict mode', { timeout: 300_000 }, async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'serai-generators-'))
  const node = (...args: string[]) =>
    run(process.execPath, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } }).catch(
      (error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }),
    )
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
    const installed = await run('npm', ['install', ...flags, ...GENERATORS], { cwd: folder, timeout: 120_000 }).then(
      () => true,
      () => false,
    )
    if (!installed) {
      const reason = 'The generators could not be installed from npm.'
      if (process.env.CI === 'true') throw new Error(reason)
      console.warn(`\nSKIPPED: generated clients. ${reason}`)
      return skip(reason)
    }
    const app = await testApp()
    writeFileSync(join(folder, 'openapi.json'), (await app.call({ url: '/openapi.json' })).body)
    await app.close()
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
    copyFileSync(join(import.meta.dirname, 'generators/generate.mjs'), join(folder, 'generate.mjs'))
    await node('generate.mjs')
    await node('node_modules/oazapfts/cli.js', 'openapi.json', 'generated/oazapfts.ts')
    const codegen = 'node_modules/openapi-typescript-codegen/bin/index.js'
    await node(codegen, '--input', 'openapi.json', '--output', 'generated/codegen', '--client', 'fetch')
    const generated = ['codegen', 'hey-api', 'oazapfts.ts', 'swagger']
    expect(readdirSync(join(folder, 'generated')).sort()).toEqual(generated)
    expect((await node('node_modules/typescript/bin/tsc', '-p', '.')).stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
