import { expect, test } from 'vitest'
import { expectAccessible, PHONE_DARK } from './console-steps.ts'
import { example, openRecorded, problem } from './recorded-api.ts'
import { sharedSite } from './sites.ts'

test('the console opens only to an operator with password and one-time code', async () => {
  const { page, api, trouble, close } = await openRecorded(await sharedSite(), { account: null })
  await page.goto('/console')
  await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor()
  const openDialog = page.getByRole('main').getByRole('button', { name: 'Sign in' })
  await openDialog.click()
  const dialog = page.getByRole('dialog')
  const signIn = dialog.getByRole('button', { name: 'Sign in' })
  await signIn.click()
  await page.getByRole('heading', { name: 'This account is not an operator' }).waitFor()
  await expectAccessible(page, PHONE_DARK)
  expect(await page.getByRole('link', { name: 'Console' }).count(), 'a client sees no link to it').toBe(0)
  expect(api.requests('operatorAttention')).toEqual([])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto('/console')
  await openDialog.click()
  await dialog.getByLabel('E-mail').fill('operator@example.com')
  await dialog.getByLabel('Password').fill('a long enough password')
  api.answer('sessionSignIn', problem('totp_required'), problem('invalid_credentials'), () => {
    api.signIn({ id: 'acc_operator', role: 'operator' })
    const { data } = example('sessionSignIn')
    return {
      status: 200,
      body: { data: { ...data, account: { ...data.account, id: 'acc_operator', role: 'operator' } } },
    }
  })
  await signIn.click()
  const code = dialog.getByLabel(/authenticator app/)
  await code.fill('000000')
  await signIn.click()
  await dialog.getByText(/^The e-mail, password or code is wrong\./).waitFor()
  await expectAccessible(page, PHONE_DARK)
  await code.fill('123456')
  await signIn.click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Console' }).waitFor()
  expect(api.requests('sessionSignIn').at(-1)?.body.user.totp).toBe('123456')
  expect(trouble()).toEqual([])
  await close()
})
