import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Shared by all files of a test project, and removed at its end. */
    readonly sharedFolder: string
  }
}

export default function createSharedFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'serai-shared-'))
  project.provide('sharedFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
