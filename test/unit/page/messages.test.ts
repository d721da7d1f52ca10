import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnglishOnly, useI18n } from '../../../web/src/i18n/i18n.tsx'

test('messages group their numbers and choose the plural form', () => {
  const Count = ({ n }: { n: number }) => useI18n().t('results_count', { n })
  const show = (n: number) => renderToStaticMarkup(createElement(EnglishOnly, null, createElement(Count, { n })))
  expect(show(1)).toContain('>1 stay<')
  expect(show(1204)).toContain('>1,204 stays<')
})
