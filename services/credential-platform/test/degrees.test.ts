// Degrees of an organization that issues and registers: two documents, one after the other, and what follows.
import { judge, nodeRange, readDocument } from '@chancela/academic-documents/layouts'
import { Certificate } from '@chancela/signature-engine/x509'
import { describe, expect, test } from 'vitest'
import { databases, instituteOf, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import {
  concludedDegree,
  curriculumData,
  dean,
  documentationData,
  documentOf,
  madeDegree,
  newDegree,
  schoolAt,
  signAs,
} from './test-support/issuing.ts'
import { pdfText } from './test-support/pdf-text.ts'
import { clock, pki, signingSettings } from './test-support/pki.ts'
import { xmlsecVerdicts } from './test-support/xmlsec.ts'

const root = () => Certificate.read(pki.certificate('root').der)

for (const database of databases) {
  describe(`degrees on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)

    const alone = { createAcademicTranscript: false }

    test('both XML are signed one after the other, the second carries the data of the first byte by byte', async () => {
      const school = await schoolAt(open())
      const degree = await concludedDegree(school, alone)
      const { body } = await school.json('GET', degree.path)
      expect(body.verificationCode).toMatch(/^\d+\.\d+\.[0-9a-f]{12}$/)
      const documentation = await school.file(degree.path, 'academic-documentation')
      const published = await school.file(degree.path, 'public-xml')
      for (const xml of [documentation, published]) expect(judge(xml)).toMatchObject({ valid: true, problems: [] })
      const text = documentation.toString()
      const id = /<DadosDiploma id="(Dip\d{44})"/.exec(text)![1]!
      const cut = (xml: Buffer) => xml.subarray(nodeRange(xml, id)!.start, nodeRange(xml, id)!.end)
      expect(cut(published).equals(cut(documentation))).toBe(true)
      expect(published.toString()).toContain(`<CodigoValidacao>${body.verificationCode}</CodigoValidacao>`)
      expect(await xmlsecVerdicts(documentation, root(), clock())).toEqual(['OK', 'OK', 'OK'])
      expect(await xmlsecVerdicts(published, root(), clock())).toEqual(['OK', 'OK', 'OK', 'OK'])
      expect(readDocument(published).document).toMatchObject({ kind: 'degree', version: '1.05' })
      const shown = await pdfText(await school.file(degree.path, 'rvdd'))
      for (const part of ['Maria Araújo', body.verificationCode, 'Pedagogia']) expect(shown).toContain(part)
      await school.arrived(2)
      expect(school.types()).toEqual(['DegreeCreated', 'DegreeConcluded'])
      const found = await school.json('GET', `/api/degrees?q=${body.verificationCode}`)
      expect(found.body.items.map((one: { id: string }) => one.id)).toEqual([degree.id])
    })

    test('is suspended, restored and annulled for one of the reasons, each told of; the transcript goes with it', async () => {
      const school = await schoolAt(open())
      const { path, id } = await concludedDegree(school)
      const { json } = school
      const transcripts = await json('GET', '/api/academic-transcripts')
      const [transcript] = transcripts.body.items
      expect(transcripts.body.items).toMatchObject([{ type: 'Final', status: 'Pending' }])
      await school.arrived(3)
      const before = school.types().length
      const change = async (name: string, body: object, status: string) => {
        const count = school.types().length
        const changed = await json('POST', `${path}/${name}`, body)
        expect([changed.status, changed.body.status]).toEqual([200, status])
        await school.arrived(count + 1)
      }
      await change('cancellation', { temporary: true, reason: 'Em apuração' }, 'CanceledTemporarily')
      const { json: another } = await school.application('Administrador')
      await another('POST', `${path}/restoration`, { reason: 'Apurado' })
      await change('restoration', { reason: 'Apurado' }, 'Concluded')
      const gerente = await school.application('Gerente')
      const annulment = { reason: 'Data incorreta', cancellationReason: 'ErroDeFato' }
      expect((await gerente.json('POST', `${path}/cancellation`, annulment)).status).toBe(403)
      const missing = await json('POST', `${path}/cancellation`, { reason: 'x' })
      expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ['cancellationReason']])
      await another('POST', `${path}/cancellation`, annulment)
      await change('cancellation', annulment, 'Canceled')
      await school.arrived(before + 4)
      expect(school.types().slice(before).toSorted()).toEqual([
        'AcademicTranscriptCanceled',
        'DegreeCanceled',
        'DegreeCanceledTemporarily',
        'DegreeRestored',
      ])
      const last = school.told().find(({ type }) => type === 'DegreeCanceled')!
      expect(last.data).toMatchObject({ id, reason: 'Data incorreta', cancellationReason: 'ErroDeFato' })
      expect((await json('GET', `/api/academic-transcripts/${transcript.id}`)).body.status).toBe('Canceled')
      expect((await json('POST', `${path}/restoration`, { reason: 'x' })).body.code).toBe('invalid-transition')
    })

    test('one that was never concluded is canceled without an annulment, and nobody signs it any more', async () => {
      const school = await schoolAt(open())
      const { path, id } = await madeDegree(school, alone)
      const document = await documentOf(school, id)
      const wrong = await school.json('POST', `${path}/cancellation`, { reason: 'x', cancellationReason: 'ErroDeFato' })
      expect(wrong.status).toBe(422)
      const canceled = await school.json('POST', `${path}/cancellation`, { reason: 'Aluno errado' })
      expect(canceled.body).toMatchObject({ status: 'Canceled', cancellationReason: null, verificationCode: null })
      expect((await signAs(school, document.id, dean())).body.code).toBe('signing-refused')
    })

    test('a transcript that cannot be made does not stop the degree, is told of, and is made later', async () => {
      const school = await schoolAt(open())
      const request = { instituteId: school.instituteId, data: curriculumData() }
      const { body: curriculum } = await school.json('POST', '/api/curriculums', request)
      await signAs(school, (await documentOf(school, curriculum.id)).id, dean())
      await school.reaches(`/api/curriculums/${curriculum.id}`, 'Concluded')
      const { body, path } = await madeDegree(school)
      expect(body.academicTranscriptCreationError).toContain('data.historicoEscolar.elementosHistorico')
      expect((await school.json('GET', '/api/academic-transcripts')).body.totalCount).toBe(0)
      await school.json('POST', `/api/curriculums/${curriculum.id}/cancellation`, { reason: 'Substituído' })
      const later = await school.json('POST', `${path}/academic-transcript`, {})
      expect([later.status, later.body.type]).toEqual([201, 'Final'])
      expect((await school.json('GET', path)).body.academicTranscriptCreationError).toBeNull()
      const twice = await school.json('POST', `${path}/academic-transcript`, {})
      expect([twice.status, twice.body.code]).toEqual([409, 'already-exists'])
    })

    once('what is wrong is told by its path, in the documentation and in the registration', async () => {
      const school = await schoolAt(open())
      const ask = async (more: object) => {
        const { status, body } = await school.json('POST', '/api/degrees', newDegree(school.instituteId, more))
        return [status, Object.keys(body.errors ?? {})]
      }
      const { documentacaoComprobatoria: _, ...request } = documentationData().registroReq
      expect(await ask({ data: { registroReq: request } })).toEqual([
        422,
        ['data.registroReq.documentacaoComprobatoria'],
      ])
      expect(await ask({ data: {} })).toEqual([422, ['data']])
      expect(await ask({ data: { ...documentationData(), outro: 1 } })).toEqual([422, ['data.outro']])
      expect(await ask({ data: documentationData({ id: 'ReqDip1' }) })).toEqual([422, ['data.registroReq.id']])
      expect(await ask({ registration: { seguranca: {} } })).toEqual([422, ['registration.seguranca']])
      expect(await ask({ registration: {} })).toEqual([422, ['registration.livroRegistro']])
      const { id: issuerOnly } = await instituteOf(school, { kind: 'Issuer' })
      expect(await ask({ registrarInstituteId: issuerOnly })).toEqual([422, ['registrarInstituteId']])
      expect((await school.json('GET', '/api/degrees')).body.totalCount).toBe(0)
    })

    test('emissions are signed, canceled and returned to what they were', async () => {
      const school = await schoolAt(open())
      const { json } = school
      const request = { instituteId: school.instituteId, data: documentationData() }
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const { status, body } = await json('POST', '/api/emissions', request, headers)
      expect([status, body]).toEqual([201, expect.objectContaining({ status: 'Created', registrationStatus: null })])
      expect((await json('POST', '/api/emissions', request, headers)).body).toEqual(body)
      const path = `/api/emissions/${body.id}`
      await school.arrived(1)
      const canceled = await json('POST', `${path}/cancellation`, { reason: 'Engano' })
      expect(canceled.body).toMatchObject({ status: 'Canceled', reason: 'Engano' })
      await school.arrived(2)
      expect((await json('POST', `${path}/restoration`, { reason: 'Estava certo' })).body.status).toBe('Created')
      await signAs(school, (await documentOf(school, body.id)).id, dean())
      await school.reaches(path, 'Signed')
      await school.arrived(3)
      expect(school.types()).toEqual(['EmissionCreated', 'EmissionCanceled', 'EmissionSigned'])
      const xml = await school.file(path, 'academic-documentation')
      expect(judge(xml)).toMatchObject({ valid: true, kind: 'academicDocumentation' })
      expect(await xmlsecVerdicts(xml, root(), clock())).toEqual(['OK', 'OK', 'OK'])
      const foreign = await organizationAt(open())
      for (const more of ['', '/files/academic-documentation'])
        expect((await foreign.json('GET', path + more)).body.code).toBe('emission-not-found')
      expect((await foreign.json('POST', `${path}/cancellation`, { reason: 'x' })).status).toBe(404)
    })
  })
}
