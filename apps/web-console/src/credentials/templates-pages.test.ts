// Templates are designed with a preview beside them; documents are downloaded as they look, and offered to wallets.
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../../services/credential-platform/test/test-support/credential-world.ts'
import { concludedTranscript, schoolAt } from '../../../../services/credential-platform/test/test-support/issuing.ts'
import { clock, signingSettings } from '../../../../services/credential-platform/test/test-support/pki.ts'
import { pathOf, verifierAt } from '../../../../services/credential-platform/test/test-support/wallet.ts'
import { axeFindings, namelessControls } from '../../test/accessibility.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { credentialPages } from '../../test/credentials-world.ts'

const pagesOf = credentialPages()
const platform = sharedPlatform('SQLite', signingSettings, clock)

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function expectAccessible(page: Page): Promise<void> {
  expect(await namelessControls(page)).toEqual([])
  expect(await axeFindings(page)).toEqual([])
}

test('whoever writes a template sees it drawn, learns where it is wrong, and saves it', async () => {
  const world = platform()
  const { organization, enter } = await pagesOf(world)
  const { page } = await enter('/templates/new', 'Gerente', { locale: 'pt-BR', provoked: /401|422/ })
  await page.getByLabel('Nome').fill('Diploma da casa')
  await page.getByText('Nada a desenhar ainda.').waitFor()
  await press(page, 'Começar pelo modelo padrão')
  const preview = page.getByRole('region', { name: 'Pré-visualização' })
  await preview.getByRole('img', { name: 'Página 1 de 2' }).waitFor()
  await preview.getByText('Ana Lúcia de Magalhães Brandão').first().waitFor({ state: 'attached' })

  const field = page.getByLabel('Conteúdo')
  const usual = JSON.parse(await field.inputValue())
  const wrong = structuredClone(usual)
  wrong.front[0].kind = 'estrela'
  await field.fill(JSON.stringify(wrong))
  // The place is named before anything is saved; what was drawn last stays.
  await page
    .getByText(/front\[0\]\.kind: must be one of/)
    .first()
    .waitFor()
  await preview.getByRole('img', { name: 'Página 1 de 2' }).waitFor()
  const own = JSON.parse(JSON.stringify(usual).replaceAll('DIPLOMA', 'DIPLOMA DA CASA'))
  await field.fill(JSON.stringify(own))
  await expect.poll(() => page.getByText(/must be one of/).count()).toBe(0)
  await expectAccessible(page)
  await shot(page, 'template')
  await press(page, 'Salvar')
  await page.getByRole('heading', { name: 'Diploma da casa', level: 1 }).waitFor()
  expect((await organization.json('GET', '/api/templates')).body.items[0].content).toEqual(own)
})

test('a document is downloaded as it looks, drawn anew, and handed to the student by a link', async () => {
  const world = platform()
  const { enter } = await pagesOf(world)
  const school = await schoolAt(world)
  const { path } = await concludedTranscript(school)
  const { page } = await enter(
    path.slice('/api'.length),
    'Gerente',
    { locale: 'pt-BR', provoked: /401/, elsewhere: [world.baseUrl] },
    school,
  )
  const downloading = page.waitForEvent('download')
  await press(page, 'Representação visual (RVHE)')
  expect((await downloading).suggestedFilename()).toMatch(/rvhe.*\.pdf$/)
  await press(page, 'Refazer a representação')
  await page.getByText('Representação visual: versão 1.').first().waitFor()
  await press(page, 'Link para a carteira')
  const dialog = page.getByRole('dialog')
  const url = (await dialog.locator('code').textContent())!
  await expectAccessible(page)
  await shot(page, 'wallet-link')
  await dialog.getByRole('button', { name: 'Já copiei' }).click()
  await shot(page, 'transcript')
  const { call, verified } = verifierAt(world.baseUrl)
  const taken = await call('POST', pathOf(url))
  expect((await verified(await taken.text())).issuer.id).toContain(school.instituteId)

  // The page that the student sees, by its own address.
  const again = (await school.json('POST', `${path}/wallet-offers`)).body.url
  await page.setExtraHTTPHeaders({ 'accept-language': 'pt-BR' })
  await page.goto(`${world.baseUrl}${pathOf(again)}`)
  await page.getByRole('heading', { name: 'Seu histórico escolar para a carteira digital' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await shot(page, 'student')
  const credential = page.waitForEvent('download')
  await press(page, 'Baixar a credencial')
  expect((await credential).suggestedFilename()).toMatch(/\.jwt$/)
})

/** Pictures for whoever wants to look: `CHANCELA_SHOTS=<folder>`. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.CHANCELA_SHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
