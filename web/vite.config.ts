import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chooseChunk } from './choose-chunk.ts'
import { compileMessages } from './compile-messages.ts'
import { preloadPages } from './preload-pages.ts'

/** Languages of the page, such as `de-DE`; react-aria would otherwise include thirty more. */
const languages = readdirSync(join(import.meta.dirname, 'src/i18n'))
  .filter((file) => /^[a-z]{2}\.ts$/.test(file))
  .map((file) => new Intl.Locale(file.slice(0, 2)).maximize())
  .map(({ language, region }) => `${language}-${region}`)
const LANGUAGES = new RegExp(`/intl/[^/]+/(${languages.join('|')})\\.m?js$`)

/** Removes messages of other languages, a quarter of the first download. */
const onlyOurLanguages: Plugin = {
  name: 'only-our-languages',
  enforce: 'pre',
  load(id) {
    const isMessages = /\/react-(aria|stately|aria-components)\/.*\/intl\/[^/]+\/[a-z]{2}-[A-Z]{2}\.m?js$/.test(id)
    return isMessages && !LANGUAGES.test(id) ? 'export default {}' : undefined
  },
}

export default defineConfig({
  plugins: [compileMessages, onlyOurLanguages, react(), tailwindcss(), preloadPages],
  build: {
    target: 'es2022',
    // data: URLs would need a looser content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // MapLibre, which is loaded only for a map.
    chunkSizeWarningLimit: 1_100,
    rolldownOptions: {
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chooseChunk, debugName: 'pages' }] },
      },
    },
  },
  server: {
    // The API client is outside this folder.
    fs: { allow: ['..'] },
    proxy: Object.fromEntries(
      ['/api', '/page-config.json', '/sandbox'].map((path) => [path, 'http://127.0.0.1:4000'] as const),
    ),
  },
})
