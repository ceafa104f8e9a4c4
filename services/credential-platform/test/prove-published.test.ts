// Everything that is served follows the official schemas, as xmllint judges.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'
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
