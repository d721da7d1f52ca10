import { expect, test } from 'vitest'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { createNamedObjectStore } from '../../../src/operator/store/named-objects.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

onBothDatabases('names of objects in the audit log', (open) => {
  test('a page without objects of some kind, or of all kinds, is read like any other', async () => {
    const database = open()
    await createAccountStore(database).add({
      id: 'acc_named',
      email: 'named@example.com',
      name: '',
      passwordHash: '',
      createdAt: 1,
      disabledAt: undefined,
      role: 'client',
    })
    const { names } = createNamedObjectStore(database)
    expect(await names([])).toEqual(new Map())
    expect(await names(['acc_named', 'acc_unknown', 'root'])).toEqual(new Map([['acc_named', 'named@example.com']]))
  })
})
