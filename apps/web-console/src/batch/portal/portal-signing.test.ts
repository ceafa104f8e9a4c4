// Approving by signing with a certificate file: the key stays in the browser, and one password signs a batch.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'
import type { Page } from '../../../test/bundle-pages.ts'
import { ana, bruno, expectUsable, type Person, portalPages, remittance } from '../../../test/portal-world.ts'

const portal = portalPages()

const words = {
  'en-US': {
    approve: 'Approve…',
    sign: 'Approve by signing…',
    file: 'Certificate file',
    password: 'Password of the file',
    open: 'Open the certificate',
    signNow: 'Sign',
    other: 'Another certificate',
    all: 'Select all on this page',
    done: '2 files are approved.',
    released: 'Approved, and released',
    close: 'Close',
    wrong: 'The password does not open this file.',
    notYours: 'This certificate is not yours',
  },
  'pt-BR': {
    approve: 'Aprovar…',
    sign: 'Aprovar assinando…',
    file: 'Arquivo do certificado',
    password: 'Senha do arquivo',
    open: 'Abrir o certificado',
    signNow: 'Assinar',
    other: 'Outro certificado',
    all: 'Selecionar todos desta página',
    done: '2 arquivos estão aprovados.',
    released: 'Aprovado e liberado',
    close: 'Fechar',
    wrong: 'A senha não abre este arquivo.',
    notYours: 'Este certificado não é',
  },
} as const

type Say = (typeof words)[keyof typeof words]
type World = Awaited<ReturnType<typeof portal>>

async function openKey(page: Page, say: Say, { path, password }: ReturnType<World['keyOf']>) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say.file).setInputFiles(path)
  await dialog.getByLabel(say.password).fill(password)
  await dialog.getByRole('button', { name: say.open }).click()
}

/** Signs everything that waits for somebody with one password. */
async function signAll(page: Page, say: Say, key: ReturnType<World['keyOf']>) {
  await page.getByLabel(say.all).check()
  await page.getByRole('toolbar').getByRole('button', { name: say.approve }).click()
  await openKey(page, say, key)
  await page.getByRole('dialog').getByRole('button', { name: say.signNow, exact: true }).click()
  await page.getByRole('dialog').getByText(say.done).waitFor()
}

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const)(
  'at %d pixels in %s two people sign a batch, and the files are released with both',
  async (width, locale) => {
    const say: Say = words[locale]
    const world = await portal()
    const { come, park, keyOf, statusOf, service } = world
    const contents = new Map([
      ['salarios.rem', remittance(123_400)],
      ['fornecedores.rem', remittance(500_000)],
    ])
    const ids: string[] = []
    for (const [name, content] of contents) ids.push(await park(name, content, 'signed'))

    const first = await come(ana, { width, locale })
    // Nothing of the key is sent: neither the file nor its password.
    const sent: string[] = []
    first.on('request', (request) => sent.push(request.postData() ?? ''))
    await signAll(first, say, keyOf(ana))
    await expectUsable(first)
    expect(sent.filter((body) => body.includes('certificate')).length).toBe(2)
    expect(sent.filter((body) => body.includes(keyOf(ana).password))).toEqual([])
    const second = await come(bruno, { width, locale })
    await signAll(second, say, keyOf(bruno))
    await second.getByRole('dialog').getByText(say.released).first().waitFor()
    for (const id of ids) await expect.poll(() => statusOf(id)).toBe('Completed')
    await expectSigned(world, contents, service.folder)
  },
)

/** OpenSSL judges every file that was put out, against the roots: both signatures, over the bytes handed in. */
async function expectSigned({ outputs }: World, contents: ReadonlyMap<string, Buffer>, roots: string) {
  const put = await outputs()
  expect(put.size).toBe(contents.size)
  const folder = temporaryFolder()
  for (const [name, signed] of put) {
    const path = join(folder, name)
    await writeFile(path, signed)
    const verify = ['cms', '-verify', '-binary', '-purpose', 'any', '-CAfile', join(roots, 'roots.pem')]
    const { ok, text, stdout } = await openssl([...verify, '-inform', 'DER', '-in', path])
    expect(ok, text.slice(-500)).toBe(true)
    const original = [...contents].find(([given]) => name.startsWith(given.replace('.rem', '')))![1]
    expect(stdout.equals(original)).toBe(true)
    const print = ['cms', '-cmsout', '-print', '-noout', '-inform', 'DER', '-in', path]
    expect((await openssl(print)).text.match(/d\.issuerAndSerialNumber/g)).toHaveLength(2)
  }
}

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const)(
  'at %d pixels in %s a wrong password and a certificate of somebody else are told, and another try succeeds',
  async (width, locale) => {
    const say: Say = words[locale]
    const { come, park, keyOf, service } = await portal()
    await park('salarios.rem', remittance(123_400), 'signed')
    const page = await come(ana, { width, locale })
    await page.getByRole('link', { name: 'salarios.rem' }).click()
    await page.getByRole('button', { name: say.sign }).click()
    const dialog = page.getByRole('dialog')
    await openKey(page, say, { ...keyOf(ana), password: 'something else' })
    await dialog.getByText(say.wrong).waitFor()
    await openKey(page, say, keyOf(bruno))
    await dialog.getByRole('button', { name: say.signNow, exact: true }).click()
    await dialog.getByText(say.notYours).waitFor()
    await expectUsable(page)
    await dialog.getByRole('button', { name: say.other }).click()
    await openKey(page, say, keyOf(ana))
    await dialog.getByText(nameOn(ana)).waitFor()
    expect(await dialog.getByText(say.notYours).count()).toBe(0)
    await dialog.getByRole('button', { name: say.signNow, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: say.close }).last().click()
    await expect.poll(() => page.getByRole('button', { name: say.sign }).count()).toBe(0)
    const metrics = await (await service.full.call('GET', '/api/metrics')).text()
    expect(metrics).toContain('bulk_approver_signatures_total{outcome="cpf-mismatch",means="browser"} 1')
    expect(metrics).toContain('bulk_approver_signatures_total{outcome="signed",means="browser"} 1')
  },
)

test('a batch with files of both kinds is signed first, and what needs no signature is approved with it', async () => {
  const { come, park, decide, keyOf, statusOf } = await portal()
  const signed = await park('salarios.rem', remittance(123_400), 'signed')
  const plain = await park('contrato.txt', 'A contract.', 'contracts')
  await decide(plain, bruno, 'approved')
  const page = await come(ana)
  await signAll(page, words['en-US'], keyOf(ana))
  const outcomes = page.getByRole('dialog').getByRole('listitem')
  await outcomes.filter({ hasText: 'contrato.txt' }).getByText('Approved, and released').waitFor()
  await outcomes.filter({ hasText: 'salarios.rem' }).getByText('Approved', { exact: true }).waitFor()
  await expect.poll(() => statusOf(plain)).toBe('Completed')
  expect(await statusOf(signed)).toBe('AwaitingApproval')
})

/** As certificates write names. */
const nameOn = ({ name }: Person) => new RegExp(name, 'i')
