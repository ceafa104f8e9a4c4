import { samplePdf } from '@chancela/testkit/samples'
import { expect, test } from 'vitest'
import { axeFindings } from '../../../test/accessibility.ts'
import { batchPages, profileOf } from '../../../test/batch-world.ts'

const signedIn = batchPages()

const profile = profileOf('ana-souza', {
  Name: 'default',
  InputFolder: 'default',
  Approval: {
    MinimumApprovers: 2,
    ExpiresAfter: 'P2D',
    Approvers: [
      { Name: 'Ana Souza', Email: 'ana@banco.example', Cpf: '52998224725' },
      { Name: 'Bruno Lima', Email: 'bruno@banco.example', Cpf: '11144477735' },
    ],
  },
})

const words = {
  'en-US': {
    two: '2 more needed',
    one: '1 more needed',
    rejected: 'Rejected',
    title: 'Approval',
    people: 'People asked to approve',
    approved: 'approved',
    rejectedBy: 'rejected',
    open: 'no decision',
    stated: 'address stated by the caller',
    hash: 'SHA-256 of what is decided about',
    returned: 'removed; it was handed back unsigned',
    all: 'All jobs',
    check: 'Check against the files',
    again: 'Check again',
    right: 'as recorded',
    none: 'none is kept',
  },
  'pt-BR': {
    two: 'faltam 2',
    one: 'falta 1',
    rejected: 'Rejeitado',
    title: 'Aprovação',
    people: 'Pessoas chamadas a aprovar',
    approved: 'aprovou',
    rejectedBy: 'rejeitou',
    open: 'sem decisão',
    stated: 'endereço declarado por quem chamou',
    hash: 'SHA-256 do que se decide',
    returned: 'removido; foi devolvido sem assinatura',
    all: 'Todos os jobs',
    check: 'Conferir com os arquivos',
    again: 'Conferir de novo',
    right: 'como registrado',
    none: 'nada guardado',
  },
} as const

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const)('at %d pixels in %s an operator follows who decides about a file', async (width, locale) => {
  const say = words[locale]
  const { service, page } = await signedIn({ path: '/jobs', width, locale, profiles: [profile] })
  const neat = async () => {
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(samplePdf('A contract'))]), 'contrato.pdf')
  const { body } = await service.full.json<{ jobId: string }>('POST', '/api/files', { body: form })
  const decide = async (decision: object) => {
    const answer = await service.full.call('POST', `/api/approvals/${body.jobId}`, {
      key: null,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(decision),
    })
    expect(answer.status).toBe(200)
  }
  const row = page.getByRole('row').filter({ hasText: 'contrato.pdf' })
  await row.getByText(say.two).waitFor()
  await neat()

  await row.getByRole('link', { name: 'contrato.pdf' }).click()
  const panel = page.getByRole('region', { name: say.title, exact: true })
  await panel.getByText(say.two).waitFor()
  const people = panel.getByRole('table', { name: say.people })
  const ana = people.getByRole('row').filter({ hasText: 'ana@banco.example' })
  const bruno = people.getByRole('row').filter({ hasText: 'bruno@banco.example' })
  await ana.getByText(say.open).waitFor()
  expect(await panel.textContent()).not.toMatch(/529\.?982\.?247/)

  await decide({ email: 'ana@banco.example' })
  await panel.getByText(say.one).waitFor()
  await ana.getByText(say.approved, { exact: true }).waitFor()
  await ana.getByText(say.stated).waitFor()
  await bruno.getByText(say.open).waitFor()
  await panel.getByText(say.hash).waitFor()
  await panel.getByRole('button', { name: say.check }).click()
  await panel.getByText(say.right).waitFor()
  await neat()

  await decide({ email: 'bruno@banco.example', decision: 'rejected', reason: 'wrong amount' })
  await panel.getByText(say.rejected, { exact: true }).waitFor()
  await bruno.getByText(say.rejectedBy, { exact: true }).waitFor()
  await bruno.getByText('wrong amount').waitFor()
  await page.getByText(say.returned).waitFor()
  await panel.getByRole('button', { name: say.again }).click()
  await panel.getByText(say.none).waitFor()
  await neat()
  await page.getByRole('link', { name: say.all }).click()
  await row.getByText(say.rejected, { exact: true }).waitFor()
})
