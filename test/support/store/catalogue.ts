import { onTestFinished } from 'vitest'
import { type Catalogue, createCatalogue } from '../../../src/catalogue/catalogue.ts'

/** A catalogue for one test: nothing is read in the background once the test is over. */
export function openCatalogue(deps: Parameters<typeof createCatalogue>[0]): Catalogue {
  const catalogue = createCatalogue(deps)
  onTestFinished(() => catalogue.stop())
  return catalogue
}
