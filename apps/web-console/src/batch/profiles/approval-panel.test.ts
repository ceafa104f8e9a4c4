import { expect, test } from 'vitest'
import { axeFindings } from '../../../test/accessibility.ts'
import { batchPages } from '../../../test/batch-world.ts'
import type { Page } from '../../../test/bundle-pages.ts'

const signedIn = batchPages()

const portal = { ApproverPortal: { Enabled: true, LinkSecret: 'a secret of at least thirty-two characters' } }

const words = {
  'en-US': {
    on: 'Ask for approval',
    one: 'Approver 1',
    two: 'Approver 2',
    name: 'Name',
    email: 'E-mail',
    add: 'Add approver',
    wrong: 'The check digits are wrong.',
    quorum: 'Approvals needed',
    wait: 'Longest wait, in hours',
    long: 'That is 24 days or more',
    approvers: 'The approvers',
    cannot: 'Approvers can sign once',
    format: 'Format',
    save: 'Save',
    saved: 'The profile default is saved.',
    all: 'All profiles',
    chip: '2 of 2 approve',
    keyless: 'Approvers sign',
  },
  'pt-BR': {
    on: 'Pedir aprovação',
    one: 'Aprovador 1',
    two: 'Aprovador 2',
    name: 'Nome',
    email: 'E-mail',
    add: 'Adicionar aprovador',
    wrong: 'Os dígitos verificadores não conferem.',
    quorum: 'Aprovações necessárias',
    wait: 'Espera máxima, em horas',
    long: 'São 24 dias ou mais',
    approvers: 'Os aprovadores',
    cannot: 'Aprovadores podem assinar quando',
    format: 'Formato',
    save: 'Salvar',
    saved: 'O perfil default foi salvo.',
    all: 'Todos os perfis',
    chip: '2 de 2 aprovam',
    keyless: 'Aprovadores assinam',
  },
} as const

type Words = (typeof words)[keyof typeof words]

/** Fills in one approver, the CPF key by key. */
async function fillIn(page: Page, say: Words, legend: string, [name, email, cpf]: readonly [string, string, string]) {
  const person = page.getByRole('group', { name: legend })
  await person.getByLabel(say.name).fill(name)
  await person.getByLabel(say.email).fill(email)
  await person.getByLabel('CPF').fill('')
  await person.getByLabel('CPF').pressSequentially(cpf)
  return person
}

const expectNeat = async (page: Page, width: number) => {
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
}

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const)('at %d pixels in %s an operator says who must approve, and how many', async (width, locale) => {
  const say = words[locale]
  const { service, page } = await signedIn({ path: '/profiles/default', width, locale })
  await page.getByLabel(say.on).check({ force: true })
  const ana = await fillIn(page, say, say.one, ['Ana Souza', 'ana@banco.example', '52998224726'])
  await ana.getByText(say.wrong).waitFor()
  await fillIn(page, say, say.one, ['Ana Souza', 'ana@banco.example', '52998224725'])
  expect(await ana.getByLabel('CPF').inputValue()).toBe('529.982.247-25')
  expect(await ana.getByText(say.wrong).count()).toBe(0)

  await page.getByRole('button', { name: say.add }).click()
  await fillIn(page, say, say.two, ['Bruno Lima', 'bruno@banco.example', '111444'])
  await page.getByLabel(say.quorum).selectOption('2')
  await page.getByLabel(say.wait).fill('576')
  await page.getByText(say.long).waitFor()
  await page.getByLabel(say.wait).fill('1,5')
  await page.getByText(say.long).waitFor({ state: 'detached' })
  await page.getByText(say.cannot).waitFor()
  expect(await page.getByRole('radio', { name: say.approvers, exact: true }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: say.save }).click()
  await page.getByRole('alert').getByText('The CPF of an approver has eleven digits').waitFor()
  await expectNeat(page, width)

  await fillIn(page, say, say.two, ['Bruno Lima', 'bruno@banco.example', '11144477735'])
  await page.getByRole('button', { name: say.save }).click()
  await page.getByText(say.saved).first().waitFor()
  const { body } = await service.full.json('GET', '/dashboard/api/profiles/default')
  expect(body.approval).toEqual({
    minimumApprovers: 2,
    expiresAfterSeconds: 5_400,
    signers: 'ProfileKey',
    approvers: [
      { name: 'Ana Souza', email: 'ana@banco.example', cpf: '52998224725' },
      { name: 'Bruno Lima', email: 'bruno@banco.example', cpf: '11144477735' },
    ],
  })
  await page.getByRole('link', { name: say.all }).click()
  await page.getByText(say.chip).waitFor()
  await expectNeat(page, width)
})

test.each([
  [390, 'en-US'],
  [1280, 'pt-BR'],
] as const)('at %d pixels in %s approvers sign in place of the key, in CAdES only', async (width, locale) => {
  const say = words[locale]
  const { service, page } = await signedIn({ path: '/profiles/default', width, locale, settings: portal })
  await page.getByLabel(say.on).check({ force: true })
  await fillIn(page, say, say.one, ['Ana Souza', 'ana@banco.example', '52998224725'])
  await page.getByRole('radio', { name: say.approvers, exact: true }).check()
  await page.getByRole('button', { name: say.save }).click()
  await page.getByText('Approvers sign in CAdES').first().waitFor()
  await page.getByLabel(say.format, { exact: true }).selectOption('Cades')
  await page.getByRole('button', { name: say.save }).click()
  await page.getByText(say.saved).first().waitFor()
  await page.getByText(say.keyless, { exact: true }).waitFor()
  const { body } = await service.full.json('GET', '/api/profiles/default')
  expect(body).toMatchObject({ state: 'keyless', certificateSource: null, approval: { required: 1, poolSize: 1 } })
  await expectNeat(page, width)
})
