import { expect, onTestFinished, test, vi } from 'vitest'
import { createTabStorage } from '../../support/web/tab-storage.ts'

test('language and currency can be changed without local storage', async () => {
  vi.stubGlobal('localStorage', createTabStorage(0))
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { setPreferences, getPreferences } = await import('../../../web/src/browser/preferences.ts')
  setPreferences({ locale: 'de', currency: 'CHF' })
  expect(getPreferences()).toMatchObject({ locale: 'de', currency: 'CHF' })
})
