import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { startReceiver } from '@chancela/testkit/receiver'
import { samplePdf } from '@chancela/testkit/samples'
import { expect, onTestFinished, test } from 'vitest'
import { clientAt, sharedCore } from '../../../../services/pki-core/test/test-support/core-world.ts'
import { clock, running } from '../../../../services/pki-core/test/test-support/pki.ts'
import { begin, readSession, signedFiles } from '../../../../services/pki-core/test/test-support/sessions.ts'
import { inline, opensslAccepts, pdfsig } from '../../../../services/pki-core/test/test-support/signing.ts'
import { axeFindings, namelessControls } from '../../test/accessibility.ts'
import { bundlePages, type Page, type VisitOptions } from '../../test/bundle-pages.ts'

const pages = bundlePages('signer')
const open = sharedCore('SQLite', { Webhooks: { AllowedHosts: ['127.0.0.1/32'] } })

const ANA = demoHolders.find(({ label }) => label === 'ana-souza')!
const BRUNO = demoHolders.find(({ label }) => label === 'bruno-lima')!
const contract = samplePdf('Contract')

/** The service behind its page, built from the current sources. */
async function signerWorld() {
  const world = open()
  const { origin, stop } = await pages.swap(world.baseUrl, '/signature-session')
  const folder = await mkdtemp(join(tmpdir(), 'chancela-signer-'))
  onTestFinished(async () => {
    await stop()
    await rm(folder, { recursive: true })
  })
  const file = async (name: string, content: Uint8Array) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  const visit = (redirectUrl: string, options: VisitOptions = {}) => {
    const { pathname, search } = new URL(redirectUrl)
    const allowed = { elsewhere: [`blob:${origin}`], provoked: /404|422/ }
    return pages.visit(origin, `${pathname}${search}`, clock, { ...allowed, ...options })
  }
  const keyFile = ({ label, pin }: { label: string; pin: string }) =>
    file(`${label}.p12`, running.pki.pkcs12(running.pki.certificate(label), { password: pin }))
  return { world, returnUrl: `${origin}/returned?case=7`, visit, file, keyFile }
}

type World = Awaited<ReturnType<typeof signerWorld>>

/** Opens the certificate of a holder on the page, in English. */
async function openKey({ keyFile }: World, page: Page, holder: typeof ANA): Promise<void> {
  await page.getByLabel('Certificate file').setInputFiles(await keyFile(holder))
  await page.getByLabel('Password of the file').fill(holder.pin)
  await page.getByRole('button', { name: 'Open the certificate' }).click()
  await page.getByText('Issued by').waitFor()
}

const scrollsSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

test('a person reads and signs the documents of an application with a certificate file, and returns', async () => {
  const own = await signerWorld()
  const { world, returnUrl, visit } = own
  const session = await begin(world, {
    returnUrl,
    documents: [{ file: inline('contract.pdf', contract) }, { file: inline('notes.txt', 'notes to sign') }],
  })
  const page = await visit(session.redirectUrl, { locale: 'en-US' })
  await page.getByRole('heading', { name: 'Sign documents' }).waitFor()
  await page.getByText(/asks for your signature\.$/).waitFor()
  await page.getByRole('button', { name: 'Read contract.pdf' }).click()
  await page.getByRole('img', { name: 'Page 1 of 1' }).waitFor()
  await page.getByRole('button', { name: 'Read notes.txt' }).click()
  await page.getByText('notes to sign').waitFor()
  await openKey(own, page, ANA)
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByRole('heading', { name: 'The documents are signed.' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download contract.pdf with its signature' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('contract-signed.pdf')
  expect(await pdfsig(await readFile(await saved.path()))).toContain('Signature is Valid.')
  const completed = await readSession(world, session.id)
  expect(completed).toMatchObject({ status: 'Completed', signerCertificate: { pkiBrazil: { cpf: ANA.cpf } } })
  const [pdf, cms] = await signedFiles(completed)
  expect(await pdfsig(pdf!)).toContain('Signature is Valid.')
  expect(await opensslAccepts(cms!)).toBe(true)
  await page.getByRole('link', { name: /^Return to / }).click()
  await page.waitForURL(`${returnUrl}&signatureSessionId=${session.id}`)
})

test('a person brings a document; a certificate that was not asked for is told, the right one signs', async () => {
  const own = await signerWorld()
  const { world, returnUrl, visit, file } = own
  const session = await begin(world, {
    returnUrl,
    disableDownloads: true,
    certificateRequirements: [{ type: 'Cpf', argument: BRUNO.cpf }],
  })
  const page = await visit(session.redirectUrl, { locale: 'en-US' })
  await page.getByLabel('Add documents').setInputFiles(await file('broken.pdf', Buffer.from('no PDF')))
  await page.getByText('This PDF cannot be read.').waitFor()
  await page
    .getByLabel('Add documents')
    .setInputFiles([await file('mine.pdf', contract), await file('other.txt', Buffer.from('other'))])
  await page.getByRole('button', { name: 'Remove other.txt' }).click()
  await page.getByRole('button', { name: 'Remove other.txt' }).waitFor({ state: 'detached' })
  await openKey(own, page, ANA)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByText('The certificate is not one that was asked for.').waitFor()
  await page.getByRole('button', { name: 'Another certificate' }).click()
  await openKey(own, page, BRUNO)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await page.waitForURL(`${returnUrl}&signatureSessionId=${session.id}`)
  const completed = await readSession(world, session.id)
  expect(completed.documents).toMatchObject([{ status: 'Completed', originalFile: { name: 'mine.pdf' } }])
  const [signed] = await signedFiles(completed)
  expect(await pdfsig(signed!)).toContain('Signature is Valid.')
})

test('a person is told why a file that they bring is not accepted', async () => {
  const { world, returnUrl, visit, file } = await signerWorld()
  const client = { ...(await clientAt(world, { roles: ['Manager', 'Worker'] })), baseUrl: world.baseUrl }
  const { url } = await startReceiver((_, response) =>
    response.end(JSON.stringify({ accept: false, rejectReason: '<b>Only drafts</b> on Mondays' })),
  )
  const path = `/api/subscriptions/${client.subscriptionId}/file-validation`
  await client.json('PUT', path, { url, namePattern: '.*\\.pdf' })
  const { redirectUrl } = await begin(client, { returnUrl })
  const page = await visit(redirectUrl, { locale: 'en-US' })
  await page.getByLabel('Add documents').setInputFiles(await file('mine.txt', Buffer.from('text')))
  await page.getByText('This file is not accepted here.').waitFor()
  await page.getByLabel('Add documents').setInputFiles(await file('mine.pdf', contract))
  await page.getByText('<b>Only drafts</b> on Mondays').waitFor()
})

test.each([
  [390, 'pt-BR', 'Assinar documentos', 'Não assinar', 'Sim, terminar'],
  [1280, 'es-ES', 'Firmar documentos', 'No firmar', 'Sí, terminar'],
])('at %i pixels, in %s, nothing is cut off, and a person gives up', async (width, locale, title, cancel, yes) => {
  const { world, returnUrl, visit } = await signerWorld()
  const name = `${'a-very-long-name-of-a-document-'.repeat(4)}.pdf`
  const session = await begin(world, { returnUrl, documents: [{ file: inline(name, contract) }] })
  const page = await visit(session.redirectUrl, { locale, viewport: { width, height: 800 } })
  await page.getByRole('heading', { name: title }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
  expect(await scrollsSideways(page)).toBe(false)
  expect(await axeFindings(page)).toEqual([])
  expect(await namelessControls(page)).toEqual([])
  await page.getByRole('button', { name: cancel }).click()
  await page.getByRole('button', { name: yes }).click()
  await page.waitForURL(`${returnUrl}&signatureSessionId=${session.id}`)
  expect((await readSession(world, session.id)).status).toBe('UserCancelled')
})

test('an address without a good token says so', async () => {
  const { visit } = await signerWorld()
  const page = await visit('http://x/signature-session/sign?token=..%2F..%2Fetc', { locale: 'en-US' })
  await page.getByText('This address is not valid. Go back to where you came from.').waitFor()
  expect(await axeFindings(page)).toEqual([])
})
