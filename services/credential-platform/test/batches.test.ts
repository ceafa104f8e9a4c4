// Many items from one file: every row by itself, each made once, whatever is wrong with the others.
import { describe, expect, test } from 'vitest'
import { csvOf, degreeCells, emissionCells, finished, upload } from './test-support/batches.ts'
import { databases, instituteOf, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { documentOf, newDegree, schoolAt, transcriptData } from './test-support/issuing.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { sampleCourse } from './test-support/samples.ts'

const CPF = 'registroReq.dadosDiploma.diplomado.cpf'
const NOTES = 'registration.informacoesAdicionais'
const BIRTH = 'registroReq.dadosDiploma.diplomado.dataNascimento'

for (const database of databases) {
  describe(`batches on ${database}`, () => {
    const open = sharedPlatform(database, { ...signingSettings, Batches: { RowsPerRound: 2, MaxRows: 20 } }, clock)
    const once = testOnce(database)

    const placeAt = async () => {
      const organization = await organizationAt(open())
      const { id: instituteId } = await instituteOf(organization)
      const path = (plural: string, query = '') => `/api/${plural}/batches?instituteId=${instituteId}${query}`
      return { ...organization, instituteId, path }
    }

    test('every row becomes an item or is told what is wrong with it, column by column', async () => {
      const school = await schoolAt(open())
      const names = ['Ana Sá', 'Beto', 'Cida', 'Davi', 'Eva']
      const rows = names.map((name) => emissionCells(name))
      rows[1] = emissionCells('Beto', { [CPF]: '123' })
      rows[3] = emissionCells('Davi', { [BIRTH]: '31/02/2000' })
      const sent = await upload(school, `/api/emissions/batches?instituteId=${school.instituteId}`, csvOf(rows))
      expect([sent.status, sent.body]).toMatchObject([202, { status: 'Created', rows: 5, done: 0, progress: 0 }])
      const path = `/api/emissions/batches/${sent.body.id}`
      expect(await finished(school, path)).toMatchObject({ status: 'Finished', done: 3, failed: 2, progress: 100 })
      const failed = await school.json('GET', `${path}/rows?status=Failed`)
      expect(failed.body).toMatchObject({ totalCount: 2, items: [{ number: 2, code: 'invalid-data' }, { number: 4 }] })
      const fields = failed.body.items.map(({ errors }: { errors: { field: string }[] }) =>
        errors.map(({ field }) => field),
      )
      expect(fields).toEqual([[CPF], [BIRTH]])
      const made = await school.json('GET', `/api/emissions?batchId=${sent.body.id}`)
      expect(made.body.items.map((one: { studentName: string }) => one.studentName)).toEqual(['Eva', 'Cida', 'Ana Sá'])
      const done = await school.json('GET', `${path}/rows?status=Done&pageSize=2&page=2`)
      expect(done.body.items).toMatchObject([{ number: 5, itemId: made.body.items[0].id, errors: [] }])
      expect(await documentOf(school, done.body.items[0].itemId)).toMatchObject({ status: 'Open' })
      await school.arrived(3)
      expect(school.types()).toEqual(['EmissionCreated', 'EmissionCreated', 'EmissionCreated'])
      const events = await school.json('GET', `/api/events?entityId=${sent.body.id}`)
      expect(events.body.items.map((one: { type: string }) => one.type)).toEqual(['BatchFinished', 'BatchCreated'])
    })

    test('what failed is given back with its errors, and is taken again once it is corrected', async () => {
      const place = await placeAt()
      const rows = ['Ana', 'Beto "B"; Lima', 'Cida'].map((name) => emissionCells(name))
      rows[1] = { ...rows[1], [CPF]: '123' }
      const { body } = await upload(place, place.path('emissions'), csvOf(rows, ','))
      await finished(place, `/api/emissions/batches/${body.id}`)
      const answer = await place.call('GET', `/api/emissions/batches/${body.id}/errors`)
      expect(answer.headers.get('content-type')).toMatch(/^text\/csv/)
      const text = await answer.text()
      expect(text.trim().split('\r\n')).toHaveLength(2)
      expect(text).toContain('#erros')
      const corrected = await upload(place, place.path('emissions'), text.replaceAll(',123,', ',52998224725,'))
      const again = await finished(place, `/api/emissions/batches/${corrected.body.id}`)
      expect(again).toMatchObject({ rows: 1, done: 1, failed: 0 })
      const { items } = (await place.json('GET', `/api/emissions?batchId=${corrected.body.id}`)).body
      expect(items).toMatchObject([{ studentName: 'Beto "B"; Lima' }])
    })

    test('degrees come with their transcripts, whatever the letters of the file are written in', async () => {
      const place = await placeAt()
      const course = (await place.json('POST', '/api/courses', sampleCourse(place.instituteId))).body.id
      const plain = Object.entries(degreeCells('João Conceição', { [NOTES]: 'Sem observações' })).filter(
        ([name]) => !/\.dadosCurso\./.test(name),
      )
      const file = Buffer.from(csvOf([Object.fromEntries(plain)]), 'latin1')
      const { body } = await upload(place, place.path('degrees', `&courseId=${course}`), file)
      await finished(place, `/api/degrees/batches/${body.id}`)
      const rows = await place.json('GET', `/api/degrees/batches/${body.id}/rows`)
      expect(rows.body.items).toMatchObject([{ status: 'Done', errors: [] }])
      for (const plural of ['degrees', 'academic-transcripts']) {
        const { items } = (await place.json('GET', `/api/${plural}?batchId=${body.id}`)).body
        expect(items).toMatchObject([{ studentName: 'João Conceição', course: 'Pedagogia' }])
      }
    })

    test('rows of JSON are taken as a list and as lines', async () => {
      const place = await placeAt()
      const { instituteId: _, ...degree } = newDegree('x')
      const listed = await place.json('POST', place.path('degrees', '&createAcademicTranscript=false'), {
        rows: [degree, { ...degree, zz: 1 }, 7],
      })
      expect(listed.status).toBe(202)
      const path = `/api/degrees/batches/${listed.body.id}`
      expect(await finished(place, path)).toMatchObject({ format: 'Json', done: 1, failed: 2 })
      const failed = (await place.json('GET', `${path}/rows?status=Failed`)).body.items
      expect(failed.map(({ errors }: { errors: { field: string }[] }) => errors[0]!.field)).toEqual(['zz', 'row'])
      const lines = `${JSON.stringify({ data: transcriptData() })}\n\n{"data":\n`
      const type = { 'content-type': 'application/x-ndjson' }
      const sent = await upload(place, place.path('academic-transcripts', '&type=Final'), lines, type)
      const own = `/api/academic-transcripts/batches/${sent.body.id}`
      expect(await finished(place, own)).toMatchObject({ rows: 2, done: 1, failed: 1 })
      const back = await (await place.call('GET', `${own}/errors`)).text()
      expect(JSON.parse(back)).toMatchObject({ '#line': '{"data":', '#errors': [{ field: 'row' }] })
    })

    test('the template is a file that is taken as it stands', async () => {
      const place = await placeAt()
      for (const [plural, query] of [
        ['degrees', ''],
        ['emissions', ''],
        ['academic-transcripts', '&type=Partial'],
      ] as const) {
        const answer = await place.call('GET', `/api/${plural}/batches/csv-template?${query.slice(1)}`)
        const { status, body } = await upload(place, place.path(plural, query), await answer.text())
        expect([plural, status]).toEqual([plural, 202])
        const batch = await finished(place, `/api/${plural}/batches/${body.id}`)
        const rows = await place.json('GET', `/api/${plural}/batches/${body.id}/rows`)
        expect([plural, batch.done, rows.body.items[0].errors]).toEqual([plural, 1, []])
      }
    })

    test('a file is refused before its first row: columns, limits, formats, places', async () => {
      const place = await placeAt()
      const path = place.path('emissions')
      const refused = async (body: string | Buffer<ArrayBuffer>, code: string, at = path, type = 'text/csv') => {
        const answer = await upload(place, at, body, { 'content-type': type })
        expect([answer.body.code, answer.status]).toEqual([code, answer.status])
        expect(answer.status).toBeGreaterThanOrEqual(400)
        return answer.body.errors
      }
      const strange = `zz;${CPF};${CPF};registroReq.id\n1;2;3;4\n`
      expect(Object.keys(await refused(strange, 'invalid-data'))).toEqual(['zz', CPF, 'registroReq.id'])
      await refused('', 'invalid-data')
      await refused(`${CPF}\n;;\n`, 'invalid-data')
      await refused(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0xff]), 'invalid-data')
      await refused(`${CPF}\n${'1\n'.repeat(21)}`, 'request-too-large')
      await refused('{}', 'invalid-request', path, 'application/json')
      await refused('[', 'invalid-request', path, 'application/json')
      await refused('x', 'unsupported-media-type', path, 'text/plain')
      await refused(`${CPF}\n1\n`, 'invalid-request', '/api/emissions/batches')
      await refused(`${CPF}\n1\n`, 'institute-not-found', '/api/emissions/batches?instituteId=x')
      await refused(`${CPF}\n1\n`, 'flow-not-found', `${path}&flowId=x`)
      const { totalCount } = (await place.json('GET', '/api/emissions/batches')).body
      expect(totalCount).toBe(0)
    })

    test('a repeated upload is one batch, a canceled one makes nothing more, and others see neither', async () => {
      const [place, other] = [await placeAt(), await placeAt()]
      const file = csvOf(Array.from({ length: 20 }, (_, at) => emissionCells(`Aluno ${at}`)))
      const key = { 'idempotency-key': 'turma-1' }
      const [first, second] = await Promise.all([1, 2].map(() => upload(place, place.path('emissions'), file, key)))
      expect(second!.body).toEqual(first!.body)
      const reused = await upload(place, place.path('emissions'), `${file}\n${file.split('\r\n')[1]}`, key)
      expect(reused.body.code).toMatch(/idempotency-key-reused|request-too-large/)
      const path = `/api/emissions/batches/${first!.body.id}`
      const canceled = await place.json('POST', `${path}/cancellation`)
      expect([canceled.status, canceled.body.status]).toEqual([200, 'Canceled'])
      const { done } = canceled.body
      expect((await place.json('POST', `${path}/cancellation`)).body.code).toBe('invalid-transition')
      const again = await upload(place, place.path('emissions'), file)
      expect(await finished(place, `/api/emissions/batches/${again.body.id}`)).toMatchObject({ done: 20 })
      expect((await place.json('GET', path)).body).toMatchObject({ status: 'Canceled', done })
      expect((await place.json('GET', `/api/emissions?batchId=${first!.body.id}`)).body.totalCount).toBe(done)
      for (const one of [path, `${path}/rows`, `${path}/errors`, path.replace('emissions', 'degrees')])
        expect((await other.json('GET', one)).body.code).toBe('batch-not-found')
      expect((await place.json('GET', path.replace('emissions', 'degrees'))).body.code).toBe('batch-not-found')
      expect((await other.json('GET', '/api/emissions/batches')).body.items).toEqual([])
      const list = await place.json('GET', '/api/emissions/batches?status=Finished')
      expect(list.body.items.map((one: { id: string }) => one.id)).toEqual([again.body.id])
    })

    once('the data of a row are those of a single creation', async () => {
      const place = await placeAt()
      const { data } = newDegree('x')
      const name = 'Maria da Conceição Araújo Lima'
      const { body } = await upload(place, place.path('emissions'), csvOf([emissionCells(name)]))
      await finished(place, `/api/emissions/batches/${body.id}`)
      await place.json('POST', '/api/emissions', { instituteId: place.instituteId, data })
      const rows = await open()
        .store.db.selectFrom('emission')
        .select('input')
        .where('subscription_id', '=', place.subscriptionId)
        .execute()
      const [one, other] = rows.map(({ input }) => {
        const { nonce, ...rest } = JSON.parse(input)
        const text = JSON.stringify(rest, (_name, value) => (typeof value === 'number' ? String(value) : value))
        return text.replaceAll(nonce, 'NONCE')
      })
      expect(one).toBe(other)
    })
  })
}
