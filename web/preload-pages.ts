import type { Plugin, Rolldown } from 'vite'
import { MAIN, PROPERTY, RESULTS, START } from './choose-chunk.ts'

/** Files of the page that differ in the code that they load at once and in what they show meanwhile. */
const PAGES = {
  'search.html': { entry: RESULTS, blocks: ['h-12', 'h-44', 'h-44', 'h-44'], hasPlainForm: true },
  'property.html': { entry: PROPERTY, blocks: ['h-12 w-2/3', 'h-12', 'h-80'], hasPlainForm: false },
}

/** Posts to the address of the results, so that only a click searches. `src/page/routes/plain-results.ts` answers. */
const PLAIN_FORM = `<form class="wrap flex max-w-3xl flex-wrap gap-3 pt-8" method="post">
        <button class="btn btn-primary">Show the results without JavaScript</button>
        <button class="btn btn-quiet" lang="de">Ergebnisse ohne JavaScript zeigen</button>
      </form>`
const NOSCRIPT = /(?<=<body>[\s\S]*<noscript>)/

/** End of the header's placeholder in index.html. */
const PLACEHOLDER_END = /(?=\s*<\/div>\s*<noscript>)/

/** Grey blocks in place of the content, until the code has loaded. */
const drawBlocks = (heights: readonly string[]): string =>
  `<div class="wrap flex flex-col gap-2.5 py-4" aria-hidden="true">${heights.map((height) => `<div class="skeleton ${height}"></div>`).join('')}</div>`

/**
 * Requests the code of the page together with `start.ts`, which imports it. Writes `index.html` again for the pages that
 * links lead to: with their code in the first round of requests, and with settings that start a guest session.
 */
export const preloadPages: Plugin = {
  name: 'preload-pages',
  enforce: 'post',
  generateBundle(_, bundle) {
    const index = bundle['index.html']
    if (index?.type !== 'asset') throw new Error('The build has no index.html.')
    const start = findChunk(START, bundle).fileName
    const html = addFiles(String(index.source).replace(`crossorigin src="/${start}"`, 'async $&'), MAIN, bundle)
    index.source = html
    for (const [fileName, { entry, blocks, hasPlainForm }] of Object.entries(PAGES)) {
      const source = addFiles(html, entry, bundle)
        .replace('href="/page-config.json"', 'href="/page-config.json?guest"')
        .replace(NOSCRIPT, hasPlainForm ? PLAIN_FORM : '')
        .replace(PLACEHOLDER_END, drawBlocks(blocks))
      this.emitFile({ type: 'asset', fileName, source })
    }
  },
}

/** Adds the files of `entry` as `preload`. With `modulepreload` the browser would compile them before `start.ts` runs. */
function addFiles(html: string, entry: string, bundle: Rolldown.OutputBundle): string {
  const files = listFiles(entry, bundle).filter((file) => !html.includes(file))
  const links = files.map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="preload" as="script" crossorigin href="/${file}">`,
  )
  return html.replace('</head>', `${links.join('')}</head>`)
}

function findChunk(moduleId: string, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk {
  for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.moduleIds.includes(moduleId)) return file
  throw new Error(`The build has no ${moduleId}.`)
}

function listFiles(entry: string, bundle: Rolldown.OutputBundle): string[] {
  const found = new Set([findChunk(entry, bundle).fileName])
  for (const name of found) {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk') continue
    for (const imported of [...chunk.imports, ...(chunk.viteMetadata?.importedCss ?? [])]) found.add(imported)
  }
  return [...found]
}
