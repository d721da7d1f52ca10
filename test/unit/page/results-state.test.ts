import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnglishOnly } from '../../../web/src/i18n/i18n.tsx'
import { NO_FILTERS } from '../../../web/src/results/filters/filters.ts'
import { ResultsState } from '../../../web/src/results/results-state.tsx'
import type { Results } from '../../../web/src/results/use-results.ts'

const shown = (...statuses: readonly string[]): string => {
  const vendors = statuses.map((status, index) => ({ vendor_id: `vendor_${index}`, status, properties: 0, took_ms: 0 }))
  const results = {
    run: { status: 'done', vendors },
    listing: { isGathering: false, shown: [], all: [] },
    filters: NO_FILTERS,
  } as unknown as Results
  const state = createElement(ResultsState, { results, onPlace: () => undefined })
  return renderToStaticMarkup(createElement(EnglishOnly, null, state))
}

test('a stay that no vendor offers is not shown as sold out', () => {
  expect(shown('skipped', 'skipped')).toContain('No vendor offers stays like this')
  expect(shown('skipped', 'ok')).toContain('No stays available for these dates')
})
