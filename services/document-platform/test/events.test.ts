import { DAY } from '@chancela/service-kernel/clock'
import type { TObject } from 'typebox'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { eventCatalogue } from '../src/contract/event-data.ts'
import { type EventType, eventTypes } from '../src/contract/webhooks.ts'
import { later } from './test-support/look-now.ts'
import {
  approver,
  createDocument,
  databases,
  type PlatformWorld,
  signer,
  startPlatform,
  ticketOf,
} from './test-support/platform-world.ts'
import { openReceiver, receiveEvents } from './test-support/receive-events.ts'
import { clock, holder, signAs, trusting } from './test-support/signers.ts'

const [ana, bruno] = [holder('ana-souza'), holder('bruno-lima')]

/** What every event about a document begins with, as text. */
async function commonText(world: PlatformWorld, id: string, updateDate = world.clock().toISOString()): Promise<string> {
  const { body } = await world.json('GET', `/api/documents/${id}`)
  const { organization } = world
  const common = {
    id,
    name: body.name,
    creationDate: body.creationDate,
    updateDate,
    folder: body.folder && { ...body.folder, organizationName: organization.name },
    organization: { id: organization.id, name: organization.name, identifier: null, owner: null },
    createdBy: { id: organization.applicationId, name: organization.application },
  }
  return JSON.stringify(common).slice(0, -1)
}

const actorText = async (world: PlatformWorld, id: string, person: typeof ana, reason?: string): Promise<string> => {
  const { flowActions } = (await world.json('GET', `/api/documents/${id}`)).body
  const action = flowActions.find(({ user }: { user: { identifier: string } }) => user.identifier === person.identifier)
  return JSON.stringify({
    flowActionId: action.id,
    date: world.clock().toISOString(),
    userId: action.user.id,
    name: action.user.name,
    identifier: person.identifier,
    emailAddress: person.email,
    ...(reason !== undefined && { reason }),
  })
}

for (const database of databases) {
  describe(`events on ${database}`, () => {
    test('every type is provoked through the API and received byte by byte', async () => {
      const settings = {
        ...trusting(),
        Billing: { Prices: [{ TransactionType: 'Document', PricingType: 'Simple', Price: 0.5 }] },
      }
      const world = await startPlatform(database, { settings, clock })
      const { json } = world
      const receiver = await receiveEvents(world)
      const folder = (await json('POST', '/api/folders', { name: 'Contratos' })).body
      const seen = new Map<EventType, string>()
      const next = async (type: EventType) => {
        const { body } = await receiver.next(type)
        seen.set(type, body)
        return body
      }

      const id = await createDocument(world, [signer(ana), approver(bruno, { step: 2 })], { folderId: folder.id })
      expect(await next('DocumentsCreated')).toBe(
        `{"type":"DocumentsCreated","data":{"documents":[${await commonText(world, id)}}]}}`,
      )
      expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
      expect(await next('DocumentSigned')).toBe(
        `{"type":"DocumentSigned","data":${await commonText(world, id)},"signature":${await actorText(world, id, ana)}}}`,
      )
      const action = await ticketOf(world, id, bruno.identifier)
      await json('POST', `/api/documents/keys/${action.key}/approval`, { ticket: action.ticket })
      expect(await next('DocumentApproved')).toBe(
        `{"type":"DocumentApproved","data":${await commonText(world, id)},"approval":${await actorText(world, id, bruno)}}}`,
      )
      expect(await next('DocumentConcluded')).toBe(
        `{"type":"DocumentConcluded","data":${await commonText(world, id)}}}`,
      )

      const refused = await createDocument(world, [signer(ana)])
      const ticket = await ticketOf(world, refused, ana.identifier)
      await json('POST', `/api/documents/keys/${ticket.key}/refusal`, { ticket: ticket.ticket, reason: 'Não li.' })
      expect(await next('DocumentRefused')).toBe(
        `{"type":"DocumentRefused","data":${await commonText(world, refused)},"refusal":${await actorText(world, refused, ana, 'Não li.')}}}`,
      )

      const canceled = await createDocument(world, [signer(ana)])
      await json('POST', `/api/documents/${canceled}/cancellation`, { reason: 'Outro.' })
      const by = { id: world.organization.applicationId, name: world.organization.application, type: 'Application' }
      expect(await next('DocumentCanceled')).toBe(
        `{"type":"DocumentCanceled","data":${await commonText(world, canceled)},"canceledBy":${JSON.stringify(by)},"reason":"Outro."}}`,
      )

      await json('DELETE', `/api/documents/${canceled}`)
      expect(await next('DocumentDeleted')).toBe(
        `{"type":"DocumentDeleted","data":{"documents":[${await commonText(world, canceled)}}],"action":"DeletedByUserOrApplication"}}`,
      )

      const expiring = await createDocument(world, [signer(ana)], { expirationDate: world.clock().toISOString() })
      const billing = await openReceiver()
      const headers = { 'X-Api-Key': world.administrationKey }
      const before = world.clock()
      await later(world, 40 * DAY)
      const set = await world.json(
        'PUT',
        '/api/admin/billing-webhook',
        { url: billing.url, authType: 'NoAuth' },
        headers,
      )
      expect(set.status).toBe(200)
      const { expirationDate, expirationDateWithoutTime } = (await world.json('GET', `/api/documents/${expiring}`)).body
      expect(await next('DocumentExpired')).toBe(
        `{"type":"DocumentExpired","data":${await commonText(world, expiring)},"expirationDate":"${expirationDate}","expirationDateWithoutTime":"${expirationDateWithoutTime}"}}`,
      )
      world.clock.set(before.toISOString())

      for (const type of eventTypes) if (type !== 'InvoiceClosed') expect(seen.has(type)).toBe(true)
      for (const [type, body] of seen) {
        const { properties } = eventCatalogue[type].schema as TObject
        const schema = Compile(Type.Object(properties, { additionalProperties: false }))
        expect([type, schema.Check(JSON.parse(body).data)]).toEqual([type, true])
      }
    }, 60_000)
  })
}
