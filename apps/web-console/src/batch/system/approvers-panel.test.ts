import { codeOf } from '@chancela/testkit/console'
import { expect, test } from 'vitest'
import {
  comeByLink,
  joao,
  linkOf,
  maria,
  portalSettings,
  SEED_SECRET,
} from '../../../../../services/batch-signer/test/test-support/approvers.ts'
import { batchPages, profileOf } from '../../../test/batch-world.ts'
import { expectUsable } from '../../../test/portal-world.ts'

const signedIn = batchPages()

const member = ({ name, email, cpf }: typeof maria) => ({ Name: name, Email: email, Cpf: cpf })

const profiles = [
  profileOf('ana-souza', {
    Name: 'default',
    InputFolder: 'default',
    Approval: { MinimumApprovers: 1, Approvers: [maria, joao].map(member) },
  }),
]

const settings = { ...portalSettings, ApproverSecondFactor: { Enabled: true, SeedSecret: SEED_SECRET } }

const words = {
  'en-US': {
    links: 'Links of approvers',
    reveal: `Show link of ${joao.name}`,
    apps: 'Authenticator apps of approvers',
    none: 'No approver has set up an authenticator app yet.',
    inUse: 'in use',
    reset: 'Reset',
    done: 'The authenticator app is reset.',
  },
  'pt-BR': {
    links: 'Links dos aprovadores',
    reveal: `Mostrar link de ${joao.name}`,
    apps: 'Aplicativos autenticadores dos aprovadores',
    none: 'Nenhum aprovador cadastrou um aplicativo autenticador ainda.',
    inUse: 'em uso',
    reset: 'Redefinir',
    done: 'O aplicativo autenticador está redefinido.',
  },
} as const

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const)('at %d pixels in %s an operator hands out a link, and resets an app', async (width, locale) => {
  const say = words[locale]
  const { service, page } = await signedIn({ path: '/system', width, locale, profiles, settings })
  await page.getByText(say.none).waitFor()
  const row = page.getByRole('table', { name: say.links }).getByRole('row').filter({ hasText: joao.name })
  expect(await row.textContent()).not.toContain('/approvals/link/')
  await row.getByRole('button', { name: say.reveal }).click()
  await row.getByText(linkOf(joao.email)).waitFor()
  await expectUsable(page)

  await enrol(await comeByLink(service, maria))
  await page.reload()
  const app = page
    .getByRole('table', { name: say.apps })
    .getByRole('row')
    .filter({ hasText: maria.email.toLowerCase() })
  await app.getByText(say.inUse).waitFor()
  await expectUsable(page)
  await app.getByRole('button', { name: say.reset }).click()
  await page.getByRole('dialog').getByRole('button', { name: say.reset }).click()
  await page.getByText(say.done).first().waitFor()
  await page.getByText(say.none).waitFor()
})

async function enrol({ json }: Awaited<ReturnType<typeof comeByLink>>) {
  const { secret, enrolment } = (await json('POST', '/approvals/api/second-factor')).body
  const code = codeOf(secret, new Date())
  const { body } = await json('PUT', '/approvals/api/second-factor', { enrolment, code })
  expect(body.verified).toBe(true)
}
