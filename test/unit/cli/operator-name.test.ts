import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { operatorName } from '../../../src/cli/operator-name.ts'

test('the operator is the user of the machine, or the user id if that user has no name', () => {
  expect(operatorName()).toBe(userInfo().username)
  const nameless = () => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  }
  expect(operatorName(nameless)).toBe(`uid ${process.getuid?.()}`)
})
