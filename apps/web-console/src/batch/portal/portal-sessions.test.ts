// An approver sees where they are signed in, and ends it.
import { expect, test } from 'vitest'
import { browserOf, linkOf } from '../../../../../services/batch-signer/test/test-support/approvers.ts'
import { ana, expectUsable, portalPages } from '../../../test/portal-world.ts'

const portal = portalPages()

const words = {
  'en-US': {
    own: 'Your sessions',
    here: 'this one',
    end: 'End the session from 127.0.0.1',
    endOthers: 'End all others',
    ended: 'Sessions ended: 1.',
    back: 'All approvals',
    link: 'Open your link',
  },
  'pt-BR': {
    own: 'Suas sessões',
    here: 'esta',
    end: 'Encerrar a sessão de 127.0.0.1',
    endOthers: 'Encerrar todas as outras',
    ended: 'Sessões encerradas: 1.',
    back: 'Todas as aprovações',
    link: 'Abra o seu link',
  },
} as const

test.each([
  [320, 'pt-BR'],
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const)('at %d pixels in %s an approver ends sessions elsewhere', async (width, locale) => {
  const say = words[locale]
  const world = await portal()
  const others = [browserOf(world.service), browserOf(world.service)]
  for (const { call } of others) await call('GET', linkOf(ana.email))
  const page = await world.come(ana, { width, locale })
  await page.getByTitle(say.own).click()
  await page.getByText(say.here).waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: say.end }).first().click()
  await page.getByText(say.ended).first().waitFor()
  await page.getByRole('button', { name: say.endOthers }).click()
  await page.getByRole('button', { name: say.endOthers }).waitFor({ state: 'detached' })
  const statuses = others.map(async ({ call }) => (await call('GET', '/approvals/api/me')).status)
  expect(await Promise.all(statuses)).toEqual([401, 401])
  await page.getByRole('link', { name: say.back }).click()
  await page.waitForURL(/\/approvals(\?|$)/)

  // Ended elsewhere, the page shows what nobody sees.
  await page.goto(`${world.origin}/approvals/sessions`)
  await page.getByText(say.here).waitFor()
  await world.service.full.call('DELETE', '/dashboard/api/sessions?kind=approver')
  await page.reload()
  await page.getByRole('heading', { name: say.link }).waitFor()
})
