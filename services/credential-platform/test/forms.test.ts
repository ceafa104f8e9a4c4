// Forms say what a caller has to send; checks say what a creation would answer, and make nothing.
import { judge } from '@chancela/academic-documents/layouts'
import { describe, expect, test } from 'vitest'
import { formKinds } from '../src/contract/forms.ts'
import { databases, instituteOf, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { curriculumData, documentationData, newDegree, schoolAt, transcriptData } from './test-support/issuing.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { sampleCourse, sampleInstitute } from './test-support/samples.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into every field.
type Any = any

const namedIn = (fields: Any[]): Any[] =>
  fields.flatMap((field) => (field.kind === 'oneOf' ? field.options.flatMap(namedIn) : [field]))

/** Paths of data that a form does not ask for. */
function unasked(fields: Any[], value: Any, path = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = namedIn(fields).find((one) => one.name === name)
    if (!field) return [`${path}${name}`]
    const items = field.repeated || field.kind === 'list' ? (inner as Any[]) : [inner]
    const inside = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : undefined
    return inside ? items.flatMap((item) => unasked(inside, item, `${path}${name}.`)) : []
  })
}

const everyField = (fields: Any[]): Any[] =>
  namedIn(fields).flatMap((field) => [field, ...everyField(field.fields ?? field.items ?? [])])

for (const database of databases) {
  describe(`forms on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)
    const formAt = async (kind: string, language = 'pt-BR') => {
      const { call } = await organizationAt(open())
      const answer = await call('GET', `/api/layouts/1.05/forms/${kind}`, { headers: { 'accept-language': language } })
      expect(answer.status).toBe(200)
      return { call, etag: answer.headers.get('etag')!, body: (await answer.json()) as Any }
    }
    const variant = async (kind: string, name: string) =>
      (await formAt(kind)).body.variants.find((one: Any) => one.name === name)

    once('ask for everything that a request has, under the names that it has', async () => {
      const asked = async (kind: string, name: string, data: unknown) =>
        unasked((await variant(kind, name)).fields, data)
      expect(await asked('curriculums', 'curriculum', curriculumData())).toEqual([])
      expect(await asked('academic-transcripts', 'Final', transcriptData())).toEqual([])
      expect(await asked('degrees', 'registroReq', documentationData().registroReq)).toEqual([])
      expect(await asked('emissions', 'registroReq', documentationData().registroReq)).toEqual([])
      expect(await asked('registrations', 'dadosRegistro', newDegree('x').registration)).toEqual([])
      expect(await asked('courses', 'dadosDiploma', sampleCourse('x').data)).toEqual([])
      expect(await asked('institutes', 'IssuerAndRegistrar', sampleInstitute().data)).toEqual([])
    })

    once('do not ask for what the platform fills in, and say what a course fills in', async () => {
      const top = async (kind: string, name: string) =>
        namedIn((await variant(kind, name)).fields).map((one) => one.name)
      expect(await top('curriculums', 'curriculum')).not.toContain('segurancaCurriculo')
      expect(await top('academic-transcripts', 'Partial')).not.toContain('iesEmissora')
      expect(await top('registrations', 'dadosRegistro')).toEqual([
        'livroRegistro',
        'informacoesAdicionais',
        'assinantes',
      ])
      const { fields, at } = await variant('degrees', 'registroReq')
      expect(at).toBe('data.registroReq')
      const degreeData = fields.find(({ name }: Any) => name === 'dadosDiploma')
      expect(degreeData.fields.map(({ name }: Any) => name)).not.toContain('iesEmissora')
      expect(degreeData.fields.find(({ name }: Any) => name === 'dadosCurso').filledBy).toBe('courseId')
      expect((await formAt('degrees')).body.variants.map(({ name }: Any) => name)).toEqual([
        'registroReq',
        'registroReqNSF',
        'registroSegundaViaReq',
        'registroPorDecisaoJudicialReq',
      ])
    })

    once('have a word for every field in both languages, and are not sent twice', async () => {
      for (const kind of formKinds) {
        const forms = [await formAt(kind), await formAt(kind, 'en-US')] as const
        const [portuguese, english] = forms.map(({ body }) =>
          body.variants.flatMap(({ label, fields }: Any) => [{ label }, ...everyField(fields)]),
        ) as [Any[], Any[]]
        expect(english.map(({ name }) => name)).toEqual(portuguese.map(({ name }) => name))
        for (const { label, name } of [...portuguese, ...english]) {
          expect(label).toBeTruthy()
          // No word is the name of a field.
          expect(/[a-z][A-Z]|_/.test(label.replaceAll('e-MEC', '')), `${kind} ${name} ${label}`).toBe(false)
        }
        const [{ call, etag }, other] = forms
        expect(other.etag).not.toBe(etag)
        const headers = { 'accept-language': 'pt-BR', 'if-none-match': etag }
        expect((await call('GET', `/api/layouts/1.05/forms/${kind}`, { headers })).status).toBe(304)
      }
    })

    once('are of the layout that is written, and of kinds that there are', async () => {
      const { json } = await organizationAt(open())
      for (const path of ['1.02/forms/degrees', '1.05/forms/diplomas']) {
        const { status, body } = await json('GET', `/api/layouts/${path}`)
        expect([status, body.code]).toEqual([400, 'invalid-request'])
      }
    })

    const drafts = (instituteId: string) => ({
      degrees: newDegree(instituteId),
      emissions: { instituteId, data: documentationData() },
      'academic-transcripts': { instituteId, type: 'Final', data: transcriptData() },
      curriculums: { instituteId, data: curriculumData() },
    })

    test('a check of what is right answers the XML that would be signed, and makes nothing', async () => {
      const { json, subscriptionId } = await schoolAt(open(), { stored: false })
      const { id } = (await json('GET', '/api/institutes')).body.items[0]
      for (const [kind, draft] of Object.entries(drafts(id))) {
        const { status, body } = await json('POST', `/api/${kind}/check?xml=true`, draft)
        expect([status, body.academicTranscriptCreationError], kind).toEqual([200, null])
        // A degree is checked with its transcript.
        expect(body.documents).toHaveLength(kind === 'degrees' ? 2 : 1)
        for (const xml of body.documents)
          expect(judge(Buffer.from(xml), { beforeSigning: true })).toMatchObject({ valid: true })
        expect((await json('POST', `/api/${kind}/check`, draft)).body.documents).toEqual([])
        expect((await json('GET', `/api/${kind}`)).body.totalCount, kind).toBe(0)
      }
      const { body } = await json('GET', '/api/events')
      expect(body.items.map(({ type }: Any) => type).filter((type: string) => /Created$/.test(type))).not.toContain(
        'DegreeCreated',
      )
      expect(subscriptionId).toBeTruthy()
    })

    test('a check of what is wrong answers what the creation does, field by field', async () => {
      const { json, instituteId } = await schoolAt(open(), { stored: false })
      const wrong = {
        degrees: { ...newDegree(instituteId), registration: { livroRegistro: {} } },
        emissions: { instituteId, data: { registroReq: { id: 'x' } } },
        'academic-transcripts': { instituteId, type: 'Final', data: { ...transcriptData(), aluno: { cpf: '1' } } },
        curriculums: { instituteId, data: { ...curriculumData(), dataCurriculo: '2026-02-30' } },
      }
      for (const [kind, draft] of Object.entries(wrong)) {
        const [checked, made] = [
          await json('POST', `/api/${kind}/check`, draft),
          await json('POST', `/api/${kind}`, draft),
        ]
        expect([checked.status, checked.body.errors], kind).toEqual([422, made.body.errors])
      }
      const draft = { instituteId, data: curriculumData() }
      expect((await json('POST', '/api/curriculums', draft)).status).toBe(201)
      const again = await json('POST', '/api/curriculums/check', draft)
      expect([again.status, again.body.code]).toEqual([409, 'already-exists'])
    })

    test('the data of a curriculum can be sent again', async () => {
      const { json, instituteId } = await schoolAt(open(), { stored: false })
      const { dadosCurso: _, ...data } = curriculumData()
      const course = (await json('POST', '/api/courses', sampleCourse(instituteId))).body
      const draft = { instituteId, courseId: course.id, data }
      const made = (await json('POST', '/api/curriculums', draft)).body
      const again = (await json('GET', `/api/curriculums/${made.id}/data`)).body
      expect(again).toEqual(draft)
      const next = { ...again, data: { ...again.data, codigoCurriculo: 'PED-2' } }
      expect((await json('POST', '/api/curriculums', next)).status).toBe(201)
      const other = await organizationAt(open())
      expect((await other.json('GET', `/api/curriculums/${made.id}/data`)).body.code).toBe('curriculum-not-found')
    })

    test('a check knows nothing of institutions, courses and flows of others', async () => {
      const [one, other] = [await organizationAt(open()), await organizationAt(open())]
      const [own, foreign] = [await instituteOf(one), await instituteOf(other)]
      const course = (await other.json('POST', '/api/courses', sampleCourse(foreign.id))).body
      for (const [kind, draft] of Object.entries(drafts(foreign.id)))
        expect((await one.json('POST', `/api/${kind}/check`, draft)).body.code).toBe('institute-not-found')
      for (const [kind, draft] of Object.entries(drafts(own.id)))
        expect((await one.json('POST', `/api/${kind}/check`, { ...draft, courseId: course.id })).body.code).toBe(
          'course-not-found',
        )
    })
  })
}
