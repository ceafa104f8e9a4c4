// Curriculums are made from data, signed by a person and the institution, served byte by byte, and canceled.
import { createHash } from 'node:crypto'
import { judge } from '@chancela/academic-documents/layouts'
import { Certificate } from '@chancela/signature-engine/x509'
import { describe, expect, test } from 'vitest'
import { databases, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { clerk, curriculumData, dean, documentOf, schoolAt, signAs, storeCertificate } from './test-support/issuing.ts'
import { pdfText } from './test-support/pdf-text.ts'
import { clock, fileOf, issueInstitution, pki, signingSettings } from './test-support/pki.ts'
import { sampleCourse, sampleFlow } from './test-support/samples.ts'
import { xmlsecVerdicts } from './test-support/xmlsec.ts'

const root = () => Certificate.read(pki.certificate('root').der)

for (const database of databases) {
  describe(`curriculums on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)

    async function pending(more: object = {}, stored = true) {
      const school = await schoolAt(open(), { stored })
      const request = { instituteId: school.instituteId, data: curriculumData(), ...more }
      const made = await school.json('POST', '/api/curriculums', request)
      expect([made.status, made.body]).toEqual([201, expect.objectContaining({ status: 'Pending' })])
      const path = `/api/curriculums/${made.body.id}`
      return { ...school, request, path, made: made.body, document: await documentOf(school, made.body.id) }
    }

    test('a person signs, the stored certificate closes it, and it is concluded, served and told of', async () => {
      const school = await pending()
      const { path, made, document, json, call } = school
      expect(document).toMatchObject({ status: 'Open', next: ['issuerPeople'], documentKind: 'curriculum' })
      expect((await json('GET', `${path}/files/xml`)).body.code).toBe('file-not-found')
      await school.arrived(1)
      expect((await signAs(school, document.id, dean())).status).toBe(200)
      await school.reaches(path, 'Concluded')
      await school.arrived(2)
      expect(school.types()).toEqual(['CurriculumCreated', 'CurriculumConcluded'])
      expect(school.told()[1]!.data).toEqual((await json('GET', path)).body)
      expect(made.validationCode).toMatch(/^\d+\.[0-9a-f]{12}$/)
      const xml = await school.file(path, 'xml')
      expect(judge(xml)).toMatchObject({ valid: true, kind: 'curriculum', version: '1.05', problems: [] })
      expect(xml.toString()).toContain(made.validationCode)
      expect(await xmlsecVerdicts(xml, root(), clock())).toEqual(['OK', 'OK'])
      const shown = await pdfText(await school.file(path, 'rvce'))
      for (const part of ['História da Educação', 'Obrigatória', 'Gestão escolar', made.validationCode])
        expect(shown).toContain(part)
      const answer = await call('GET', `${path}/files/xml`)
      const etag = `"${createHash('sha256').update(xml).digest('hex')}"`
      expect(answer.headers.get('etag')).toBe(etag)
      expect((await call('GET', `${path}/files/xml`, { headers: { 'if-none-match': etag } })).status).toBe(304)
      const events = (await json('GET', `/api/events?entityId=${made.id}`)).body.items
      expect(events.map(({ type }: { type: string }) => type).toSorted()).toEqual([
        'CurriculumConcluded',
        'CurriculumCreated',
        'DocumentSigned',
      ])
    })

    test('all that is wrong is told at once, by the path in the request', async () => {
      const school = await schoolAt(open())
      const { codigoCurriculo: _, ...data } = curriculumData({ dataCurriculo: '2020-02-31', outro: 1 })
      const { status, body } = await school.json('POST', '/api/curriculums', { instituteId: school.instituteId, data })
      expect([status, body.code]).toEqual([422, 'invalid-data'])
      expect(Object.keys(body.errors).toSorted()).toEqual(['data.codigoCurriculo', 'data.dataCurriculo', 'data.outro'])
      const filled = { instituteId: school.instituteId, data: curriculumData({ iesEmissora: {} }) }
      const refused = await school.json('POST', '/api/curriculums', filled)
      expect(refused.body.errors).toEqual({ 'data.iesEmissora': ['is filled in by the platform'] })
      const label = curriculumData({ infEtiquetas: { etiqueta: [{ codigo: 'ZZ', nome: 'Outra' }] } })
      const inconsistent = await school.json('POST', '/api/curriculums', { ...filled, data: label })
      expect(inconsistent.status).toBe(422)
      expect((await school.json('GET', '/api/curriculums')).body.totalCount).toBe(0)
    })

    test('a code stands for one curriculum of an institution, until it is canceled', async () => {
      const school = await pending()
      const { json, path, request } = school
      const again = await json('POST', '/api/curriculums', request)
      expect([again.status, again.body.code]).toEqual([409, 'already-exists'])
      const canceled = await json('POST', `${path}/cancellation`, { reason: 'Erro de digitação' })
      expect(canceled.body).toMatchObject({ status: 'Canceled', reason: 'Erro de digitação' })
      await school.arrived(2)
      expect((await documentOf(school, canceled.body.id)).status).toBe('Withdrawn')
      expect((await signAs(school, school.document.id, dean())).body.code).toBe('signing-refused')
      const twice = await json('POST', `${path}/cancellation`, { reason: 'x' })
      expect([twice.status, twice.body.code]).toEqual([409, 'invalid-transition'])
      expect((await json('POST', '/api/curriculums', request)).status).toBe(201)
    })

    test('the flow says who signs; others are refused, and the course comes from what was set up', async () => {
      const school = await schoolAt(open())
      const participants = [{ name: 'Bruno Carvalho Lima', identifier: '11144477735' }]
      const institution = [{ name: 'Universidade', identifier: '11444777000161' }]
      const steps = [
        { node: 'Document', certificateKind: 'eCpf', level: 'AD-RC', participants },
        { node: 'Document', certificateKind: 'eCnpj', level: 'AD-RA', participants: institution },
      ]
      const flow = await school.json('POST', '/api/flows', sampleFlow({ documentKind: 'Curriculum', steps }))
      const course = await school.json('POST', '/api/courses', sampleCourse(school.instituteId))
      const { dadosCurso: _, ...data } = curriculumData()
      const request = { instituteId: school.instituteId, flowId: flow.body.id, courseId: course.body.id, data }
      const { status, body: made } = await school.json('POST', '/api/curriculums', request)
      expect([status, made.course]).toEqual([201, 'Pedagogia'])
      const document = await documentOf(school, made.id)
      expect(document.steps[0]).toMatchObject({ level: 'AD-RC', missing: ['11144477735'] })
      const refused = await signAs(school, document.id, clerk())
      expect([refused.status, refused.body.code]).toEqual([409, 'signing-refused'])
      expect((await signAs(school, document.id, dean())).status).toBe(200)
      await school.reaches(`/api/curriculums/${made.id}`, 'Concluded')
    })

    test('a signature that was begun is good for one, for this document, and in its time', async () => {
      const school = await pending({}, false)
      const { json, document } = school
      const start = () =>
        json('POST', `/api/documents/${document.id}/signatures`, { certificate: dean().der.toString('base64') })
      const completion = `/api/documents/${document.id}/signatures/completion`
      const { token } = (await start()).body
      const wrong = await json('POST', completion, { token, signature: Buffer.alloc(256, 1).toString('base64') })
      expect([wrong.status, wrong.body.code]).toEqual([422, 'signature-wrong'])
      expect((await json('POST', completion, { token: `${token}x`, signature: 'AAAA' })).body.code).toBe(
        'signature-token-invalid',
      )
      expect((await signAs(school, document.id, dean())).body).toMatchObject({ revision: 1, next: expect.any(Array) })
      const late = await json('POST', completion, { token, signature: 'AAAA' })
      expect([late.status, late.body.code]).toEqual([409, 'changed-meanwhile'])
      const twice = await start()
      expect([twice.status, twice.body.refusal ?? twice.body.code]).toEqual([409, expect.any(String)])
    })

    test('without a stored certificate the document waits, and gets on when one is stored', async () => {
      const school = await pending({}, false)
      await signAs(school, school.document.id, dean())
      expect((await school.json('GET', school.path)).body.status).toBe('Pending')
      await storeCertificate(school, school.instituteId)
      await school.reaches(school.path, 'Concluded')
    })

    once('the certificate of an institution is its own, valid, and never shown with its key', async () => {
      const school = await schoolAt(open())
      const path = `/api/institutes/${school.instituteId}/certificate`
      const other = await school.json('PUT', path, fileOf(await issueInstitution('11222333000181')))
      expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['content']])
      const person = await school.json('PUT', path, fileOf(dean()))
      expect(person.status).toBe(422)
      const locked = await school.json('PUT', path, fileOf(dean(), 'another password'))
      expect(locked.status).toBe(422)
      const shown = await school.json('GET', path)
      expect(Object.keys(shown.body).toSorted()).toEqual(
        ['cnpj', 'creationDate', 'issuer', 'notAfter', 'notBefore', 'serialNumber', 'subject'].toSorted(),
      )
      expect((await school.json('DELETE', path)).status).toBe(204)
      expect((await school.json('GET', path)).body.code).toBe('certificate-not-found')
    })

    test('a creation that is repeated under its key makes one, and another organization sees nothing', async () => {
      const school = await schoolAt(open())
      const request = { instituteId: school.instituteId, data: curriculumData() }
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const made = await school.json('POST', '/api/curriculums', request, headers)
      const again = await school.json('POST', '/api/curriculums', request, headers)
      expect([again.status, again.body]).toEqual([201, made.body])
      expect((await school.json('GET', '/api/curriculums?q=PED-2020')).body.totalCount).toBe(1)
      const foreign = await organizationAt(open())
      const document = await documentOf(school, made.body.id)
      for (const path of [`/api/curriculums/${made.body.id}`, `/api/documents/${document.id}`])
        expect((await foreign.json('GET', path)).status).toBe(404)
      expect((await foreign.json('GET', `/api/documents?ownerId=${made.body.id}`)).body.items).toEqual([])
      expect((await foreign.json('POST', '/api/curriculums', request)).body.code).toBe('institute-not-found')
    })
  })
}
