// Academic transcripts are made from data, signed, suspended, restored and canceled.
import { judge } from '@chancela/academic-documents/layouts'
import { Certificate } from '@chancela/signature-engine/x509'
import { describe, expect, test } from 'vitest'
import { databases, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { curriculumData, dean, documentOf, schoolAt, signAs, transcriptData } from './test-support/issuing.ts'
import { pdfText } from './test-support/pdf-text.ts'
import { clock, pki, running, signingSettings } from './test-support/pki.ts'
import { xmlsecVerdicts } from './test-support/xmlsec.ts'

for (const database of databases) {
  describe(`transcripts on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)

    async function pending(more: object = {}) {
      const school = await schoolAt(open())
      const request = { instituteId: school.instituteId, type: 'Final', data: transcriptData(), ...more }
      const { status, body } = await school.json('POST', '/api/academic-transcripts', request)
      expect([status, body]).toEqual([201, expect.objectContaining({ status: 'Pending' })])
      const path = `/api/academic-transcripts/${body.id}`
      return { ...school, path, made: body, document: await documentOf(school, body.id) }
    }

    test('the whole life: signed, suspended, restored, canceled; each change is told of in its order', async () => {
      const school = await pending()
      const { path, json, made } = school
      expect(made).toMatchObject({ type: 'Final', studentSocialName: 'Maria Araújo', course: 'Pedagogia' })
      await school.arrived(1)
      await signAs(school, school.document.id, dean())
      await school.reaches(path, 'Concluded')
      await school.arrived(2)
      const xml = await school.file(path, 'xml')
      expect(judge(xml)).toMatchObject({ valid: true, root: 'DocumentoHistoricoEscolarFinal' })
      expect(await xmlsecVerdicts(xml, Certificate.read(pki.certificate('root').der), clock())).toEqual(['OK', 'OK'])
      const shown = await pdfText(await school.file(path, 'rvhe'))
      for (const part of ['História da Educação', 'Carlos Nogueira', made.verificationCode])
        expect(shown).toContain(part)
      const gerente = await school.application('Gerente')
      const forbidden = await gerente.json('POST', `${path}/cancellation`, { reason: 'x' })
      expect([forbidden.status, forbidden.body.code]).toEqual([403, 'forbidden'])
      const steps = [
        ['cancellation', { temporary: true, reason: 'Nota em revisão' }, 'CanceledTemporarily'],
        ['restoration', { reason: 'Nota confirmada' }, 'Concluded'],
        ['cancellation', { reason: 'Histórico de outra pessoa' }, 'Canceled'],
      ] as const
      for (const [at, [name, body, status]] of steps.entries()) {
        const changed = await json('POST', `${path}/${name}`, body)
        expect(changed.body).toMatchObject({ status, reason: body.reason })
        await school.arrived(3 + at)
      }
      expect(school.types()).toEqual([
        'AcademicTranscriptCreated',
        'AcademicTranscriptConcluded',
        'AcademicTranscriptCanceledTemporarily',
        'AcademicTranscriptConcluded',
        'AcademicTranscriptCanceled',
      ])
      const late = await json('POST', `${path}/restoration`, { reason: 'x' })
      expect([late.status, late.body.code]).toEqual([409, 'invalid-transition'])
    })

    test('its units are those of the concluded curriculum that it names', async () => {
      const school = await schoolAt(open())
      const request = { instituteId: school.instituteId, data: curriculumData() }
      const { body: curriculum } = await school.json('POST', '/api/curriculums', request)
      await signAs(school, (await documentOf(school, curriculum.id)).id, dean())
      await school.reaches(`/api/curriculums/${curriculum.id}`, 'Concluded')
      const strange = { instituteId: school.instituteId, type: 'Final', data: transcriptData() }
      const { status, body } = await school.json('POST', '/api/academic-transcripts', strange)
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toContain(
        'data.historicoEscolar.elementosHistorico[1].disciplina.codigoDisciplina',
      )
    })

    once('each type is a document of its own, and a partial one does not say that somebody graduated', async () => {
      const school = await schoolAt(open())
      const ask = (type: string, data: object) =>
        school.json('POST', '/api/academic-transcripts', { instituteId: school.instituteId, type, data })
      expect((await ask('Partial', transcriptData())).status).toBe(422)
      const { historicoEscolar, ...rest } = transcriptData() as { historicoEscolar: object }
      const enrolled = { ...historicoEscolar, situacaoAtualDiscente: { matriculadoEmDisciplina: true } }
      const partial = await ask('Partial', { ...rest, historicoEscolar: enrolled })
      expect([partial.status, partial.body.type]).toEqual([201, 'Partial'])
      const { body } = await school.json('GET', '/api/academic-transcripts?q=conceicao&status=Pending')
      expect(body).toMatchObject({ totalCount: 1, items: [{ id: partial.body.id }] })
    })

    once('a timestamp authority that is silent delays a signature, and does not lose it', async () => {
      const school = await pending()
      running.faults.set('tsa', { kind: 'try-later' })
      const signed = await signAs(school, school.document.id, dean())
      expect(signed.body.steps[0]).toMatchObject({ state: 'unfinished', signers: ['11144477735'] })
      running.faults.clear()
      clock.advance(60_000)
      await school.reaches(school.path, 'Concluded')
    })
  })
}
