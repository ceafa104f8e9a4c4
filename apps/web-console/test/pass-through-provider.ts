import type { WatchedPage } from '@chancela/testkit/browser'

/** Signs in at the identity provider of the tests like a person, from the sign-in page of a service. */
export async function passThroughProvider(page: WatchedPage['page'], login: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with Hospital' }).click()
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('whatever')
  // The second page asks whether the service may learn who it is.
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click()
}
