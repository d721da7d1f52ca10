import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest files of their rings, longest first. */
const LONGEST = [
  'unit/booking/simulation',
  'unit/booking/planted-bugs',
  'app/openapi-lint',
  'process/crash-loop',
  'process/fuzz',
  'process/certify',
  'web/access',
  'web/booking-scenarios',
].map((name) => `/test/${name}.test.ts`)

/** Starts long files first, so that no core waits for the last of them. Without this, large files are first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const placeOf = ({ project, moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(name))
      return projects.indexOf(project.name) * 1_000 + (at === -1 ? LONGEST.length : at)
    }
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
