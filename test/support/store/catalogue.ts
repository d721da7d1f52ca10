import { onTestFinished } from 'vitest'
import { type Catalogue, createCatalogue } from '../../../src/catalogue/catalogue.ts'

/** A catalogue for one test; its background reads stop when the test ends. */
export function openCatalogue(deps: Parameters<typeof createCatalogue>[0]): Catalogue {
  const catalogue = createCatalogue(deps)
  onTestFinished(() => catalogue.stop())
  return catalogue
}
