import { openBrowser, type TestBrowser } from '@chancela/testkit/browser'
import { builtPages } from '@chancela/testkit/pages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDocument, signer } from '../../../../services/document-platform/test/test-support/platform-world.ts'
import { contentOf, signAs } from '../../../../services/document-platform/test/test-support/signers.ts'
import { ANA, documentsWorld, signIn } from '../../test/documents-world.ts'
import { expectPortuguese } from '../../test/english.ts'

let bundle: string
let browser: TestBrowser

beforeAll(async () => {
  bundle = await builtPages('documents')
  browser = await openBrowser()
})

afterAll(() => browser.close())

test('no page of the document platform has a word of English in it for a Brazilian, whatever failed', async () => {
  const world = await documentsWorld({ browser, bundle, provoked: /40[14]/ })
  const id = await createDocument(world.platform, [signer({ name: ANA.name, identifier: ANA.cpf, email: ANA.email })])
  await signAs(world.platform, id, ANA.label)
  const status = async () => (await world.platform.json('GET', `/api/documents/${id}`)).body.status
  await expect.poll(status).toBe('Concluded')
  const { bytes: signed } = await contentOf(world.platform, id)
  // A drawing of a page, which is signed.
  const at = signed.indexOf('stream') + 16
  signed[at] = signed[at]! ^ 1

  const page = await world.visit('/webhooks', { locale: 'pt-BR' })
  page.setDefaultTimeout(20_000)
  await signIn(page)
  // Else the pages that follow would be the sign-in.
  await page.getByRole('button', { name: 'Registrar webhook' }).waitFor()
  for (const path of ['/documents', `/documents/${id}`, '/documents/new', '/organization', '/account', '/validate']) {
    await page.goto(world.origin + path)
    await expectPortuguese(page, path)
  }
  await page.locator('input[type=file]').setInputFiles(await world.file('alterado.pdf', signed))
  await page.getByText('O conteúdo foi alterado depois de assinado.').first().waitFor({ timeout: 20_000 })
  await expectPortuguese(page, 'a file that was altered')

  await page.goto(`${world.origin}/webhooks`)
  await page.getByRole('button', { name: 'Registrar webhook' }).click()
  const dialog = page.getByRole('dialog')
  // Nothing answers at this address.
  await dialog.getByLabel('Endereço').fill('http://127.0.0.1:9/hook')
  await dialog.getByRole('button', { name: 'Registrar', exact: true }).click()
  await dialog.getByRole('button', { name: 'Já guardei' }).click()
  await page.getByRole('link', { name: 'http://127.0.0.1:9/hook' }).click()
  await page.getByRole('button', { name: 'Enviar evento de teste' }).click()
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByText('Sem resposta: ECONNREFUSED.').waitFor()
  await expectPortuguese(page, 'deliveries of a webhook')
  await page.getByRole('button', { name: /DocumentsCreated/ }).click()
  await dialog.getByText('Sem resposta: ECONNREFUSED.').first().waitFor()
  await expectPortuguese(page, 'a delivery that failed')

  await page.goto(`${world.origin}/nope/nope`)
  await expectPortuguese(page, '/nope/nope')
})
