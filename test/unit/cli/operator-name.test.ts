import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { operatorName } from '../../../src/cli/operator-name.ts'

test('a command is given by the user of the machine; one without a name is known by its number', () => {
  expect(operatorName()).toBe(userInfo().username)
  const nameless = () => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  }
  expect(operatorName(nameless)).toBe(`uid ${process.getuid?.()}`)
})
