// Every wish of a client is kept or refused by name: what a request can say and used to be dropped.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test, vi } from 'vitest'
import { fileMailbox } from './test-support/mailbox.ts'
import {
  approver,
  createDocument,
  databases,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  testOnce,
  ticketOf,
  upload,
} from './test-support/platform-world.ts'

const { Email, fromNowOn } = await fileMailbox()

const methods = [
  'requireSmsAuthenticationToSignElectronically',
  'requireWhatsappAuthenticationToSignElectronically',
  'requireAuthenticatorAppToSignElectronically',
  'requireSelfieAuthenticationToSignElectronically',
  'requireDatavalidAuthenticationToSignElectronically',
  'requirePixAuthenticationToSignElectronically',
  'requireLivenessAuthenticationToSignElectronically',
  'requireIdScanAuthenticationToSignElectronically',
] as const

const electronic = { allowElectronicSignature: true }

const read = async ({ json }: PlatformWorld, id: string) => (await json('GET', `/api/documents/${id}`)).body

const fileOf = async (world: PlatformWorld, text = 'Outra') => ({
  id: await upload(world, samplePdf(text)),
  name: 'b.pdf',
  displayName: 'b',
  contentType: 'application/pdf',
})

/** Written out by an independent program. */
async function plainPdf(bytes: Buffer): Promise<string> {
  const path = join(temporaryFolder(), 'read.pdf')
  writeFileSync(path, bytes)
  return (await runTool('qpdf', ['--qdf', '--object-streams=disable', path, '-'])).stdout.toString('latin1')
}

const mark = (over: object = {}) => ({ topLeftX: 60, topLeftY: 100, width: 240, height: 60, pageNumber: 1, ...over })

for (const database of databases) {
  describe(`wishes of clients on ${database}`, () => {
    const open = sharedPlatform(database, { settings: { Email } })
    const once = testOnce(database)

    const attempt = async (world: PlatformWorld, flowActions: readonly object[], over: object = {}) =>
      world.json('POST', '/api/documents', { files: [await fileOf(world)], flowActions, ...over })

    once('a way to identify participants that cannot be gone here is refused wherever a flow is given', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.ana)])
      const [action] = (await read(world, id)).flowActions
      for (const method of methods) {
        const asked = signer(people.bruno, { ...electronic, [method]: true })
        const refused = (field: string) => ({
          status: 422,
          body: { code: 'AuthenticationNotAvailable', details: { field } },
        })
        expect(await attempt(world, [signer(people.ana), asked])).toMatchObject(refused(`flowActions[1].${method}`))
        expect(await world.json('POST', '/api/document-flows', { name: 'x', flowActions: [asked] })).toMatchObject(
          refused(`flowActions[0].${method}`),
        )
        expect(await world.json('POST', `/api/documents/${id}/flow`, { addedFlowActions: [asked] })).toMatchObject(
          refused(`addedFlowActions[0].${method}`),
        )
        const editedFlowActions = [{ flowActionId: action.id, [method]: true }]
        expect(await world.json('POST', `/api/documents/${id}/flow`, { editedFlowActions })).toMatchObject(
          refused(`editedFlowActions[0].${method}`),
        )
        expect((await attempt(world, [signer(people.ana, { [method]: false })])).status).toBe(200)
      }
    })

    test('of a document that asks for such a way already, the participant is told the truth', async () => {
      const world = await open()
      const id = await createDocument(world, [signer(people.carla, electronic)])
      const options = JSON.stringify({ ...electronic, requireSelfieAuthenticationToSignElectronically: true })
      const action = await ticketOf(world, id, people.carla.identifier)
      const read = async () =>
        (
          await world.json(
            'GET',
            `/api/documents/keys/${action.key}/action?ticket=${encodeURIComponent(action.ticket)}`,
          )
        ).body.action
      expect(await read()).toMatchObject({ allowElectronicSignature: true, unavailableAuthentications: [] })
      await world.store.db.updateTable('flow_action').set({ options }).where('document_id', '=', id).execute()
      expect(await read()).toMatchObject({ allowElectronicSignature: false, unavailableAuthentications: ['Selfie'] })
      const { ticket } = action
      expect(
        await world.json('POST', `/api/documents/keys/${action.key}/electronic-signature`, { ticket }),
      ).toMatchObject({ status: 422, body: { code: 'AuthenticationNotAvailable' } })
    })

    once('options that contradict the certificate of a company are refused', async () => {
      const world = await open()
      const company = { requireCompanyCertificate: true }
      const invalid = (field: string) => ({
        status: 422,
        body: { code: 'InvalidFlowAction', details: { field: `flowActions[0].${field}` } },
      })
      const ask = (over: object) => attempt(world, [signer(people.ana, { ...company, ...over })])
      expect(await ask({ requiredCertificateHolderTypeToSign: 'Individual' })).toMatchObject(
        invalid('requiredCertificateHolderTypeToSign'),
      )
      expect(await ask(electronic)).toMatchObject(invalid('allowElectronicSignature'))
      expect(await ask({ requiredCompanyIdentifier: '11.222.333/0001-80' })).toMatchObject(
        invalid('requiredCompanyIdentifier'),
      )
      const id = await createDocument(world, [signer(people.ana, company)])
      expect((await read(world, id)).flowActions[0]).toMatchObject(company)
    })

    once('what neither files nor a template can give is refused by its field', async () => {
      const world = await open()
      const data = { id: crypto.randomUUID(), name: 'a.csv', contentType: 'text/csv' }
      const cases = {
        templateId: { templateId: crypto.randomUUID() },
        templateFieldValues: { templateFieldValues: { nome: 'Ana' } },
        participantsDataFile: { participantsDataFile: data },
        files: { files: [] },
      }
      for (const [field, over] of Object.entries(cases))
        expect(await attempt(world, [signer(people.ana)], over)).toMatchObject({
          status: 400,
          body: { code: 'InvalidRequest', details: { [field]: expect.any(String) } },
        })
      expect((await world.json('GET', '/api/documents')).body.totalCount).toBe(0)
    })

    once('a type that is none is refused, and each that clients know is kept', async () => {
      const world = await open()
      expect(await attempt(world, [signer(people.ana)], { type: 'Nope' })).toMatchObject({
        status: 400,
        body: { code: 'InvalidRequest', details: { type: expect.any(String) } },
      })
      const id = await createDocument(world, [signer(people.ana)], { type: 'DischargeSummary' })
      expect((await read(world, id)).type).toBe('DischargeSummary')
    })

    test('a new version takes its own marks, fields of its form and silence', async () => {
      const world = await open()
      const email = `${crypto.randomUUID()}@example.com`
      const flow = [
        signer({ ...people.ana, email }, { prePositionedMarks: [mark()] }),
        signer(people.bruno, { step: 2, prePositionedMarks: [mark({ topLeftY: 300 })] }),
      ]
      const id = await createDocument(world, flow, { disablePendingActionNotifications: true })
      const [first] = (await read(world, id)).flowActions
      const mails = fromNowOn()
      const version = (over: object) => async () =>
        world.json('POST', `/api/documents/${id}/versions`, { file: await fileOf(world), ...over })
      const moved = mark({ topLeftY: 500, pageNumber: 2 })
      const metadata = { protocolo: '2026/42' }
      const answer = await version({
        prePositionedMarks: [{ flowActionId: first.id, prePositionedDocumentMarks: [moved] }],
        additionalInfo: { metadata },
        disablePendingActionNotifications: true,
      })()
      expect(answer.status).toBe(200)
      const { flowActions } = await read(world, id)
      expect(flowActions).toMatchObject([{ marks: [moved] }, { marks: [{ topLeftY: 300 }] }])
      const { additional_info } = await world.store.db
        .selectFrom('document')
        .select('additional_info')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(JSON.parse(additional_info!)).toEqual({ metadata })
      const content = await world.call('GET', `/api/documents/${id}/content?type=Original`)
      expect(await plainPdf(Buffer.from(await content.arrayBuffer()))).toContain('/protocolo')
      const unknown = crypto.randomUUID()
      expect(
        await version({ prePositionedMarks: [{ flowActionId: unknown, prePositionedDocumentMarks: [moved] }] })(),
      ).toMatchObject({ status: 422, body: { code: 'FlowActionNotFound', details: { flowActionId: unknown } } })
      expect((await version({})()).status).toBe(200)
      const toAna = () => mails.inbox().filter(({ to }) => to.some(({ address }) => address === email))
      await vi.waitUntil(() => toAna().length > 0, { interval: 20 })
      expect(toAna()).toHaveLength(1)
    })

    test('a new version of an envelope takes marks of its files, and counts pages over all of them', async () => {
      const world = await open()
      const files = [await fileOf(world, 'A'), await fileOf(world, 'B')]
      const marks = files.map(({ id: uploadId }) => mark({ uploadId, pageNumber: 1 }))
      const flowActions = [signer(people.ana, { prePositionedMarks: marks })]
      const request = { files, flowActions, isEnvelope: true, envelopeName: 'Dossiê' }
      const { body } = await world.json('POST', '/api/documents', request)
      const { documentId } = body[0]
      const pages = async () =>
        (await read(world, documentId)).flowActions[0].marks.map(({ pageNumber }: { pageNumber: number }) => pageNumber)
      expect(await pages()).toEqual([1, 2])
      const again = [await fileOf(world, 'C'), await fileOf(world, 'D'), await fileOf(world, 'E')]
      const [{ id: flowActionId }] = (await read(world, documentId)).flowActions
      const prePositionedDocumentMarks = [mark({ uploadId: again[2]!.id, pageNumber: 1 })]
      const { status } = await world.json('POST', `/api/documents/${documentId}/envelope/versions`, {
        files: again,
        prePositionedMarks: [{ flowActionId, prePositionedDocumentMarks }],
        disablePendingActionNotifications: true,
      })
      expect([status, await pages()]).toEqual([200, [3]])
    })

    test('an edit reaches members of a rule by the former name of the list, and addresses are checked', async () => {
      const world = await open()
      const id = await createDocument(
        world,
        [signer(people.carla), { type: 'SignRule', step: 2, ruleUsers: [people.ana, people.bruno] }],
        { observers: [{ user: people.carla }] },
      )
      const { flowActions, observers } = await read(world, id)
      const [single, rule] = flowActions
      const userId = rule.ruleUsers[0].id
      const edit = (body: object) => world.json('POST', `/api/documents/${id}/flow`, body)
      const editAction = (flowActionId: string, over: object) =>
        edit({ editedFlowActions: [{ flowActionId, ...over }] })
      const changed = await editAction(rule.id, { signRuleUsers: [{ userId, emailAddress: 'Nova@example.com' }] })
      expect(changed.status).toBe(200)
      expect((await read(world, id)).flowActions[1].ruleUsers[0].email).toBe('nova@example.com')
      const wrong = 'a@b, c@d'
      const refused = (field: string) => ({ status: 422, body: { code: 'InvalidFlowAction', details: { field } } })
      expect(await editAction(rule.id, { ruleUsers: [{ userId, emailAddress: wrong }] })).toMatchObject(
        refused('editedFlowActions[0].ruleUsers[0].emailAddress'),
      )
      expect(await editAction(single.id, { participantEmailAddress: wrong })).toMatchObject(
        refused('editedFlowActions[0].participantEmailAddress'),
      )
      expect(await editAction(rule.id, { participantEmailAddress: 'a@b.example' })).toMatchObject(
        refused('editedFlowActions[0].participantEmailAddress'),
      )
      expect(await editAction(single.id, { signRuleUsers: [{ userId, emailAddress: 'a@b.example' }] })).toMatchObject(
        refused('editedFlowActions[0].signRuleUsers'),
      )
      expect(await edit({ editedObservers: [{ observerId: observers[0].id, emailAddress: wrong }] })).toMatchObject(
        refused('editedObservers[0].emailAddress'),
      )
    })

    test('a saved flow keeps whether its actions are ordered', async () => {
      const world = await open()
      const save = async (over: object) =>
        (await world.json('POST', '/api/document-flows', { name: 'x', flowActions: [approver(people.ana)], ...over }))
          .body
      const ordered = await save({ areActionsOrdered: true })
      expect(ordered.areActionsOrdered).toBe(true)
      expect((await save({})).areActionsOrdered).toBe(false)
      const steps = [approver(people.ana), approver(people.bruno, { step: 2 })]
      expect((await save({ flowActions: steps })).areActionsOrdered).toBe(true)
      const path = `/api/document-flows/${ordered.id}`
      expect((await world.json('GET', path)).body.areActionsOrdered).toBe(true)
      const body = { name: 'x', flowActions: [approver(people.ana)], areActionsOrdered: false }
      expect((await world.json('PUT', path, body)).body.areActionsOrdered).toBe(false)
    })

    once('a stamp with the verification code is taken and kept apart from the marks of signers', async () => {
      const world = await open()
      const stamp = mark({ type: 'AuthenticationStamp', topLeftY: 700 })
      const id = await createDocument(world, [signer(people.ana, { prePositionedMarks: [stamp] })])
      expect((await read(world, id)).flowActions[0].marks).toEqual([stamp])
      const { key, ticket } = await ticketOf(world, id, people.ana.identifier)
      const { body } = await world.json('GET', `/api/documents/keys/${key}/action?ticket=${encodeURIComponent(ticket)}`)
      expect(body.action).toMatchObject({ marks: [], canPlaceMark: true })
    })

    once('a field that nobody knows is named in the answer and in the log', async () => {
      const world = await open()
      const flowActions = [signer(people.ana, { requireBlood: 'of-ana' })]
      const answer = await attempt(world, flowActions, { colour: 'red' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('warning')).toBe(
        '299 - "unknown field: flowActions[].requireBlood", 299 - "unknown field: colour"',
      )
      expect(world.log()).toContain('"unknownFields":["flowActions[].requireBlood","colour"]')
      expect(world.log()).not.toContain('of-ana')
      expect((await attempt(world, [signer(people.ana)])).headers.get('warning')).toBeNull()
    })
  })
}
