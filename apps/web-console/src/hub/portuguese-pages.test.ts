import { startCloudProvider } from '@chancela/testkit/cloud-provider'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { expect, onTestFinished, test } from 'vitest'
import { authorizedSession, returnedUser } from '../../../../services/cloud-hub/test/test-support/authorized.ts'
import { startHub } from '../../../../services/cloud-hub/test/test-support/hub-world.ts'
import { clock, running } from '../../../../services/cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../../services/cloud-hub/test/test-support/providers.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { consolePages } from '../../test/console-pages.ts'
import { expectPortuguese } from '../../test/english.ts'

const { consoleOf } = consolePages('hub')

const HASH = Buffer.alloc(32, 7).toString('base64')

/** A hub whose providers fail in all the ways an administrator sees. */
async function troubledHub() {
  const provider = await startCloudProvider({ pki: running.pki, clock })
  onTestFinished(() => provider.stop())
  const world = await startHub('SQLite', { settings: { Providers: { BreakerFailures: 1, BreakerSeconds: 3600 } } })
  const broken = await addProvider(world, provider, { protocol: 'psc', serviceName: 'quebrado' })
  const wrong = await addProvider(world, provider, { protocol: 'psc', serviceName: 'assinatura.errada' })
  const gone = await addProvider(world, provider, {
    protocol: 'psc',
    serviceName: 'ausente',
    endpoint: 'http://127.0.0.1:1/v0',
  })
  const csc = await addProvider(world, provider, { protocol: 'csc', serviceName: 'csc' })
  const session = await authorizedSession(world, provider, { serviceName: wrong.serviceName, holder: 'ana-souza' })
  provider.fail('signature', 'bare-digest')
  const signed = await world.json('POST', '/api/sessions/sign-hash', {
    session,
    hash: HASH,
    digestAlgorithm: 'SHA-256',
  })
  expect(signed.status).toBe(500)
  provider.fail('token', { status: 400, body: { error: 'invalid_client' } })
  await returnedUser(world, provider, { serviceName: wrong.serviceName, holder: 'bruno-lima' })
  provider.failAlways('token', { status: 500 })
  await returnedUser(world, provider, { serviceName: broken.serviceName, holder: demoHolders[0]!.label })
  return { world, provider, broken, wrong, gone, csc }
}

async function tested(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Testar a conexão com ${name}`, exact: true }).click()
  await page.getByRole('dialog').getByRole('status').waitFor()
  await expectPortuguese(page, `test of ${name}`)
}

test('no page of the hub has a word of English in it for a Brazilian, whatever failed', async () => {
  const { world, provider, broken, gone, csc } = await troubledHub()
  const { enter, origin } = await consoleOf(world)
  const { page } = await enter('/', { locale: 'pt-BR', provoked: /40[149]|422|502/, elsewhere: [world.consoleUrl] })
  await page.getByText('Ele respondeu 500.').waitFor()
  await page.getByText('Um provedor de certificados em nuvem não aceita as credenciais do hub').waitFor()
  const pages = ['/', '/providers', '/providers/new', `/providers/${broken.id}`, '/applications', '/sessions', '/uses']
  for (const path of [...pages, '/administrators', '/events', '/account', '/providers/none']) {
    await page.goto(`${origin}${path}`)
    await expectPortuguese(page, path)
  }
  for (const { serviceName } of [broken, gone]) {
    await page.goto(`${origin}/providers`)
    await tested(page, serviceName)
  }
  provider.fail('info', { status: 200, body: { specs: '9', methods: ['credentials/list'] } })
  await page.goto(`${origin}/providers`)
  await tested(page, csc.serviceName)
  // Answered by the service itself, not by the bundle.
  await page.goto(`${world.consoleUrl}/nope`)
  await expectPortuguese(page, '/nope')
  await page.getByRole('link', { name: 'Ir para a primeira página' }).click()
  await page.waitForURL(`${world.consoleUrl}/`)

  // The registration that nobody answers.
  await page.goto(`${origin}/providers/${gone.id}`)
  await page.getByRole('button', { name: 'Cadastrar o hub' }).click()
  await page.getByRole('dialog').getByLabel('Nome').fill('Hospital')
  await page.getByRole('dialog').getByLabel('E-mail').fill('ti@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Cadastrar o hub' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await expectPortuguese(page, 'a registration that failed')
})
