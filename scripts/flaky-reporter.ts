import type { Reporter, TestCase } from 'vitest/node'

/** Lists the tests that passed only on a retry: each is a bug in the test or in the tested code. */
export default class FlakyReporter implements Reporter {
  readonly #flaky: string[] = []

  onTestCaseResult(test: TestCase): void {
    const { flaky = false } = test.diagnostic() ?? {}
    if (!flaky) return
    const [error] = test.result().errors ?? []
    this.#flaky.push(
      `${test.module.relativeModuleId} > ${test.fullName}\n    ${error?.message ?? 'no error was recorded'}`,
    )
  }

  onTestRunEnd(): void {
    for (const test of this.#flaky) console.log(`FLAKY, passed on a retry: ${test}`)
  }
}
