import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** For what the files of one ring share: removed once all of them have ended. */
    readonly sharedFolder: string
  }
}

export default function makeSharedFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'serai-shared-'))
  project.provide('sharedFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
