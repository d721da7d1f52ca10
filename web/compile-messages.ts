import { statSync } from 'node:fs'
import compile from 'icu-minify/compile'
import type { Plugin } from 'vite'

const MESSAGES = /\/web\/src\/i18n\/([a-z]{2})\.ts$/

/** Compiles the ICU messages of each language, so that the page does not need a parser. */
export const compileMessages: Plugin = {
  name: 'compile-messages',
  async load(id) {
    const [, language] = MESSAGES.exec(id) ?? []
    if (language === undefined) return
    this.addWatchFile(id)
    // The time makes Node read a changed file again.
    const module = await import(`${id}?${statSync(id).mtimeMs}`)
    const texts = Object.entries<string>(module[language]).map(([key, text]) => [key, compile(text)])
    return `export const ${language} = ${JSON.stringify(Object.fromEntries(texts))}`
  },
}
