// What a registrar keeps to also where an organization registers its own degrees: lines of the book, and two people.
import { degreeCode, readDocument } from '@chancela/academic-documents/layouts'
import type { Caller } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { registrable } from '../src/actions/degrees/make-degree.ts'
import { codeIngredients, type Registrable } from '../src/rules/registration-data.ts'
import { requestFacts } from '../src/rules/request-facts.ts'
import type { InstituteRow } from '../src/store/tenant-tables.ts'
import {
  type CredentialWorld,
  databases,
  instituteOf,
  type Organization,
  personOf,
  sharedPlatform,
} from './test-support/credential-world.ts'
import { madeDegree, newDegree, registrationData, schoolAt, signedBoth } from './test-support/issuing.ts'
import { itemsAt } from './test-support/items.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { closedDocumentation } from './test-support/registry.ts'
import { bookEntry, partnersAt, registered, upload } from './test-support/two-institutes.ts'

const alone = { createAcademicTranscript: false }
const line = { numeroFolhaDoDiploma: '700', numeroSequenciaDoDiploma: '1' }
const onLine = { ...alone, registration: registrationData(line) }

const annulment = { reason: 'Documento falso', cancellationReason: 'ErroDeFato' }

/** A concluded degree of an organization that registers, and how it is asked for something. */
async function degreeAt(world: CredentialWorld, organization: Organization, row: object = {}) {
  const { id: instituteId } = await instituteOf(organization)
  const { create } = itemsAt(world, { subscriptionId: organization.subscriptionId, instituteId })
  const id = await create('Degree', { status: 'Concluded', registrar_institute_id: instituteId, ...row }, true)
  const path = `/api/degrees/${id}`
  const asks = async ({ json }: Pick<Caller, 'json'>, act: 'annul' | 'restore' | 'suspend', body: object = {}) => {
    const [tail, more] = acts[act]
    const answer = await json('POST', `${path}/${tail}`, { ...more, ...body })
    return [answer.status, answer.body.code ?? answer.body.status]
  }
  return { id, path, instituteId, asks }
}

const acts = {
  annul: ['cancellation', annulment],
  suspend: ['cancellation', { temporary: true, reason: 'Em apuração' }],
  restore: ['restoration', { reason: 'Apurado' }],
} as const

/** The code where nobody has it. */
const codeOf = (degree: Registrable, registration: object, registrar: InstituteRow) =>
  degreeCode(
    degree.issuer.code,
    registrar.code,
    codeIngredients(degree, { ...registration }, registrar),
    async () => false,
  )

const proposed = (status: string) => [202, status]
const alreadyProposed = [409, 'second-person-required']

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

    test('a code that another degree has is lengthened by four digits, of an own degree and of a request', async () => {
      const world = open()
      const { db } = world.store
      const partners = await partnersAt(world)
      const { university } = partners
      const take = (verification_code: string) =>
        university.items.create('Degree', { verification_code, status: 'Concluded' }, true)
      const longer = (code: string) => new RegExp(`^${code.replaceAll('.', '\\.')}[0-9a-f]{4}$`)
      const instituteRow = (id: string) =>
        db.selectFrom('institute').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

      const school = await schoolAt(world)
      const { id, path } = await madeDegree(school, alone)
      const { input, book } = await db.selectFrom('degree').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const institute = await instituteRow(school.instituteId)
      const own = registrable(JSON.parse(input), institute)
      const code = await codeOf(own, JSON.parse(book!), institute)
      await take(code)
      await signedBoth(school, id)
      expect((await school.json('GET', path)).body.verificationCode).toMatch(longer(code))

      const documentation = await closedDocumentation()
      const { body } = await upload(university.gerente, university.instituteId, documentation)
      const entry = bookEntry()
      const facts = requestFacts(readDocument(documentation).document!)!
      const wanted = await codeOf(facts, entry, await instituteRow(university.instituteId))
      await take(wanted)
      expect((await registered(partners, body.id, entry)).status).toBe(200)
      const kept = await db.selectFrom('registration').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
      expect(kept.verification_code).toMatch(longer(wanted))
    })

    test('nobody annuls alone: one asks, another confirms the same, and only then anybody is told', async () => {
      const world = open()
      const school = await schoolAt(world)
      const { path, asks } = await degreeAt(world, school)
      const [ana, bruno] = [
        await personOf(world, school, 'Administrador'),
        await personOf(world, school, 'Administrador'),
      ]
      expect(await asks(await personOf(world, school, 'Gerente'), 'annul')).toEqual([403, 'forbidden'])
      expect(await asks(ana, 'annul')).toEqual(proposed('Concluded'))
      expect(await asks(ana, 'annul')).toEqual(alreadyProposed)
      // Who wants something else makes another proposal of it, to which anybody else has to agree.
      expect(await asks(bruno, 'annul', { cancellationReason: 'ErroDeDireito' })).toEqual(proposed('Concluded'))
      expect(await asks(ana, 'annul')).toEqual(proposed('Concluded'))
      expect(await asks(ana, 'annul', { cancelAcademicTranscript: false })).toEqual(proposed('Concluded'))
      expect(await asks(ana, 'annul')).toEqual(proposed('Concluded'))
      expect(school.types()).toEqual([])
      // An application is as good as a person.
      expect(await asks(school, 'annul')).toEqual([200, 'Canceled'])
      expect(await asks(bruno, 'annul')).toEqual([409, 'invalid-transition'])
      await school.arrived(1)
      expect(school.types()).toEqual(['DegreeCanceled'])
      const { body } = await school.json('GET', `/api/events?entityId=${path.split('/').at(-1)}`)
      expect(body.items.map(({ type }: { type: string }) => type)).toEqual([
        'DegreeCanceled',
        ...Array(5).fill('DegreeAnnulmentProposed'),
      ])
    })

    test('nobody restores alone, and what was proposed for one suspension does not hold for the next', async () => {
      const world = open()
      const school = await schoolAt(world)
      const { asks } = await degreeAt(world, school)
      const [ana, bruno] = [await personOf(world, school, 'Gerente'), await personOf(world, school, 'Gerente')]
      expect(await asks(ana, 'restore')).toEqual([409, 'invalid-transition'])
      expect(await asks(ana, 'suspend')).toEqual([200, 'CanceledTemporarily'])
      expect(await asks(ana, 'restore')).toEqual(proposed('CanceledTemporarily'))
      expect(await asks(ana, 'restore')).toEqual(alreadyProposed)
      expect(await asks(school, 'annul')).toEqual(proposed('CanceledTemporarily'))
      const another = await school.application('Administrador')
      expect(await asks(bruno, 'restore')).toEqual([200, 'Concluded'])
      expect(await asks(bruno, 'suspend')).toEqual([200, 'CanceledTemporarily'])
      expect(await asks(bruno, 'restore')).toEqual(proposed('CanceledTemporarily'))
      expect(await asks(another, 'annul')).toEqual(proposed('CanceledTemporarily'))
    })

    test('one person is enough where the registrar says so; of a degree registered elsewhere the issuer says it', async () => {
      const world = open()
      const school = await schoolAt(world)
      const foreign = await schoolAt(world)
      const own = await degreeAt(world, school)
      const elsewhere = await degreeAt(world, school, { registrar_institute_id: foreign.instituteId })
      const off = { requireTwoPeople: false, annulledListDays: 30 }
      const path = ({ instituteId }: { instituteId: string }) => `/api/institutes/${instituteId}/registry-settings`
      expect((await school.json('PUT', path(own), off)).status).toBe(200)
      expect((await foreign.json('PUT', path(foreign), off)).status).toBe(200)
      expect(await own.asks(school, 'suspend')).toEqual([200, 'CanceledTemporarily'])
      expect(await own.asks(school, 'restore')).toEqual([200, 'Concluded'])
      expect(await own.asks(school, 'annul')).toEqual([200, 'Canceled'])
      expect(await elsewhere.asks(school, 'annul')).toEqual([403, 'forbidden'])
      expect(await elsewhere.asks(school, 'suspend')).toEqual([200, 'CanceledTemporarily'])
      expect(await elsewhere.asks(school, 'restore')).toEqual(proposed('CanceledTemporarily'))
      expect(await elsewhere.asks(foreign, 'restore')).toEqual([404, 'degree-not-found'])
    })

    test('of two who ask at the same moment one proposes and the other confirms; of many one confirms', async () => {
      const world = open()
      const school = await schoolAt(world)
      const { asks } = await degreeAt(world, school)
      const people = await Promise.all([1, 2, 3, 4].map(() => school.application('Administrador')))
      const answers = await Promise.all(people.map((one) => asks(one, 'annul')))
      const of = (wanted: number) => answers.filter(([status]) => status === wanted).length
      expect([of(202), of(200), of(409)]).toEqual([1, 1, 2])
      await school.arrived(1)
      expect(school.types()).toEqual(['DegreeCanceled'])
    })
  })
}
