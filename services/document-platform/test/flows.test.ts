import { describe, expect, test } from 'vitest'
import { approver, createDocument, databases, people, sharedPlatform, signer } from './test-support/platform-world.ts'

const flow = (over: object = {}) => ({
  name: 'Admissão',
  description: 'Contrato de trabalho',
  flowActions: [signer(people.ana), approver(people.bruno, { step: 2 })],
  observers: [{ user: people.carla }],
  ...over,
})

for (const database of databases) {
  describe(`saved flows on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('a flow is saved, read, changed and deleted', async () => {
      const world = await platform()
      const { status, body: saved } = await world.json('POST', '/api/document-flows', flow())
      expect(status).toBe(200)
      expect(saved).toMatchObject({
        name: 'Admissão',
        description: 'Contrato de trabalho',
        createdBy: { id: world.organization.applicationId },
        flowActions: [
          { type: 'Signer', step: 1, user: people.ana },
          { type: 'Approver', step: 2, user: people.bruno },
        ],
        observers: [{ user: people.carla }],
      })
      const path = `/api/document-flows/${saved.id}`
      expect((await world.json('GET', path)).body).toEqual(saved)
      const changed = await world.json('PUT', path, flow({ name: 'Demissão', observers: null }))
      expect(changed.body).toMatchObject({ id: saved.id, name: 'Demissão', observers: [] })
      expect((await world.json('DELETE', path)).status).toBe(200)
      const notFound = { status: 422, body: { code: 'DocumentFlowNotFound' } }
      for (const [method, body] of [['GET'], ['PUT', flow()], ['DELETE']] as const)
        expect(await world.json(method, path, body)).toMatchObject(notFound)
    })

    test('flows are listed by organization, and found by name', async () => {
      const [world, other] = [await platform(), await platform()]
      for (const name of ['Admissão', 'Férias']) await world.json('POST', '/api/document-flows', flow({ name }))
      const { body: theirs } = await other.json('POST', '/api/document-flows', flow())
      const { body } = await world.json('GET', '/api/document-flows?Q=&Limit=10&Offset=0')
      expect(body.items.map(({ name }: { name: string }) => name).sort()).toEqual(['Admissão', 'Férias'])
      expect(body).toMatchObject({ totalCount: 2, nextCursor: null })
      expect(body.items[0].flowActions).toBeUndefined()
      expect((await world.json('GET', '/api/document-flows?q=admiss')).body.totalCount).toBe(1)
      expect((await world.json('GET', `/api/document-flows/${theirs.id}`)).body.code).toBe('DocumentFlowNotFound')
    })

    test('a flow no document could begin with is refused', async () => {
      const world = await platform()
      const invalid = { status: 422, body: { code: 'InvalidFlowAction' } }
      const send = (over: object) => world.json('POST', '/api/document-flows', flow(over))
      expect(await send({ flowActions: [{ type: 'Signer' }] })).toMatchObject(invalid)
      expect(await send({ observers: [{ user: { name: 'X', identifier: '123' } }] })).toMatchObject(invalid)
      const many = Array.from({ length: 31 }, () => signer(people.ana))
      expect(await send({ flowActions: many })).toMatchObject({ body: { code: 'MaxSignersLimitReached' } })
      expect((await send({ flowActions: [] })).status).toBe(400)
      expect((await world.json('GET', '/api/document-flows')).body.totalCount).toBe(0)
    })

    test('a saved flow can be sent back as the flow of a document', async () => {
      const world = await platform()
      const { body: saved } = await world.json('POST', '/api/document-flows', flow())
      const id = await createDocument(world, saved.flowActions, { observers: saved.observers })
      expect((await world.json('GET', `/api/documents/${id}`)).body.flowActions).toHaveLength(2)
    })
  })
}
