// The helpers of the service's own tests: the pages are tried against the real thing.
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../../services/credential-platform/test/test-support/credential-world.ts'
import {
  flowThere,
  madeFlow,
  reachedOf,
  sharedDocumentPlatform,
} from '../../../../services/credential-platform/test/test-support/document-platform.ts'
import { curriculumData } from '../../../../services/credential-platform/test/test-support/issuing.ts'
import { clock, signingSettings } from '../../../../services/credential-platform/test/test-support/pki.ts'
import { sampleInstitute } from '../../../../services/credential-platform/test/test-support/samples.ts'
import { axeFindings } from '../../test/accessibility.ts'
import { credentialPages } from '../../test/credentials-world.ts'

const pagesOf = credentialPages()
const platform = sharedPlatform('SQLite', signingSettings, clock)
const documents = sharedDocumentPlatform('SQLite')

test('an Administrador connects the document platform, and has what failed before sent there', async () => {
  const there = await documents()
  const { organization, enter } = await pagesOf(platform())
  const { json, subscriptionId } = organization
  const instituteId = (await json('POST', '/api/institutes', sampleInstitute())).body.id
  const flowId = await madeFlow(organization, flowThere('Curriculum', ['bruno-lima']))
  const { body: made } = await json('POST', '/api/curriculums', { instituteId, data: curriculumData(), flowId })
  await reachedOf(organization, made.id, 'Failed')

  const { page } = await enter('/organization', 'Administrador', { locale: 'pt-BR', provoked: /422/ })
  const panel = page.getByRole('region', { name: 'Plataforma de documentos', exact: true })
  await panel.getByLabel('Enviar documentos para lá').check({ force: true })
  await panel.getByLabel('URL').fill(there.baseUrl)
  await panel.getByRole('button', { name: 'Salvar' }).click()
  await panel.getByText('é obrigatória com um endereço novo').first().waitFor()
  await panel.getByLabel('Chave de API').fill(there.organization.apiKey)
  await panel.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('A conexão foi salva.').first().waitFor()
  await panel.getByRole('button', { name: 'Testar a conexão' }).click()
  await page.getByText('A plataforma de documentos responde, e a chave pode criar documentos.').first().waitFor()
  expect(await axeFindings(page)).toEqual([])
  expect((await json('GET', `/api/subscriptions/${subscriptionId}/document-platform`)).body).toMatchObject({
    enabled: true,
    url: there.baseUrl,
    hasApiKey: true,
  })

  await page.goto(new URL(`/flows/${flowId}`, page.url()).href)
  await page.getByLabel('Onde as pessoas assinam').waitFor()
  expect(await page.getByLabel('Onde as pessoas assinam').inputValue()).toBe('DocumentPlatform')
  await page.goto(new URL(`/curriculums/${made.id}`, page.url()).href)
  await page.getByText('A organização não tem plataforma de documentos conectada.').first().waitFor()
  await page.getByRole('button', { name: 'Enviar para lá de novo' }).click()
  await page.getByText('As pessoas assinam na plataforma de documentos.').waitFor()
  const link = await page.getByRole('link', { name: 'Abrir lá' }).getAttribute('href')
  expect(link).toMatch(new RegExp(`^${there.baseUrl}/documents/[0-9a-f-]{36}$`))
})
