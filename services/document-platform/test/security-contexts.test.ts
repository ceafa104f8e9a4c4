import { describe, expect, test } from 'vitest'
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
import { clock, holder, start, trusting } from './test-support/signers.ts'

const electronic = { allowElectronicSignature: true }
const own = '0b1d7a3e-5d0c-4f55-8a0f-0d6f6a6f9a01'

/** A context of the operator: electronic signatures alone. */
const SecurityContexts = [
  {
    Id: own,
    Name: 'Interno',
    PortugueseName: 'Uso interno',
    AllowDigitalSignature: false,
    AllowedElectronicTypes: ['email'],
  },
]

for (const database of databases) {
  describe(`security contexts on ${database}`, () => {
    const open = sharedPlatform(database, { settings: { ...trusting(), Documents: { SecurityContexts } }, clock })
    const once = testOnce(database)

    const contexts = async ({ json }: PlatformWorld) => {
      const { body } = await json('GET', '/api/security-contexts')
      const [icpBrasil, withElectronic] = body as { id: string }[]
      return { all: body, icpBrasil: icpBrasil!.id, withElectronic: withElectronic!.id }
    }

    const create = async (world: PlatformWorld, securityContextId: string, over: object) => {
      const files = [{ id: await upload(world), name: 'a.pdf', displayName: 'a', contentType: 'application/pdf' }]
      const flowActions = [approver(people.bruno), signer(people.ana, over)]
      return world.json('POST', '/api/documents', { files, flowActions, securityContextId })
    }

    once('the built-in contexts and those of the settings can be read', async () => {
      const world = await open()
      const { all } = await contexts(world)
      expect(all).toMatchObject([
        { allowDigitalSignature: true, allowedElectronicTypes: { email: false, sms: false } },
        { allowDigitalSignature: true, allowedElectronicTypes: { email: true, sms: false } },
        {
          id: own,
          name: 'Interno',
          englishName: 'Interno',
          portugueseName: 'Uso interno',
          spanishName: 'Interno',
          allowDigitalSignature: false,
          allowedElectronicTypes: { email: true },
          requireLivenessOnSelfieAuthentication: false,
        },
      ])
      expect((await world.json('GET', `/api/security-contexts/${own.toUpperCase()}`)).body).toEqual(all[2])
      expect(await world.json('GET', `/api/security-contexts/${crypto.randomUUID()}`)).toMatchObject({
        status: 422,
        body: { code: 'SecurityContextNotFound' },
      })
    })

    once('a context that nobody knows is refused by its id', async () => {
      const world = await open()
      const id = crypto.randomUUID()
      const unknown = { status: 422, body: { code: 'SecurityContextNotFound', details: { securityContextId: id } } }
      expect(await create(world, id, {})).toMatchObject(unknown)
      const fileId = await upload(world)
      const validate = { fileId, mimeType: 'application/pdf', securityContextId: id }
      expect(await world.json('POST', '/api/documents/validate-signatures', validate)).toMatchObject(unknown)
      expect((await world.json('GET', '/api/documents')).body.totalCount).toBe(0)
    })

    once('a flow that does not fit into the context is refused by the field that contradicts it', async () => {
      const world = await open()
      const { icpBrasil, withElectronic } = await contexts(world)
      const refused = (option: string) => ({
        status: 422,
        body: { code: 'InvalidFlowAction', details: { field: `flowActions[1].${option}` } },
      })
      const byTicket = { ...electronic, disableEmailAuthenticationToSignElectronically: true }
      expect(await create(world, icpBrasil, electronic)).toMatchObject(refused('allowElectronicSignature'))
      expect(await create(world, withElectronic, byTicket)).toMatchObject(
        refused('disableEmailAuthenticationToSignElectronically'),
      )
      expect(await create(world, own, {})).toMatchObject(refused('allowElectronicSignature'))
      expect((await create(world, icpBrasil, {})).status).toBe(200)
      expect((await create(world, withElectronic, electronic)).status).toBe(200)
    })

    test('a document shows its context, and edits of its flow stay within it', async () => {
      const world = await open()
      const { icpBrasil } = await contexts(world)
      const { body } = await create(world, icpBrasil, {})
      const id = body[0].documentId
      const { body: document } = await world.json('GET', `/api/documents/${id}`)
      expect(document.securityContext).toMatchObject({ id: icpBrasil, allowDigitalSignature: true })
      const edit = (over: object) => world.json('POST', `/api/documents/${id}/flow`, over)
      const refused = (field: string) => ({ status: 422, body: { code: 'InvalidFlowAction', details: { field } } })
      expect(await edit({ addedFlowActions: [signer(people.carla, { ...electronic, step: 2 })] })).toMatchObject(
        refused('addedFlowActions[0].allowElectronicSignature'),
      )
      const editedFlowActions = [{ flowActionId: document.flowActions[1].id, ...electronic }]
      expect(await edit({ editedFlowActions })).toMatchObject(refused('editedFlowActions[0].allowElectronicSignature'))
      const without = await createDocument(world, [signer(people.ana)])
      expect((await world.json('GET', `/api/documents/${without}`)).body.securityContext).toBeNull()
    })

    test('where the context wants electronic signatures alone, a certificate does not sign', async () => {
      const world = await open()
      const ana = holder('ana-souza')
      const id = await createDocument(world, [signer(ana, electronic)], { securityContextId: own })
      const action = await ticketOf(world, id, ana.identifier)
      expect(await start(world, action, 'ana-souza')).toMatchObject({
        status: 422,
        body: { code: 'CertificateTypeNotAllowed' },
      })
      const { body } = await world.json(
        'GET',
        `/api/documents/keys/${action.key}/action?ticket=${encodeURIComponent(action.ticket)}`,
      )
      expect(body.action).toMatchObject({ allowCertificate: false, allowCloudCertificate: false })
    })
  })
}
