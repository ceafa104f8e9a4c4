// The way of one remittance from the rule to the bank: an operator says who approves, three people sign, each in their own
// way and after a code of their app, and OpenSSL finds their three signatures; another file is rejected and comes back.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCloudProvider } from '@chancela/testkit/cloud-provider'
import { codeOf } from '@chancela/testkit/console'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { builtPages } from '@chancela/testkit/pages'
import { withSections } from '@chancela/testkit/service-world'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  linkOf,
  portalSettings,
  SEED_SECRET,
} from '../../../../../services/batch-signer/test/test-support/approvers.ts'
import { lyingIn } from '../../../../../services/batch-signer/test/test-support/lying-in.ts'
import {
  API_KEY,
  demoPki,
  profileOf,
  type RunningBatchSigner,
  startBatchSigner,
} from '../../../../../services/batch-signer/test/test-support/running-service.ts'
import { allowRedirects } from '../../../../../services/cloud-hub/test/test-support/authorized.ts'
import { startHub } from '../../../../../services/cloud-hub/test/test-support/hub-world.ts'
import { clock as hubClock } from '../../../../../services/cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../../../services/cloud-hub/test/test-support/providers.ts'
import { bundlePages, type Page } from '../../../test/bundle-pages.ts'
import { swapBundle } from '../../../test/bundle-proxy.ts'
import { ana, bruno, stranger as davi, expectUsable, type Person, remittance } from '../../../test/portal-world.ts'

const { visit, swap } = bundlePages('batch')
let chooser = ''

beforeAll(async () => {
  chooser = await builtPages('chooser')
})

const now = () => new Date()
const pinOf = ({ label }: Person) => demoHolders.find((holder) => holder.label === label)!.pin

async function openWorld() {
  hubClock.set(now())
  const hubFront = await swapBundle(chooser, () => hub.baseUrl, '/choose')
  const front = await swap(() => service.full.baseUrl)
  onTestFinished(async () => {
    await hubFront.stop()
    await front.stop()
  })
  const hub = await startHub('SQLite', { settings: { Http: { PublicUrl: hubFront.origin } } })
  const provider = await startCloudProvider({ pki: (await demoPki()).pki, clock: hubClock })
  onTestFinished(() => provider.stop())
  await addProvider(hub, provider, { protocol: 'psc', serviceName: 'nuvem' })
  await allowRedirects(hub, `${front.origin}/approvals/cloud/return`)
  const remittances = { Format: 'Cades', CheckCnab240: true, CheckCnab240PaymentDates: false }
  const service = await startBatchSigner({
    database: 'SQLite',
    profiles: [profileOf(ana.label, { Name: 'default', InputFolder: 'default', ...remittances })],
    settings: withSections(portalSettings, {
      Signing: { AuthorityHosts: ['127.0.0.0/8', 'localhost'] },
      ApproverSecondFactor: { Enabled: true, SeedSecret: SEED_SECRET, Issuer: 'Casa' },
      CloudHub: { Endpoint: hub.baseUrl, ApiKey: hub.client.apiKey, PublicBaseUrl: front.origin },
    }),
  })
  const elsewhere = [hubFront.origin, new URL(provider.psc.baseUrl).origin]
  const open = (path: string, width: number) =>
    visit(front.origin, path, now, {
      locale: 'pt-BR',
      viewport: { width, height: 900 },
      elsewhere,
      provoked: /40\d/,
    })
  return { service, open }
}

/** The operator's form: three people, all of whom sign. */
async function setRule(page: Page): Promise<void> {
  await page.getByLabel('Chave de API').fill(API_KEY)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByLabel('Pedir aprovação').check({ force: true })
  for (const [at, { name, email, cpf }] of [ana, bruno, davi].entries()) {
    if (at > 0) await page.getByRole('button', { name: 'Adicionar aprovador' }).click()
    const person = page.getByRole('group', { name: `Aprovador ${at + 1}` })
    await person.getByLabel('Nome').fill(name)
    await person.getByLabel('E-mail').fill(email)
    await person.getByLabel('CPF').pressSequentially(cpf)
  }
  await page.getByLabel('Aprovações necessárias').selectOption('3')
  await page.getByRole('radio', { name: 'Os aprovadores', exact: true }).check()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('O perfil default foi salvo.').first().waitFor()
}

interface Job {
  readonly fileName: string
  readonly status: string
}

const statusOf = async ({ full }: RunningBatchSigner, name: string) =>
  (await full.json<{ items: Job[] }>('GET', '/api/jobs')).body.items.find(({ fileName }) => fileName === name)?.status

/** Sets the authenticator app up; its code opens the time in which decisions need no other. */
async function setUpApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cadastrar o aplicativo' }).click()
  const secret = (await page.locator('code[translate=no]').textContent())!.replaceAll(' ', '')
  await page.getByLabel('Código do aplicativo').fill(codeOf(secret, now()))
  await page.getByRole('button', { name: 'Confirmar o código' }).click()
  await page.getByText('O aplicativo autenticador está cadastrado.').first().waitFor()
}

async function beginToSign(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Aprovar assinando…' }).click()
}

async function signWithFile(page: Page, person: Person, folder: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Certificado em arquivo', { exact: true }).click()
  await dialog.getByLabel('Arquivo do certificado').setInputFiles(join(folder, `${person.label}.p12`))
  await dialog.getByLabel('Senha do arquivo').fill(pinOf(person))
  await dialog.getByRole('button', { name: 'Abrir o certificado' }).click()
  await dialog.getByRole('button', { name: 'Assinar', exact: true }).click()
  await dialog.getByText('O arquivo está aprovado.').waitFor()
}

async function signInCloud(page: Page, person: Person): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Certificado em nuvem', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Assinar com certificado em nuvem' }).click()
  await page.getByRole('link', { name: /nuvem/ }).click()
  await page.getByLabel('CPF ou CNPJ').fill(person.cpf)
  await page.getByLabel('PIN').fill(pinOf(person))
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('button', { name: 'Autorizar' }).click()
  await page.getByRole('dialog').getByText('Aprovado e liberado').waitFor()
}

/** Who signed a file, as OpenSSL reads it once it has verified every signature against the roots. */
async function signersOf(path: string, roots: string, content: Buffer): Promise<readonly string[]> {
  const signers = join(temporaryFolder(), 'signers.pem')
  const verify = ['cms', '-verify', '-binary', '-purpose', 'any', '-CAfile', roots, '-signer', signers]
  const { ok, text, stdout } = await openssl([...verify, '-inform', 'DER', '-in', path])
  expect(ok, text.slice(-500)).toBe(true)
  expect(stdout.equals(content)).toBe(true)
  const certificates = readFileSync(signers, 'utf8').match(/-----BEGIN[\s\S]*?-----END CERTIFICATE-----\n/g) ?? []
  return Promise.all(
    certificates.map(async (certificate) => {
      const one = join(temporaryFolder(), 'one.pem')
      writeFileSync(one, certificate)
      return (await openssl(['x509', '-noout', '-subject', '-nameopt', 'multiline', '-in', one])).text
    }),
  )
}

test('a remittance is signed by the three people whom a rule asks for, each in their own way, and another comes back', async () => {
  const { service, open } = await openWorld()
  const operator = await open('/login?ReturnUrl=%2Fprofiles%2Fdefault', 1280)
  await setRule(operator)

  const [wages, duplicate] = [remittance(123_400), remittance(999_900)]
  writeFileSync(join(service.input(), 'salarios.rem'), wages)
  writeFileSync(join(service.input(), 'duplicado.rem'), duplicate)
  for (const name of ['salarios.rem', 'duplicado.rem'])
    await expect.poll(() => statusOf(service, name)).toBe('AwaitingApproval')

  const phone = await open(linkOf(ana.email), 390)
  await setUpApp(phone)
  await expectUsable(phone)
  await beginToSign(phone, 'salarios.rem')
  await signWithFile(phone, ana, service.folder)
  await expectUsable(phone)

  const second = await open(linkOf(bruno.email), 1280)
  await setUpApp(second)
  await beginToSign(second, 'salarios.rem')
  await signWithFile(second, bruno, service.folder)
  expect(await statusOf(service, 'salarios.rem')).toBe('AwaitingApproval')

  const third = await open(linkOf(davi.email), 390)
  await setUpApp(third)
  await beginToSign(third, 'salarios.rem')
  await signInCloud(third, davi)
  await expectUsable(third)
  await expect.poll(() => statusOf(service, 'salarios.rem')).toBe('Completed')

  const [signed, ...others] = lyingIn(service.output)
  expect(others).toEqual([])
  const signers = await signersOf(join(service.output, signed!), join(service.folder, 'roots.pem'), wages)
  expect(signers).toHaveLength(3)
  for (const { cpf } of [ana, bruno, davi]) expect(signers.filter((subject) => subject.includes(cpf))).toHaveLength(1)

  await second.getByRole('dialog').getByRole('button', { name: 'Fechar' }).last().click()
  await second.getByRole('link', { name: 'Todas as aprovações' }).click()
  await second.getByRole('link', { name: 'duplicado.rem' }).click()
  await second.getByRole('button', { name: 'Rejeitar…' }).click()
  await second.getByRole('dialog').getByLabel('Motivo').fill('Já foi pago ontem.')
  await second.getByRole('dialog').getByRole('button', { name: 'Rejeitar o arquivo' }).click()
  await expect.poll(() => lyingIn(service.input())).toEqual([])
  expect(lyingIn(service.output).filter((name) => name !== signed)).toEqual(['duplicado.reject.rem'])
  expect(readFileSync(join(service.output, 'duplicado.reject.rem')).equals(duplicate)).toBe(true)
  expect(await statusOf(service, 'duplicado.rem')).toBe('Canceled')
})
