// The pages of approvers, in a real browser, with the real service.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Page } from '../../../test/bundle-pages.ts'
import { ana, bruno, expectUsable, portalPages, remittance, stranger } from '../../../test/portal-world.ts'

const portal = portalPages()

const words = {
  'en-US': {
    title: 'Approvals',
    lists: ['Needs you', 'Waiting on others', 'Decided'],
    pick: (name: string) => `Select ${name}`,
    selected: '3 files selected',
    approve: 'Approve…',
    many: 'Approve 3 files?',
    confirm: 'Approve 3 files',
    none: '1 of them has no figures, and is not in the sum.',
    some: '2 of 3 files are approved.',
    failed: 'Not approved',
    why: 'The job accepts no such decision now',
    close: 'Close',
    nothing: 'Nothing waits for you',
    spreadsheet: 'Spreadsheet',
    reject: 'Reject…',
    reason: 'Reason',
    rejectIt: 'Reject the file',
    rejected: 'The file is rejected.',
    youRejected: 'You rejected this file on',
    vetoed: 'An approver rejected this file.',
    hash: 'SHA-256 of what is decided about',
    passed: 'Its first payment date has passed. Once approved, it is signed all the same.',
    masked: 'You are not among those who decide about this file.',
    missing: 'No such file',
    noLink: 'Open your link',
    signOut: 'Sign out',
    stated: 'Decide about a file',
    email: 'Your e-mail address',
    statedApprove: 'Approve',
    unknown: 'This address is not one of the approvers of the file.',
    recorded: 'Your approval is recorded.',
  },
  'pt-BR': {
    title: 'Aprovações',
    lists: ['Aguardam você', 'Aguardam outros', 'Decididos'],
    pick: (name: string) => `Selecionar ${name}`,
    selected: '3 arquivos selecionados',
    approve: 'Aprovar…',
    many: 'Aprovar 3 arquivos?',
    confirm: 'Aprovar 3 arquivos',
    none: '1 deles não tem valores e não está na soma.',
    some: '2 de 3 arquivos estão aprovados.',
    failed: 'Não aprovado',
    why: 'O job não aceita essa decisão agora',
    close: 'Fechar',
    nothing: 'Nada aguarda você',
    spreadsheet: 'Planilha',
    reject: 'Rejeitar…',
    reason: 'Motivo',
    rejectIt: 'Rejeitar o arquivo',
    rejected: 'O arquivo está rejeitado.',
    youRejected: 'Você rejeitou este arquivo em',
    vetoed: 'Um aprovador rejeitou este arquivo.',
    hash: 'SHA-256 do que se decide',
    passed: 'A primeira data de pagamento já passou. Depois de aprovado, ele será assinado mesmo assim.',
    masked: 'Você não está entre os que decidem sobre este arquivo.',
    missing: 'Arquivo inexistente',
    noLink: 'Abra o seu link',
    signOut: 'Sair',
    stated: 'Decidir sobre um arquivo',
    email: 'Seu e-mail',
    statedApprove: 'Aprovar',
    unknown: 'Este endereço não é de um dos aprovadores do arquivo.',
    recorded: 'A sua aprovação está registrada.',
  },
} as const

const places = [
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const

const listLink = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name })

test.each(places)(
  'at %d pixels in %s files are approved together, and each tells its outcome',
  async (width, locale) => {
    const say = words[locale]
    const { come, park, decide } = await portal()
    await park('salarios.rem', remittance(123_400))
    const late = await park('fornecedores.rem', remittance(500_000))
    await park('contrato.txt', 'A contract.', 'contracts')
    const page = await come(ana, { width, locale })
    await page.getByRole('heading', { name: say.title, level: 1 }).waitFor()
    await page.getByRole('link', { name: 'salarios.rem' }).waitFor()
    await expectUsable(page)

    for (const name of ['salarios.rem', 'fornecedores.rem', 'contrato.txt'])
      await page.getByLabel(say.pick(name)).check()
    const bar = page.getByRole('toolbar')
    await bar.getByText(say.selected).waitFor()
    await bar.getByText('R$ 6.236,00').waitFor()
    await bar.getByRole('button', { name: say.approve }).click()

    // Somebody else is quicker; what was restated stays as it was.
    const dialog = page.getByRole('dialog', { name: say.many })
    await dialog.getByText('R$ 6.236,00').first().waitFor()
    await dialog.getByText(say.none).waitFor()
    await decide(late, bruno, 'rejected')
    await expectUsable(page)
    await dialog.getByRole('button', { name: say.confirm }).click()
    const results = page.getByRole('dialog')
    await results.getByText(say.some).waitFor()
    const failed = results.getByRole('listitem').filter({ hasText: 'fornecedores.rem' })
    await failed.getByText(say.failed).waitFor()
    await failed.getByText(say.why).waitFor()
    await expectUsable(page)
    await results.getByRole('button', { name: say.close }).last().click()
    await page.getByText(say.nothing).waitFor()

    await listLink(page, say.lists[1]).click()
    await page.getByRole('row').filter({ hasText: 'salarios.rem' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'contrato.txt' }).waitFor()
    expect(await page.getByRole('navigation').locator('[aria-current]').allTextContents()).toEqual([say.lists[1]])
    await expectUsable(page)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: say.spreadsheet }).click()
    const sheet = await downloading
    expect(sheet.suggestedFilename()).toMatch(/^approvals-waiting-on-others-\d{4}-\d{2}-\d{2}\.xlsx$/)
    expect((await readFile(await sheet.path())).subarray(0, 2).toString()).toBe('PK')
  },
)

test('a list shows by itself what comes, goes on over pages, and keeps what was selected', async () => {
  const { come, park, decide } = await portal({ settings: { ApproverPortal: { PollInterval: '00:00:01' } } })
  for (let at = 1; at <= 26; at += 1) await park(`contrato-${at}.txt`, `Contract ${at}.`, 'contracts')
  const page = await come(ana)
  await page.getByText('1–25 of 26').waitFor()
  await page.getByLabel('Select all on this page').check()
  await page.getByText('25 files selected').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('26–26 of 26').waitFor()
  await page.getByLabel('Select all on this page').check()
  await page.getByText('26 files selected').waitFor()
  const gone = await park('another.txt', 'Another.', 'contracts')
  await page.getByText('26–27 of 27').waitFor()
  await page.getByText('26 files selected').waitFor()
  await decide(gone, bruno, 'rejected')
  await page.getByText('26–26 of 26').waitFor()
  await page.getByText('26 files selected').waitFor()
})

test.each(places)('at %d pixels in %s a file is read, rejected with a reason, and shown so', async (width, locale) => {
  const say = words[locale]
  const { come, park, origin, statusOf } = await portal()
  const id = await park('salarios.rem', remittance(123_400))
  const page = await come(ana, { width, locale })
  await page.getByRole('link', { name: 'salarios.rem' }).click()
  await page.getByRole('heading', { name: 'salarios.rem', level: 1 }).waitFor()
  await page.getByText('R$ 1.235,00').first().waitFor()
  await page.getByText(say.hash).waitFor()
  await page.getByText('390.533.447-05').waitFor()
  await page.getByText(`${bruno.name}`).waitFor()
  await expectUsable(page)

  await page.getByRole('button', { name: say.reject }).click()
  await page.getByRole('dialog').getByLabel(say.reason).fill('Pago duas vezes')
  await expectUsable(page)
  await page.getByRole('button', { name: say.rejectIt }).click()
  await page.getByText(say.rejected).first().waitFor()
  await page.getByText(say.youRejected).waitFor()
  await page.getByText('Pago duas vezes').waitFor()
  expect(await page.getByRole('button', { name: say.reject }).count()).toBe(0)
  await expect.poll(() => statusOf(id)).toBe('Canceled')

  const other = await come(bruno, { width, locale })
  await other.goto(`${origin}/approve/${id}`)
  await other.getByText(say.vetoed).waitFor()
  await other.getByText('Pago duas vezes').waitFor()
  await other.goto(`${origin}/approve/00000000-0000-4000-8000-000000000000`)
  await other.getByRole('heading', { name: say.missing }).waitFor()
  await expectUsable(other)
})

test.each(places)(
  'at %d pixels in %s a payment date that has passed is told before the decision',
  async (width, locale) => {
    const say = words[locale]
    const { come, park } = await portal()
    await park('atrasado.rem', remittance(123_400, '2026-01-15'))
    const page = await come(ana, { width, locale })
    await page.getByRole('link', { name: 'atrasado.rem' }).click()
    await page.getByText(say.passed).waitFor()
    await page.getByRole('button', { name: say.reject }).waitFor()
    await expectUsable(page)
  },
)

test.each(places)('at %d pixels in %s somebody else sees a file masked, and decides nothing', async (width, locale) => {
  const say = words[locale]
  const { come, park, origin } = await portal()
  const id = await park('salarios.rem', remittance(123_400))
  const page = await come(stranger, { width, locale })
  await page.getByText(say.nothing).waitFor()
  await page.goto(`${origin}/approve/${id}`)
  await page.getByText(say.masked).waitFor()
  await page.getByText('JOANA DARC').waitFor()
  expect(await page.content()).not.toMatch(/39053344705|390\.533\.447-05|11222333000181|11\.222\.333/)
  expect(await page.getByText(bruno.name).count()).toBe(0)
  expect(await page.getByRole('button', { name: say.reject }).count()).toBe(0)
  await expectUsable(page)
})

test.each(places)('at %d pixels in %s whoever has no session sees nothing of a file', async (width, locale) => {
  const say = words[locale]
  const { open, come, park, origin } = await portal()
  const id = await park('salarios.rem', remittance(123_400))
  const page = await open('/approvals', { width, locale })
  await page.getByRole('heading', { name: say.noLink }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/approvals/link-required')
  await expectUsable(page)
  await page.goto(`${origin}/approvals/link/of-nobody`)
  await page.getByRole('heading', { name: say.noLink }).waitFor()

  await page.goto(`${origin}/approve/${id}`)
  await page.getByRole('heading', { name: say.stated }).waitFor()
  expect(await page.getByText('salarios.rem').count()).toBe(0)
  await page.getByLabel(say.email).fill('nobody@example.com')
  await page.getByRole('button', { name: say.statedApprove }).click()
  await page.getByText(say.unknown).waitFor()
  await expectUsable(page)
  await page.getByLabel(say.email).fill(ana.email)
  await page.getByRole('button', { name: say.statedApprove }).click()
  await page.getByText(say.recorded).waitFor()

  const signedIn = await come(bruno, { width, locale })
  await signedIn.getByRole('link', { name: 'salarios.rem' }).waitFor()
  await signedIn.getByRole('button', { name: say.signOut }).click()
  await signedIn.getByRole('heading', { name: say.noLink }).waitFor()
  await signedIn.goto(`${origin}/approvals`)
  await signedIn.getByRole('heading', { name: say.noLink }).waitFor()
})
