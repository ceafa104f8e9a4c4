// Everything that is served follows the official schemas, as xmllint judges.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { expect, test, vi } from 'vitest'
import { startPlatform } from './test-support/credential-world.ts'
import {
  concludedDegree,
  curriculumData,
  dean,
  documentationData,
  documentOf,
  schoolAt,
  signAs,
  transcriptData,
} from './test-support/issuing.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { closedDocumentation, issuer } from './test-support/registry.ts'
import {
  partnersAt,
  registered,
  type School,
  signedEmission,
  signedRegistration,
  soon,
  storeCertificate,
} from './test-support/two-institutes.ts'

const SCHEMAS = fileURLToPath(new URL('../../../../shared/xsd/1.05', import.meta.url))

/** What xmllint says of a document, with the official schema. */
async function verdictOf(schema: string, bytes: Uint8Array): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'document.xml'), bytes)
  const path = join(SCHEMAS, `${schema}_v1.05.xsd`)
  expect(existsSync(path)).toBe(true)
  const { text } = await runTool('xmllint', ['--noout', '--nonet', '--schema', path, 'document.xml'], { folder })
  return text.trim()
}

test('curriculum, transcript, documentation and degree follow the official schemas as they are served', async () => {
  const school = await schoolAt(await startPlatform('SQLite', signingSettings, clock))
  const { instituteId } = school
  const served = async (path: string, body: object, status: string, file: string) => {
    const made = await school.json('POST', path, body)
    expect(made.status).toBe(201)
    await signAs(school, (await documentOf(school, made.body.id)).id, dean())
    await school.reaches(`${path}/${made.body.id}`, status)
    return school.file(`${path}/${made.body.id}`, file)
  }
  const transcript = { instituteId, type: 'Final', data: transcriptData() }
  const emission = { instituteId, data: documentationData() }
  const degree = await concludedDegree(school, { createAcademicTranscript: false })
  const documents: readonly (readonly [schema: string, bytes: Buffer])[] = [
    ['HistoricoEscolarDigital', await served('/api/academic-transcripts', transcript, 'Concluded', 'xml')],
    [
      'CurriculoEscolarDigital',
      await served('/api/curriculums', { instituteId, data: curriculumData() }, 'Concluded', 'xml'),
    ],
    [
      'DocumentacaoAcademicaRegistroDiplomaDigital',
      await served('/api/emissions', emission, 'Signed', 'academic-documentation'),
    ],
    ['DocumentacaoAcademicaRegistroDiplomaDigital', await school.file(degree.path, 'academic-documentation')],
    ['DiplomaDigital', await school.file(degree.path, 'public-xml')],
  ]
  for (const [schema, bytes] of documents)
    expect([schema, await verdictOf(schema, bytes)]).toEqual([schema, 'document.xml validates'])
})

test('degrees of others, lists of annulled degrees and inspection files follow them as well', async () => {
  const world = await startPlatform('SQLite', signingSettings, clock)
  const partners = await partnersAt(world)
  const { faculty, university } = partners
  await storeCertificate(faculty, issuer)
  const emissionId = await signedEmission(world, faculty, await closedDocumentation())
  await faculty.json('POST', `/api/emissions/${emissionId}/send`, { registrarInstituteId: university.instituteId })
  const { id } = (await university.json('GET', '/api/registrations')).body.items[0]
  await registered(partners, id)
  await signedRegistration(partners, id)
  const annulment = { reason: 'Fraude', cancellationReason: 'ReemissaoParaAnotacaoDeRegistro' }
  for (const who of [university, await university.application('Administrador')])
    await who.json('POST', `/api/registrations/${id}/cancellation`, annulment)

  const bytesOf = async ({ call }: Pick<School, 'call'>, path: string) =>
    Buffer.from(await (await call('GET', path)).arrayBuffer())
  /** Asks for a document of the institution, and waits for its signature. */
  const signed = async (school: School, kind: string, body?: object) => {
    const path = `/api/institutes/${school.instituteId}/${kind}`
    const made = await school.json('POST', path, body)
    expect(made.status).toBe(201)
    const one = `${path}/${made.body.id}`
    await vi.waitUntil(async () => (await school.json('GET', one)).body.status === 'Signed', soon)
    return bytesOf(school, `${one}/file`)
  }
  const period = { startDate: '2026-01-01', endDate: '2026-12-31' }
  const documents: readonly (readonly [schema: string, bytes: Buffer])[] = [
    ['DiplomaDigital', await bytesOf(university, `/api/registrations/${id}/files/public-xml`)],
    ['ListaDiplomasAnulados', await signed(university, 'cancellation-lists')],
    ['ArquivoFiscalizacao', await signed(university, 'inspection-files', { type: 'Registrar', ...period })],
    ['ArquivoFiscalizacao', await signed(faculty, 'inspection-files', { type: 'Issuer', ...period })],
  ]
  for (const [schema, bytes] of documents)
    expect([schema, await verdictOf(schema, bytes)]).toEqual([schema, 'document.xml validates'])
})
