import { expect, onTestFinished, test, vi } from 'vitest'
import { createTabStorage } from '../../support/web/tab-storage.ts'

test('language and currency can be chosen where nothing can be stored', async () => {
  vi.stubGlobal('localStorage', createTabStorage(0))
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { prefer, preferences } = await import('../../../web/src/browser/preferences.ts')
  prefer({ locale: 'de', currency: 'CHF' })
  expect(preferences()).toMatchObject({ locale: 'de', currency: 'CHF' })
})
