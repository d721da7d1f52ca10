import { join } from 'node:path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addDocsFile, DOCS_ROUTE, docsFile } from '../openapi/reference-page.ts'
import { type GuideGroup, readGuides } from './docs-guides.ts'
import { guideHtml, indexHtml } from './docs-html.ts'

const ROOT = join(import.meta.dirname, '../../..')
const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'

/** Guides as HTML and Markdown, and `llms.txt` for agents. */
export const docsRoutes: FastifyPluginAsyncTypebox<{ publicUrl: string }> = async (app, { publicUrl }) => {
  const groups = readGuides(ROOT)
  const files = new Map([['guides', docsFile(HTML, () => indexHtml(groups))]])
  for (const guide of groups.flatMap(({ guides }) => guides)) {
    files.set(
      `${guide.name}.md`,
      docsFile(MARKDOWN, () => guide.markdown),
    )
    files.set(
      guide.name,
      docsFile(HTML, () => guideHtml(guide, groups)),
    )
  }
  addDocsFile(
    app,
    '/llms.txt',
    docsFile(MARKDOWN, () => llmsText(groups, publicUrl)),
  )
  app.get<{ Params: { '*': string } }>(
    '/docs/*',
    DOCS_ROUTE,
    async (request, reply) => files.get(request.params['*'])?.send(request, reply) ?? reply.callNotFound(),
  )
}

/** Format: llmstxt.org. */
function llmsText(groups: readonly GuideGroup[], publicUrl: string): string {
  const sections = groups.map(({ title, guides }) => {
    const lines = guides.map(
      ({ name, title: text, summary }) => `- [${text}](${publicUrl}/docs/${name}.md): ${summary}`,
    )
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return `# Serai

> One API over many hotel vendors: get a token, find a location, search, open a property, check the price and terms, book a room. A
> booking is made exactly once, whatever fails. The header \`x-simulate-return\` simulates every outcome; nothing is booked then.

- [API reference](${publicUrl}/openapi.json): every operation with its schemas and examples, OpenAPI 3.1

${sections.join('\n')}`
}
