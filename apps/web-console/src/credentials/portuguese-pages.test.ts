import { test } from 'vitest'
import { sharedPlatform } from '../../../../services/credential-platform/test/test-support/credential-world.ts'
import {
  flowThere,
  madeFlow,
  reachedOf,
} from '../../../../services/credential-platform/test/test-support/document-platform.ts'
import { curriculumData } from '../../../../services/credential-platform/test/test-support/issuing.ts'
import { clock, signingSettings } from '../../../../services/credential-platform/test/test-support/pki.ts'
import { sampleInstitute } from '../../../../services/credential-platform/test/test-support/samples.ts'
import { credentialPages } from '../../test/credentials-world.ts'
import { expectPortuguese } from '../../test/english.ts'

const pagesOf = credentialPages()
const platform = sharedPlatform('SQLite', signingSettings, clock)

const lists = ['degrees', 'emissions', 'registrations', 'academic-transcripts', 'curriculums', 'courses', 'flows']
const others = [
  'signatures',
  'batches',
  'restamps',
  'institutes',
  'partnerships',
  'templates',
  'organization',
  'events',
]

test('no page of the credential platform has a word of English in it for a Brazilian, whatever failed', async () => {
  const { organization, origin, enter } = await pagesOf(platform())
  const { json } = organization
  const { id: instituteId } = (await json('POST', '/api/institutes', sampleInstitute())).body
  const flowId = await madeFlow(organization, flowThere('Curriculum', ['bruno-lima']))
  const { body: made } = await json('POST', '/api/curriculums', { instituteId, data: curriculumData(), flowId })
  await reachedOf(organization, made.id, 'Failed')

  const { page } = await enter('/', 'Administrador', { locale: 'pt-BR', provoked: /404|422/ })
  page.setDefaultTimeout(20_000)
  for (const path of [
    ...lists,
    ...lists.slice(0, 2).map((list) => `${list}/new`),
    ...others,
    'account',
    'degrees/none',
  ]) {
    await page.goto(`${origin}/${path}`)
    await expectPortuguese(page, path)
  }
  await page.goto(`${origin}/curriculums/${made.id}`)
  await page.getByText('A organização não tem plataforma de documentos conectada.').first().waitFor()
  await expectPortuguese(page, 'a curriculum that was not sent')

  await page.goto(`${origin}/organization`)
  const panel = page.getByRole('region', { name: 'Plataforma de documentos', exact: true })
  await panel.getByLabel('Enviar documentos para lá').check({ force: true })
  // Nothing answers at this address.
  await panel.getByLabel('URL').fill('http://127.0.0.1:9')
  await panel.getByLabel('Chave de API').fill('a key of nobody')
  await panel.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('A conexão foi salva.').first().waitFor()
  await panel.getByRole('button', { name: 'Testar a conexão' }).click()
  await panel.getByText('Não houve conexão. (ECONNREFUSED)').waitFor()
  await expectPortuguese(page, 'a platform that does not answer')

  await page.goto(`${origin}/nope/nope`)
  await expectPortuguese(page, '/nope/nope')
})
