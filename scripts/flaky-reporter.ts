import type { Reporter, TestCase } from 'vitest/node'

/** Names the tests that passed only when they were run again: each is a bug in the test or in what it tests. */
export default class FlakyReporter implements Reporter {
  readonly #flaky: string[] = []

  onTestCaseResult(test: TestCase): void {
    const { flaky = false } = test.diagnostic() ?? {}
    if (!flaky) return
    const [error] = test.result().errors ?? []
    this.#flaky.push(
      `${test.module.relativeModuleId} > ${test.fullName}\n    ${error?.message ?? 'no reason was kept'}`,
    )
  }

  onTestRunEnd(): void {
    for (const one of this.#flaky) console.log(`FLAKY, passed when run again: ${one}`)
  }
}
