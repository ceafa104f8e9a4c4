// People sign at the document platform of their organization; the institution closes here.
import { judge } from '@chancela/academic-documents/layouts'
import { Certificate } from '@chancela/signature-engine/x509'
import { describe, expect, test } from 'vitest'
import { signerAt } from './test-support/cloud.ts'
import { databases, sharedPlatform } from './test-support/credential-world.ts'
import {
  connect,
  flowThere,
  madeFlow,
  personOf,
  reachedOf,
  sentOf,
  sharedDocumentPlatform,
  signThere,
  tellHere,
} from './test-support/document-platform.ts'
import {
  curriculumData,
  dean,
  documentOf,
  madeDegree,
  ownInstitution,
  schoolAt,
  signAs,
} from './test-support/issuing.ts'
import { clock, pki, signingSettings } from './test-support/pki.ts'
import { xmlsecVerdicts } from './test-support/xmlsec.ts'

/** CPF in the e-CNPJ of the institution. */
const REPRESENTATIVE = '11144477735'

const root = () => Certificate.read(pki.certificate('root').der)

for (const database of databases) {
  describe(`signing at the document platform on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const openDocuments = sharedDocumentPlatform(database)

    test('a degree whose people sign there is concluded, and every signature of both documents holds', async () => {
      const world = open()
      const school = await schoolAt(world)
      const there = await openDocuments()
      await connect(school, there)
      await tellHere(there, world, (await school.application('Gerente')).apiKey)
      const flows = {
        academicDocumentation: await madeFlow(school, flowThere('AcademicDocumentation', ['bruno-lima', 'ana-souza'])),
        degree: await madeFlow(school, flowThere('Degree', ['helena-prado'])),
      }
      const degree = await madeDegree(school, { flows, createAcademicTranscript: false })
      const first = await sentOf(school, degree.id, 'academicDocumentation')
      expect(first.platform.documentUrl).toBe(`${there.baseUrl}/documents/${first.platform.documentId}`)
      expect(first.next).toEqual([])
      const refused = await signAs(school, first.id, dean())
      expect([refused.status, refused.body.code]).toEqual([409, 'signing-refused'])
      const person = await signerAt(world, school, personOf('bruno-lima').identifier)
      expect((await person.json('GET', '/api/signer/documents')).body).toMatchObject({ items: [] })
      for (const label of ['bruno-lima', 'ana-souza'])
        await signThere(there, first.platform.documentId, pki.certificate(label), personOf(label).identifier)
      const second = await sentOf(school, degree.id, 'degree')
      await signThere(
        there,
        second.platform.documentId,
        pki.certificate('helena-prado'),
        personOf('helena-prado').identifier,
      )
      await school.reaches(degree.path, 'Concluded')
      const documentation = await school.file(degree.path, 'academic-documentation')
      const published = await school.file(degree.path, 'public-xml')
      for (const xml of [documentation, published]) expect(judge(xml)).toMatchObject({ valid: true, problems: [] })
      expect(await xmlsecVerdicts(documentation, root(), clock())).toEqual(['OK', 'OK', 'OK', 'OK'])
      expect(await xmlsecVerdicts(published, root(), clock())).toEqual(['OK', 'OK', 'OK', 'OK', 'OK'])
      const taken = await documentOf(school, degree.id, 'degree')
      expect(taken).toMatchObject({ status: 'Closed', error: null, platform: { status: 'Taken' } })
      expect(await verified(world.baseUrl, published)).toMatchObject({ verdict: 'accepted' })
      const events = (await school.json('GET', `/api/events?entityId=${degree.id}`)).body.items
      expect(events.map(({ type }: { type: string }) => type)).toEqual(
        expect.arrayContaining(['DocumentSentToPlatform', 'DocumentSignedAtPlatform', 'DegreeConcluded']),
      )
    })

    test('without a stored certificate the institution signs there too, and the list of annulled degrees says where', async () => {
      const world = open()
      const school = await schoolAt(world, { stored: false })
      const there = await openDocuments()
      await connect(school, there)
      await tellHere(there, world, school.apiKey)
      const institution = await ownInstitution()
      const somebody = { representative: REPRESENTATIVE, email: 'reitoria@example.com' }
      const flowId = await madeFlow(school, flowThere('Curriculum', ['bruno-lima'], somebody))
      const { body } = await school.json('POST', '/api/curriculums', {
        instituteId: school.instituteId,
        data: curriculumData(),
        flowId,
      })
      const { documentId } = (await sentOf(school, body.id)).platform
      await signThere(there, documentId, pki.certificate('bruno-lima'), personOf('bruno-lima').identifier)
      await signThere(there, documentId, institution, REPRESENTATIVE)
      await reachedOf(school, body.id, 'Closed')
      const curriculum = await school.file(`/api/curriculums/${body.id}`, 'xml')
      expect(await xmlsecVerdicts(curriculum, root(), clock())).toEqual(['OK', 'OK'])

      await madeFlow(school, flowThere('CancellationList', [], somebody))
      const lists = `/api/institutes/${school.instituteId}/cancellation-lists`
      const list = (await school.json('POST', lists)).body
      const sent = (await sentOf(school, list.id)).platform
      expect((await school.json('GET', `${lists}/${list.id}`)).body).toMatchObject({
        status: 'Created',
        signerDocumentId: sent.documentId,
        signerDocumentUrl: sent.documentUrl,
      })
      await signThere(there, sent.documentId, institution, REPRESENTATIVE)
      await reachedOf(school, list.id, 'Closed')
      expect((await school.json('GET', `${lists}/${list.id}`)).body.status).toBe('Signed')
    })
  })
}

/** What anybody is told of a document. */
async function verified(baseUrl: string, xml: Buffer) {
  const headers = { 'content-type': 'application/xml' }
  return (await fetch(`${baseUrl}/public/verify`, { method: 'POST', body: Uint8Array.from(xml), headers })).json()
}
