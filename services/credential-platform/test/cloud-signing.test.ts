// People sign with cloud certificates, through the hub and a provider, and back: one document or a class of them.
import { MINUTE } from '@chancela/service-kernel/clock'
import { Certificate } from '@chancela/signature-engine/x509'
import { describe, expect, test } from 'vitest'
import {
  beginCloud,
  comeBack,
  cpfOf,
  DEAN,
  ended,
  hubClock,
  sharedCloud,
  signerAt,
  waitingCurriculum,
} from './test-support/cloud.ts'
import {
  type CredentialWorld,
  databases,
  personOf,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/credential-world.ts'
import { dean, documentOf, madeDegree, schoolAt, signAs } from './test-support/issuing.ts'
import { CNPJ, clock, pki, signingSettings } from './test-support/pki.ts'
import { sampleFlow } from './test-support/samples.ts'
import { xmlsecVerdicts } from './test-support/xmlsec.ts'

const cloud = sharedCloud()
const root = () => Certificate.read(pki.certificate('root').der)
/** A flow in which one person signs a curriculum, and the institution. */
async function flowOf({ json }: Pick<CredentialWorld['system'], 'json'>, cpf: string): Promise<string> {
  const step = { node: 'Document', level: 'AD-RT' }
  const steps = [
    { ...step, certificateKind: 'eCpf', participants: [{ name: 'Pessoa', identifier: cpf }] },
    { ...step, certificateKind: 'eCnpj', level: 'AD-RA', participants: [{ name: 'Universidade', identifier: CNPJ }] },
  ]
  const { status, body } = await json('POST', '/api/flows', sampleFlow({ documentKind: 'Curriculum', steps }))
  expect(status).toBe(201)
  return body.id
}

const outcomesOf = ({ documents }: { documents: { outcome: string }[] }) => documents.map(({ outcome }) => outcome)

for (const database of databases) {
  describe(`a cloud certificate on ${database}`, () => {
    const platform = sharedPlatform(database, () => cloud().settings, clock)
    const once = testOnce(database)
    const signatures = () => cloud().provider.calls.filter(({ operation }) => operation === 'signature').length

    /** A dean, and documents that wait. */
    async function deanAt(world: CredentialWorld, count = 1) {
      const school = await schoolAt(world)
      const waiting = []
      for (let at = 0; at < count; at++) waiting.push(await waitingCurriculum(school))
      return { school, waiting, ids: waiting.map(({ document }) => document), person: await signerAt(world, school) }
    }

    /** Goes through the hub; the person has not come back yet. */
    async function goThere(person: Awaited<ReturnType<typeof signerAt>>, ids: readonly string[], walk: object = {}) {
      const begun = await beginCloud(person, ids)
      expect([begun.status, begun.body]).toEqual([200, { id: expect.any(String), url: expect.any(String) }])
      return { ...begun, id: begun.body.id as string, address: await cloud().back(begun.body.url, walk) }
    }

    const revisionOf = async ({ json }: { json: CredentialWorld['system']['json'] }, id: string) =>
      (await json('GET', `/api/documents/${id}`)).body.revision

    test('signs a document as any certificate does, and xmlsec1 verifies what the institution closed', async () => {
      const { school, waiting, ids, person } = await deanAt(platform())
      const before = signatures()
      const { id, cookies, address } = await goThere(person, ids)
      const { status, location, outcome } = await comeBack(address, cookies)
      expect([status, location.pathname, outcome]).toEqual([303, '/signatures', 'signed'])
      expect(location.searchParams.get('signing')).toBe(id)
      const end = await ended(person, id)
      expect(end).toMatchObject({ way: 'cloud', outcome: 'signed', documents: [{ outcome: 'signed', reason: null }] })
      await school.reaches(waiting[0]!.path, 'Concluded')
      expect(await xmlsecVerdicts(await school.file(waiting[0]!.path, 'xml'), root(), clock())).toEqual(['OK', 'OK'])
      expect(signatures() - before).toBe(1)
      const { body } = await school.json('GET', `/api/events?entityId=${waiting[0]!.id}`)
      const signed = body.items.find(({ type }: { type: string }) => type === 'DocumentSigned')
      expect(signed).toMatchObject({ actor: { type: 'user', id: person.id }, data: { signer: DEAN } })
    })

    test('one authorization signs a class, and a document that cannot be signed loses none of the others', async () => {
      const { school, waiting, ids, person } = await deanAt(platform(), 5)
      const before = signatures()
      const { id, cookies, address } = await goThere(person, ids)
      // Meanwhile the dean signs one with a file, and another is canceled.
      expect((await signAs(school, ids[1]!, dean())).status).toBe(200)
      await school.json('POST', `${waiting[3]!.path}/cancellation`, { reason: 'Erro' })
      expect((await comeBack(address, cookies)).outcome).toBe('signed')
      const end = await ended(person, id)
      expect(outcomesOf(end)).toEqual(['signed', 'not-pending', 'signed', 'not-pending', 'signed'])
      expect(end.documents[3].reason).toContain('Withdrawn')
      expect(signatures() - before).toBe(1)
      for (const at of [0, 1, 2, 4]) await school.reaches(waiting[at]!.path, 'Concluded')
    })

    test('a return that comes twice, at once or later, signs once and tells the same', async () => {
      const { school, waiting, ids, person } = await deanAt(platform(), 2)
      const before = signatures()
      const { id, cookies, address } = await goThere(person, ids)
      const both = await Promise.all([comeBack(address, cookies), comeBack(address, cookies)])
      expect(both.every(({ outcome }) => ['signed', 'under-way'].includes(outcome!))).toBe(true)
      expect((await comeBack(address, cookies)).outcome).toBe('signed')
      expect(outcomesOf(await ended(person, id))).toEqual(['signed', 'signed'])
      expect(signatures() - before).toBe(1)
      for (const { path } of waiting) await school.reaches(path, 'Concluded')
      const versions = await platform()
        .store.db.selectFrom('xml_document_version')
        .select('step')
        .where('document_id', 'in', ids)
        .where('step', '=', 'issuerPeople')
        .execute()
      expect(versions).toHaveLength(2)
    })

    test('somebody who is lured there, or another browser, signs nothing', async () => {
      const { ids, person } = await deanAt(platform(), 2)
      const before = signatures()
      const mine = await goThere(person, [ids[0]!])
      const stranger = await comeBack(mine.address, '')
      expect([stranger.location.pathname, stranger.outcome]).toEqual(['/signatures', 'elsewhere'])
      // A session that was authorized for one request does not sign another.
      const other = await goThere(person, [ids[1]!])
      const planted = new URL(other.address)
      planted.searchParams.set('session', new URL(mine.address).searchParams.get('session')!)
      expect((await comeBack(planted.href, other.cookies)).outcome).toBe('failed')
      expect([signatures() - before, await revisionOf(person, ids[0]!)]).toEqual([0, 0])
      // The session here may have ended: this browser and the holder's consent count.
      const tie = mine.cookies.split('; ').at(-1)!
      expect((await comeBack(mine.address, tie)).outcome).toBe('signed')
    })

    test('who comes back too late, or was removed meanwhile, signs nothing', async () => {
      const { school, ids, person } = await deanAt(platform())
      const late = await goThere(person, ids)
      clock.advance(16 * MINUTE)
      hubClock.advance(16 * MINUTE)
      expect((await comeBack(late.address, late.cookies)).outcome).toBe('expired')
      expect((await ended(person, late.id)).outcome).toBe('expired')
      const removed = await goThere(person, ids)
      expect((await school.json('DELETE', `/api/users/${person.id}`)).status).toBe(204)
      expect((await comeBack(removed.address, removed.cookies)).outcome).toBe('elsewhere')
      expect(await revisionOf(school, ids[0]!)).toBe(0)
    })

    once.each([
      ['provider-failed', { status: 500, body: 'no' }],
      ['provider-failed', 'garbage'],
      ['signature-invalid', 'wrong-signature'],
    ] as const)('a provider that fails ends as %s (%j) for all, and the next attempt signs', async (outcome, fault) => {
      const { ids, person } = await deanAt(platform(), 2)
      const { id, cookies, address } = await goThere(person, ids)
      cloud().provider.fail('signature', fault)
      expect((await comeBack(address, cookies)).outcome).toBe(outcome)
      expect(await ended(person, id)).toMatchObject({ outcome, documents: [{ outcome: null }, { outcome: null }] })
      const again = await goThere(person, ids)
      expect((await comeBack(again.address, again.cookies)).outcome).toBe('signed')
      expect(outcomesOf(await ended(person, again.id))).toEqual(['signed', 'signed'])
    })

    once('a holder who says no, or is somebody else, signs nothing and can try again', async () => {
      const { ids, person } = await deanAt(platform())
      const no = await goThere(person, ids, { decision: 'deny' })
      expect((await comeBack(no.address, no.cookies)).outcome).toBe('denied')
      const other = await goThere(person, ids, { holder: 'helena-prado' })
      expect((await comeBack(other.address, other.cookies)).outcome).toBe('denied')
      expect(await revisionOf(person, ids[0]!)).toBe(0)
      const again = await goThere(person, ids)
      expect((await comeBack(again.address, again.cookies)).outcome).toBe('signed')
    })

    once('a certificate that was revoked signs nothing', async () => {
      const world = platform()
      const school = await schoolAt(world)
      const { document } = await waitingCurriculum(school)
      const person = await signerAt(world, school, cpfOf('revoked'))
      const before = signatures()
      const { cookies, address } = await goThere(person, [document], { holder: 'revoked' })
      expect((await comeBack(address, cookies)).outcome).toBe('certificate-invalid')
      expect([signatures() - before, await revisionOf(person, document)]).toEqual([0, 0])
    })

    test('begins only for a person who is awaited, with documents of their own organization', async () => {
      const world = platform()
      const { school, ids, person } = await deanAt(world)
      const refusal = async (who: { json: typeof person.json }, documentIds: readonly string[]) => {
        const { status, body } = await who.json('POST', '/api/signings/cloud', { documentIds })
        return [status, body.code]
      }
      expect(await refusal(school, ids)).toEqual([403, 'forbidden'])
      const silent = await personOf(world, school, 'Gerente')
      expect(await refusal(silent, ids)).toEqual([409, 'signer-required'])
      const stranger = await signerAt(world, await schoolAt(world))
      expect(await refusal(stranger, ids)).toEqual([404, 'document-not-found'])
      expect(await refusal(person, [ids[0]!, crypto.randomUUID()])).toEqual([404, 'document-not-found'])
      expect(await refusal(person, [])).toEqual([400, 'invalid-request'])
      expect((await person.json('PUT', '/api/signer', { cpf: '11144477736' })).body.code).toBe('invalid-data')
      // The flow of this one names the clerk.
      const clerks = await waitingCurriculum(school, { flowId: await flowOf(school, cpfOf('helena-prado')) })
      expect(await refusal(person, [clerks.document])).toEqual([409, 'signing-refused'])
      const mixed = await beginCloud(person, [clerks.document, ids[0]!])
      const looked = await person.json('POST', `/api/signings/${mixed.body.id}/look`)
      expect(outcomesOf(looked.body)).toEqual(['cpf-mismatch', null])
      // Of the requests of others nobody learns, in this organization or another.
      for (const other of [stranger, await signerAt(world, school)]) {
        const path = `/api/signings/${mixed.body.id}`
        expect((await other.json('POST', `${path}/look`)).body.code).toBe('signing-not-found')
        expect((await other.json('DELETE', path)).body.code).toBe('signing-not-found')
      }
      expect((await person.json('DELETE', `/api/signings/${mixed.body.id}`)).status).toBe(204)
      expect((await ended(person, mixed.body.id)).outcome).toBe('canceled')
    })

    test('what waits for a person is listed for all institutions, and for no other person', async () => {
      const world = platform()
      const school = await schoolAt(world)
      const mine = await waitingCurriculum(school, { flowId: await flowOf(school, DEAN) })
      await waitingCurriculum(school, { flowId: await flowOf(school, cpfOf('helena-prado')) })
      const degree = await madeDegree(school)
      const anybodys = await documentOf(school, degree.id, 'academicDocumentation')
      const person = await signerAt(world, school)
      const listed = async (who = person) => (await who.json('GET', '/api/signer/documents')).body
      const { items, totalCount } = await listed()
      expect(totalCount).toBe(3)
      expect(items).toMatchObject([
        { documentId: mine.document, byName: true, documentKind: 'curriculum', title: expect.stringContaining('C-') },
        { documentId: anybodys.id, byName: false, ownerKind: 'Degree', ownerId: degree.id },
        // The degree's own.
        { documentKind: 'academicTranscript', byName: false },
      ])
      expect(items[1].title).toContain(degree.body.studentName)
      expect((await listed(await signerAt(world, await schoolAt(world)))).totalCount).toBe(0)
      const { id, cookies, address } = await goThere(person, [mine.document, anybodys.id])
      await comeBack(address, cookies)
      await ended(person, id)
      await expect
        .poll(async () => (await listed()).items.map((item: { documentId: string }) => item.documentId))
        .not.toContain(mine.document)
    })

    once('leaves nothing in the log or the database that opens anything', async () => {
      const world = platform()
      const { ids, person } = await deanAt(world)
      const { id, cookies, address } = await goThere(person, ids)
      await comeBack(address, cookies)
      await ended(person, id)
      const rows = JSON.stringify(await world.store.db.selectFrom('remote_signing').selectAll().execute())
      const session = new URL(address).searchParams.get('session')!
      for (const secret of [session, cookies.split('=').at(-1)!]) {
        expect(rows).not.toContain(secret)
        expect(world.log()).not.toContain(secret)
      }
    })
  })
}

describe('a platform', () => {
  const begun = async (world: CredentialWorld) => {
    const school = await schoolAt(world)
    const person = await signerAt(world, school)
    const { document } = await waitingCurriculum(school)
    const offered = (await person.json('GET', '/api/signer')).body
    return { offered, ...(await beginCloud(person, [document])) }
  }

  test('without a hub offers nothing', async () => {
    const { offered, status, body } = await begun(await startPlatform('SQLite', signingSettings, clock))
    expect([offered, status, body.code]).toEqual([
      { cpf: DEAN, cloud: false, token: false },
      503,
      'cloud-certificates-unavailable',
    ])
  })

  test('whose hub is not there says so', async () => {
    const settings = { ...signingSettings, CloudHub: { Endpoint: 'http://127.0.0.1:9', ApiKey: 'k' } }
    const { offered, status, body } = await begun(await startPlatform('SQLite', settings, clock))
    expect([offered.cloud, status, body.code]).toEqual([true, 503, 'cloud-certificates-unavailable'])
  })
})
