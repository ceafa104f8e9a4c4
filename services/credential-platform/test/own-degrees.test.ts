// What a registrar keeps to also where an organization registers its own degrees: lines of the book, and two people.
import { describe, expect, test } from 'vitest'
import { databases, instituteOf, sharedPlatform } from './test-support/credential-world.ts'
import { madeDegree, newDegree, registrationData, schoolAt } from './test-support/issuing.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { closedDocumentation } from './test-support/registry.ts'
import { bookEntry, partnersAt, registered, upload } from './test-support/two-institutes.ts'

const alone = { createAcademicTranscript: false }
const line = { numeroFolhaDoDiploma: '700', numeroSequenciaDoDiploma: '1' }
const onLine = { ...alone, registration: registrationData(line) }

for (const database of databases) {
  describe(`own degrees on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)

    test('a line of the book is of one degree, which gives it back only when it ends before its code is made', async () => {
      const school = await schoolAt(open())
      const { json } = school
      const ask = (more: object) => json('POST', '/api/degrees', newDegree(school.instituteId, { ...alone, ...more }))
      const first = await madeDegree(school, onLine)
      const spelled = { numeroFolhaDoDiploma: ' 700 ', numeroSequenciaDoDiploma: '1' }
      for (const registration of [onLine.registration, registrationData(spelled)]) {
        const { status, body } = await ask({ registration })
        expect([status, body.code, Object.keys(body.errors)]).toEqual([
          409,
          'already-exists',
          ['registration.livroRegistro'],
        ])
      }
      expect((await json('GET', '/api/degrees')).body.totalCount).toBe(1)
      const { id: other } = await instituteOf(school)
      expect((await ask({ registrarInstituteId: other, registration: onLine.registration })).status).toBe(201)

      expect((await json('POST', `${first.path}/cancellation`, { reason: 'Aluno errado' })).status).toBe(200)
      const both = await Promise.all([ask(onLine), ask(onLine)])
      expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    })

    test('an own degree and a request are never at one line', async () => {
      const partners = await partnersAt(open())
      const { university } = partners
      const { id: instituteId } = await instituteOf(university, { kind: 'Issuer' })
      const own = { registrarInstituteId: university.instituteId, ...onLine }
      expect((await university.json('POST', '/api/degrees', newDegree(instituteId, own))).status).toBe(201)
      const { body } = await upload(university.gerente, university.instituteId, await closedDocumentation())
      const taken = await registered(partners, body.id, bookEntry(line))
      expect([taken.status, taken.body.code]).toEqual([409, 'already-exists'])
      const entry = bookEntry({ numeroFolhaDoDiploma: '701', numeroSequenciaDoDiploma: '1' })
      expect((await university.json('POST', `/api/registrations/${body.id}/registration`, entry)).status).toBe(200)
      const late = { ...own, registration: registrationData(entry.livroRegistro) }
      expect((await university.json('POST', '/api/degrees', newDegree(instituteId, late))).body.code).toBe(
        'already-exists',
      )
    })
  })
}
