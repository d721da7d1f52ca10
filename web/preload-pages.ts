import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

const SOURCE = join(import.meta.dirname, 'src')
/** Files of the page that differ in the code that they load at once and in what they show meanwhile. */
const PAGES = {
  'search.html': { entry: join(SOURCE, 'results/results-page.tsx'), blocks: ['h-12', 'h-44', 'h-44', 'h-44'] },
  'property.html': { entry: join(SOURCE, 'property/property-page.tsx'), blocks: ['h-12 w-2/3', 'h-12', 'h-80'] },
}

/** End of the header's placeholder in index.html. */
const PLACEHOLDER_END = /(?=\s*<\/div>\s*<noscript>)/

/** Grey blocks in place of the content, until the code has loaded. */
const drawBlocks = (heights: readonly string[]): string =>
  `<div class="wrap flex flex-col gap-2.5 py-4" aria-hidden="true">${heights.map((height) => `<div class="skeleton ${height}"></div>`).join('')}</div>`

/** Writes `index.html` again for the pages that links lead to, with their code in the first round of requests. */
export const preloadPages: Plugin = {
  name: 'preload-pages',
  enforce: 'post',
  generateBundle(_, bundle) {
    const index = bundle['index.html']
    if (index?.type !== 'asset') throw new Error('The build has no index.html.')
    const html = String(index.source)
    for (const [fileName, { entry, blocks }] of Object.entries(PAGES)) {
      const files = listFiles(entry, bundle).filter((file) => !html.includes(file))
      const links = files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
      const source = html.replace('</head>', `${links.join('')}</head>`).replace(PLACEHOLDER_END, drawBlocks(blocks))
      this.emitFile({ type: 'asset', fileName, source })
    }
  },
}

function listFiles(entry: string, bundle: Rolldown.OutputBundle): string[] {
  const first = Object.values(bundle).find((file) => file.type === 'chunk' && file.moduleIds.includes(entry))
  if (first === undefined) throw new Error(`The build has no ${entry}.`)
  const found = new Set([first.fileName])
  for (const name of found) {
    const chunk = bundle[name]
    if (chunk?.type === 'chunk') for (const imported of chunk.imports) found.add(imported)
  }
  return [...found]
}
