import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VERSION } from '../../../src/lib/version.ts'
import { testApp } from '../../support/app/app.ts'

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

test('the packages, the lock file and the API description name one version', async () => {
  const lock = readJson('package-lock.json')
  const named = [readJson('packages/client/package.json').version, lock.version, lock.packages[''].version]
  expect(named).toEqual([VERSION, VERSION, VERSION])
  const app = await testApp()
  try {
    expect((await app.call({ url: '/openapi.json' })).json().info.version).toBe(VERSION)
  } finally {
    await app.close()
  }
})
