import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { expect, test } from 'vitest'
import { lyingIn } from '../../../../../services/batch-signer/test/test-support/lying-in.ts'
import { axeFindings } from '../../../test/accessibility.ts'
import { batchPages, type Locale, profileOf } from '../../../test/batch-world.ts'

const signedIn = batchPages()

const words = {
  'en-US': {
    pause: 'Pause',
    resume: 'Resume',
    reason: 'Reason',
    paused: 'Paused',
    add: 'Add folder',
    name: 'Name',
    path: 'Path on the server',
    create: 'Create the folder if it does not exist',
    profile: 'Profile',
    change: 'Change',
    more: 'More options',
    poll: 'Seconds between two looks at the whole folder',
    save: 'Save',
    remove: 'Remove',
    completed: 'Completed',
    output: 'Output folder',
    stopped: 'Stopped',
    gone: (path: string) => `The output folder cannot be used now. ${path} does not exist.`,
    tryFromBand: 'Try the folder nova now',
    stillStopped: 'The folder nova still cannot be used.',
    tryNow: 'Try now',
    goesOn: 'The folder nova goes on.',
  },
  'pt-BR': {
    pause: 'Pausar',
    resume: 'Retomar',
    reason: 'Motivo',
    paused: 'Pausada',
    add: 'Adicionar pasta',
    name: 'Nome',
    path: 'Caminho no servidor',
    create: 'Criar a pasta se ela não existir',
    profile: 'Perfil',
    change: 'Alterar',
    more: 'Mais opções',
    poll: 'Segundos entre duas leituras da pasta inteira',
    save: 'Salvar',
    remove: 'Remover',
    completed: 'Concluído',
    output: 'Pasta de saída',
    stopped: 'Parada',
    gone: (path: string) => `A pasta de saída não pode ser usada agora. ${path} não existe.`,
    tryFromBand: 'Tentar a pasta nova agora',
    stillStopped: 'A pasta nova ainda não pode ser usada.',
    tryNow: 'Tentar agora',
    goesOn: 'A pasta nova voltou a funcionar.',
  },
} as const

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
  [390, 'en-US'],
  [1280, 'pt-BR'],
] as const)(
  'at %d pixels in %s an operator pauses one folder, adds another, sees its file signed, and tries it again when it is held',
  async (width, locale) => {
    const say = words[locale]
    const { service, page } = await folders(width, locale)
    const card = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    const dialog = page.getByRole('dialog')

    await card('default')
      .getByRole('button', { name: `${say.pause}: default` })
      .click()
    await dialog.getByLabel(say.reason).fill('o banco fechou')
    await dialog.getByRole('button', { name: say.pause }).click()
    await card('default').getByText(say.paused, { exact: true }).waitFor()
    await card('default').getByText('o banco fechou').waitFor()
    await writeFile(join(service.input(), 'espera.pdf'), samplePdf('Espera'))

    await page.getByRole('button', { name: say.add }).click()
    await dialog.getByLabel(new RegExp(`^${say.name}`)).fill('nova')
    await dialog.getByLabel(say.path).fill(service.input())
    await dialog.getByLabel(say.profile).selectOption('livre')
    await dialog.getByRole('button', { name: say.add }).click()
    // The service's sentence stands at the field.
    await expect.poll(() => dialog.getByLabel(say.path).getAttribute('aria-invalid')).toBe('true')
    expect(await axeFindings(page)).toEqual([])
    const path = join(service.folder, 'elsewhere', 'nova')
    await dialog.getByLabel(say.path).fill(path)
    await dialog.getByLabel(say.create).check()
    await dialog.getByRole('button', { name: say.add }).click()
    await card('nova').getByText(path).waitFor()
    await dialog.waitFor({ state: 'detached' })

    await writeFile(join(path, 'contrato.pdf'), samplePdf('Contrato'))
    await expect.poll(() => lyingIn(service.output)).toEqual(['contrato.signed.pdf'])
    expect(lyingIn(service.input())).toEqual(['espera.pdf'])
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

    await card('nova')
      .getByRole('button', { name: `${say.change}: nova` })
      .click()
    await dialog.getByText(say.more).click()
    await dialog.getByLabel(say.poll).fill('5')
    const output = join(service.folder, 'elsewhere', 'saida')
    await mkdir(output)
    await dialog.getByLabel(say.output).fill(output)
    await dialog.getByRole('button', { name: say.save }).click()
    await dialog.waitFor({ state: 'detached' })

    await rm(output, { recursive: true })
    const held = async () => {
      await service.full.call('GET', '/api/ready/details')
      return (await service.full.json<{ folders: unknown[] }>('GET', '/dashboard/api/conditions')).body.folders
    }
    await expect.poll(held).toHaveLength(1)
    await page.goto(new URL('/', page.url()).href)
    await page.getByRole('button', { name: say.tryFromBand }).click()
    await page.getByText(say.stillStopped).first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await page.goto(new URL('/folders', page.url()).href)
    await card('nova').getByText(say.stopped, { exact: true }).waitFor()
    await card('nova').getByText(say.gone(output)).waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await mkdir(output)
    const again = card('nova').getByRole('button', { name: `${say.tryNow}: nova` })
    await again.click()
    await page.getByText(say.goesOn).first().waitFor()
    await again.waitFor({ state: 'detached' })
    await card('nova')
      .getByRole('button', { name: `${say.remove}: nova` })
      .click()
    await dialog.getByRole('button', { name: say.remove }).click()
    await card('nova').waitFor({ state: 'detached' })

    await card('default')
      .getByRole('button', { name: `${say.resume}: default` })
      .click()
    await dialog.getByRole('button', { name: say.resume }).click()
    await expect.poll(() => lyingIn(service.input())).toEqual([])
    await page.goto(new URL('/jobs', page.url()).href)
    for (const file of ['contrato.pdf', 'espera.pdf'])
      await page.getByRole('row').filter({ hasText: file }).getByText(say.completed).first().waitFor()
  },
)

test.each([
  [390, 'pt-BR', /Pegar 1 arquivo retido/, 'Assinar os arquivos retidos', 'Vazio'],
  [1280, 'en-US', /Take 1 held file/, 'Sign the held files', 'Empty'],
] as const)(
  'at %d pixels in %s the page tells what waits and why, and held files are signed on the word of an operator',
  async (width, locale, take, confirm, empty) => {
    const { service, page } = await folders(width, locale)
    const path = join(service.folder, 'elsewhere', 'antiga')
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'velho.pdf'), samplePdf('Velho'))
    const body = JSON.stringify({ name: 'antiga', options: { path }, profile: 'livre' })
    const headers = { 'content-type': 'application/json' }
    expect((await service.full.call('POST', '/dashboard/api/folders', { body, headers })).status).toBe(201)
    await writeFile(join(path, 'vazio.pdf'), '')
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'antiga', exact: true }) })
    await card.getByText('vazio.pdf').waitFor()
    await card.getByText(empty).first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(lyingIn(service.output)).toEqual([])
    await card.getByRole('button', { name: take }).click()
    await page.getByRole('dialog').getByRole('button', { name: confirm }).click()
    await expect.poll(() => lyingIn(service.output)).toEqual(['velho.signed.pdf'])
    await card.getByRole('button', { name: take }).waitFor({ state: 'detached' })
  },
)

/** The real service with a free profile, and an operator on the page of folders. */
function folders(width: number, locale: Locale) {
  const holder = demoHolders[0]!.label
  const profiles = [
    profileOf(holder, { Name: 'default', InputFolder: 'default' }),
    profileOf(holder, { Name: 'livre', Format: 'Pades' }),
  ]
  return signedIn({ path: '/folders', width, locale, profiles })
}
