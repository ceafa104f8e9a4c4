import { expect, test } from 'vitest'
import {
  browserOf,
  comeByLink,
  maria,
  portalSettings,
} from '../../../../../services/batch-signer/test/test-support/approvers.ts'
import { API_KEY } from '../../../../../services/batch-signer/test/test-support/running-service.ts'
import { batchPages, profileOf } from '../../../test/batch-world.ts'
import { expectUsable } from '../../../test/portal-world.ts'

const signedIn = batchPages()

const pool = [{ Name: maria.name, Email: maria.email, Cpf: maria.cpf }]

const profiles = [
  profileOf('ana-souza', {
    Name: 'default',
    InputFolder: 'default',
    Approval: { MinimumApprovers: 1, Approvers: pool },
  }),
]

const words = {
  'en-US': {
    operators: 'Operators who are signed in',
    approvers: 'Approvers who are signed in',
    here: 'this one',
    endOf: `End the session of ${maria.email.toLowerCase()} from 127.0.0.1`,
    endOthers: 'End all others',
    one: 'Sessions ended: 1.',
    none: 'No approver is signed in.',
  },
  'pt-BR': {
    operators: 'Operadores conectados',
    approvers: 'Aprovadores conectados',
    here: 'esta',
    endOf: `Encerrar a sessão de ${maria.email.toLowerCase()}, de 127.0.0.1`,
    endOthers: 'Encerrar todas as outras',
    one: 'Sessões encerradas: 1.',
    none: 'Nenhum aprovador está conectado.',
  },
} as const

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const)('at %d pixels in %s an operator sees who is signed in, and ends it', async (width, locale) => {
  const say = words[locale]
  const { service, page } = await signedIn({ path: '/system', width, locale, profiles, settings: portalSettings })
  const operators = page.getByRole('region', { name: say.operators })
  await operators.getByText(say.here).waitFor()
  await page.getByText(say.none).waitFor()

  const approver = await comeByLink(service, maria)
  const other = browserOf(service)
  const form = { method: 'POST', body: new URLSearchParams({ ApiKey: API_KEY }), redirect: 'manual' } as const
  const login = await fetch(`${service.full.baseUrl}/api/auth/login`, form)
  other.cookies.set('chancela-batch', login.headers.getSetCookie()[0]!.split(/[=;]/)[1]!)
  await page.reload()
  await page.getByRole('button', { name: say.endOf }).waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: say.endOf }).click()
  await page.getByText(say.one).first().waitFor()
  await page.getByText(say.none).waitFor()
  expect((await approver.call('GET', '/approvals/api/me')).status).toBe(401)

  await operators.getByRole('button', { name: say.endOthers }).click()
  await operators.getByRole('button', { name: say.endOthers }).waitFor({ state: 'detached' })
  expect((await other.call('GET', '/api/whoami')).status).toBe(401)
  await operators.getByText(say.here).waitFor()
})
