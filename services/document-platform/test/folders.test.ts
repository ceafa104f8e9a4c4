import { describe, expect, test } from 'vitest'
import {
  approver,
  createDocument,
  databases,
  type PlatformWorld,
  people,
  sharedPlatform,
} from './test-support/platform-world.ts'
import { receiveEvents } from './test-support/receive-events.ts'

async function make(world: PlatformWorld, name: string, parentId?: string): Promise<string> {
  const { status, body } = await world.json('POST', '/api/folders', { name, parentId })
  expect(status).toBe(200)
  return body.id
}

const names = (answer: { body: { items: readonly { name: string }[] } }) => answer.body.items.map(({ name }) => name)

/** Headers of an application restricted to these folders. */
async function restricted(world: PlatformWorld, folderIds: readonly string[]) {
  const { status, body } = await world.json('POST', `/api/organizations/${world.organization.id}/applications`, {
    name: `restricted ${crypto.randomUUID()}`,
    folderIds,
  })
  expect(status).toBe(200)
  return { 'X-Api-Key': body.apiKey as string }
}

for (const database of databases) {
  describe(`folders on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('a folder is made, shown and listed by name', async () => {
      const world = await platform()
      const contracts = await make(world, 'Contratos')
      await make(world, 'Árvore')
      const inner = await make(world, '2026', contracts)
      await createDocument(world, [approver(people.ana)], { folderId: contracts })
      const listed = await world.json('GET', '/api/folders')
      expect(names(listed)).toEqual(['2026', 'Árvore', 'Contratos'])
      expect(listed.body).toMatchObject({ totalCount: 3, nextCursor: null })
      expect(listed.body.items[2]).toMatchObject({ id: contracts, parentId: null, documents: 1, folders: 1 })
      expect((await world.json('GET', `/api/folders/${inner.toUpperCase()}`)).body).toEqual({
        id: inner,
        name: '2026',
        parentId: contracts,
        organization: { id: world.organization.id, name: world.organization.name, identifier: null, owner: null },
      })
    })

    test('a list is filtered by parent and by name, as clients of every language ask for it', async () => {
      const world = await platform()
      const top = await make(world, 'Notas')
      await make(world, 'Janeiro', top)
      await make(world, 'Março', top)
      expect(names(await world.json('GET', '/api/folders?FilterByParent=True'))).toEqual(['Notas'])
      const organizationId = world.organization.id
      const query = `?q=&limit=10&offset=0&filterByParent=true&parentId=${top}&organizationId=${organizationId}`
      expect(names(await world.json('GET', `/api/folders${query}&Order=Desc`))).toEqual(['Março', 'Janeiro'])
      expect(names(await world.json('GET', '/api/folders?Q=marc&organizationId=&parentId='))).toEqual(['Março'])
      expect(names(await world.json('GET', '/api/folders?Limit=1&Offset=1'))).toEqual(['Março'])
      expect(names(await world.json('GET', '/api/folders?q=%25'))).toEqual([])
      const other = await platform()
      expect(await world.json('GET', `/api/folders?organizationId=${other.organization.id}`)).toMatchObject({
        status: 403,
        body: { code: 'Forbidden' },
      })
    })

    test('of one name there is one folder in a place', async () => {
      const world = await platform()
      const top = await make(world, 'Contratos')
      await make(world, 'Contratos', top)
      const again = await world.json('POST', '/api/folders', { name: ' Contratos ' })
      expect(again).toMatchObject({ status: 422, body: { code: 'FolderNameTaken' } })
      expect(await world.json('POST', '/api/folders', { name: '  ' })).toMatchObject({ status: 400 })
    })

    test('unknown folders and those of other organizations are not found', async () => {
      const world = await platform()
      const other = await platform()
      const theirs = await make(other, 'Deles')
      for (const id of [theirs, crypto.randomUUID()]) {
        const notFound = { status: 422, body: { code: 'FolderNotFound' } }
        expect(await world.json('GET', `/api/folders/${id}`)).toMatchObject(notFound)
        expect(await world.json('PUT', `/api/folders/${id}`, { name: 'x' })).toMatchObject(notFound)
        expect(await world.json('POST', `/api/folders/${id}/delete`, {})).toMatchObject(notFound)
        expect(await world.json('POST', '/api/folders', { name: 'x', parentId: id })).toMatchObject(notFound)
        expect(await world.json('GET', `/api/folders?parentId=${id}`)).toMatchObject(notFound)
      }
    })

    test('a folder is renamed where it is, and moved where the request says', async () => {
      const world = await platform()
      const [a, b] = [await make(world, 'A'), await make(world, 'B')]
      const renamed = await world.json('PUT', `/api/folders/${b}`, { name: 'Bê', parentId: a })
      expect(renamed.body).toMatchObject({ id: b, name: 'Bê', parentId: a })
      expect((await world.json('PUT', `/api/folders/${b}`, { name: 'B' })).body).toMatchObject({ parentId: a })
      expect((await world.json('PUT', `/api/folders/${b}`, { name: 'B', parentId: null })).body).toMatchObject({
        parentId: null,
      })
    })

    test('a folder cannot be moved into itself, nor deeper than folders go', async () => {
      const world = await platform()
      const chain = [await make(world, 'F')]
      for (let depth = 2; depth <= 20; depth += 1) chain.push(await make(world, 'F', chain.at(-1)))
      const invalid = { status: 422, body: { code: 'InvalidFolderAction' } }
      expect(await world.json('POST', '/api/folders', { name: 'F', parentId: chain[19] })).toMatchObject(invalid)
      for (const parentId of [chain[0], chain[5]])
        expect(await world.json('PUT', `/api/folders/${chain[0]}`, { name: 'F', parentId })).toMatchObject(invalid)
      const pair = await make(world, 'Par')
      await make(world, 'Dentro', pair)
      expect(await world.json('PUT', `/api/folders/${pair}`, { name: 'Par', parentId: chain[18] })).toMatchObject(
        invalid,
      )
      expect(await world.json('PUT', `/api/folders/${pair}`, { name: 'Par', parentId: chain[17] })).toMatchObject({
        status: 200,
      })
    })

    test('two moves at once that are right alone do not make a loop', async () => {
      const world = await platform()
      const [a, b] = [await make(world, 'A'), await make(world, 'B')]
      const answers = await Promise.all([
        world.json('PUT', `/api/folders/${a}`, { name: 'A', parentId: b }),
        world.json('PUT', `/api/folders/${b}`, { name: 'B', parentId: a }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    })

    test('an empty folder is deleted; one with something in it not without a word on that', async () => {
      const world = await platform()
      const folder = await make(world, 'Cheia')
      await createDocument(world, [approver(people.ana)], { folderId: folder })
      const invalid = { status: 422, body: { code: 'InvalidFolderAction' } }
      expect(await world.json('POST', `/api/folders/${folder}/delete`, {})).toMatchObject(invalid)
      const outer = await make(world, 'Fora')
      const inner = await make(world, 'Vazia', outer)
      expect(await world.json('POST', `/api/folders/${outer}/delete`, {})).toMatchObject(invalid)
      expect((await world.json('POST', `/api/folders/${inner}/delete`, {})).status).toBe(200)
      expect((await world.json('POST', `/api/folders/${outer}/delete`, {})).status).toBe(200)
      expect(names(await world.json('GET', '/api/folders'))).toEqual(['Cheia'])
    })

    test('DeleteContent deletes every document in it, told in one event with DeletedByFolder', async () => {
      const world = await platform()
      const events = await receiveEvents(world)
      const outer = await make(world, 'Fora')
      const inner = await make(world, 'Dentro', outer)
      const flow = [approver(people.ana)]
      const ids = [
        await createDocument(world, flow, { folderId: outer }),
        await createDocument(world, flow, { folderId: inner }),
      ]
      const kept = await createDocument(world, flow)
      const answer = await world.json('POST', `/api/folders/${outer}/delete`, {
        deleteAction: 'DeleteContent',
      })
      expect(answer.status).toBe(200)
      const { data } = await events.next('DocumentDeleted')
      expect(data.action).toBe('DeletedByFolder')
      expect(data.documents.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort())
      const named = data.documents.map(({ folder }: { folder: { name: string } }) => folder.name)
      expect(named.sort()).toEqual(['Dentro', 'Fora'])
      expect(names(await world.json('GET', '/api/folders'))).toEqual([])
      for (const id of ids)
        expect((await world.json('GET', `/api/documents/${id}`)).body).toMatchObject({ isDeleted: true, folder: null })
      expect((await world.json('GET', `/api/documents/${kept}`)).body).toMatchObject({ isDeleted: false })
    })

    test('of more than 100 documents deleted with their folder the event names 100', async () => {
      const world = await platform()
      const events = await receiveEvents(world)
      const folder = await make(world, 'Muitos')
      const { body: upload } = await world.json('POST', '/api/uploads/bytes', { bytes: 'dGV4dG8=' })
      const file = { id: upload.id, name: 'a.txt', displayName: 'a', contentType: 'text/plain' }
      const created = await world.json('POST', '/api/documents', {
        files: Array.from({ length: 103 }, () => file),
        flowActions: [approver(people.ana)],
        folderId: folder,
      })
      expect(created.status).toBe(200)
      await world.json('POST', `/api/folders/${folder}/delete`, { deleteAction: 'DeleteContent' })
      expect((await events.next('DocumentDeleted')).data.documents).toHaveLength(100)
      expect((await world.json('GET', '/api/documents?IsDeleted=true&limit=0')).body.totalCount).toBe(103)
    })

    test('MoveContent moves folders and documents to the destination, or to the top', async () => {
      const world = await platform()
      const [from, to] = [await make(world, 'De'), await make(world, 'Para')]
      const inner = await make(world, 'Dentro', from)
      const document = await createDocument(world, [approver(people.ana)], { folderId: from })
      const move = (destinationFolderId: string | null) => ({ deleteAction: 'MoveContent', destinationFolderId })
      const inside = await world.json('POST', `/api/folders/${from}/delete`, move(inner))
      expect(inside).toMatchObject({ status: 422, body: { code: 'InvalidFolderAction' } })
      expect((await world.json('POST', `/api/folders/${from}/delete`, move(to))).status).toBe(200)
      expect((await world.json('GET', `/api/folders/${inner}`)).body.parentId).toBe(to)
      expect((await world.json('GET', `/api/documents/${document}`)).body.folder.id).toBe(to)
      expect((await world.json('POST', `/api/folders/${to}/delete`, move(null))).status).toBe(200)
      expect((await world.json('GET', `/api/folders/${inner}`)).body.parentId).toBeNull()
      expect((await world.json('GET', `/api/documents/${document}`)).body.folder).toBeNull()
    })

    test('a destination for content that is not moved is refused', async () => {
      const world = await platform()
      const [from, to] = [await make(world, 'De'), await make(world, 'Para')]
      for (const deleteAction of ['DeleteContent', null])
        expect(
          await world.json('POST', `/api/folders/${from}/delete`, { deleteAction, destinationFolderId: to }),
        ).toMatchObject({
          status: 422,
          body: { code: 'InvalidFolderAction', details: { field: 'destinationFolderId' } },
        })
      expect((await world.json('GET', `/api/folders/${from}`)).status).toBe(200)
    })

    test('contents whose name is taken at the destination stay where they are', async () => {
      const world = await platform()
      const [from, to] = [await make(world, 'De'), await make(world, 'Para')]
      await make(world, '2026', from)
      await make(world, '2026', to)
      const answer = await world.json('POST', `/api/folders/${from}/delete`, {
        deleteAction: 'MoveContent',
        destinationFolderId: to,
      })
      expect(answer).toMatchObject({ status: 422, body: { code: 'FolderNameTaken' } })
      expect((await world.json('GET', `/api/folders/${from}`)).status).toBe(200)
    })

    test('an application restricted to folders sees and uses those and the ones inside them', async () => {
      const world = await platform()
      const [own, other] = [await make(world, 'Meus'), await make(world, 'Outros')]
      const inner = await make(world, 'Dentro', own)
      const headers = await restricted(world, [own])
      const get = (path: string) => world.json('GET', path, undefined, headers)
      expect(names(await get('/api/folders'))).toEqual(['Dentro', 'Meus'])
      expect(names(await get('/api/folders?filterByParent=true'))).toEqual(['Meus'])
      expect((await get(`/api/folders/${inner}`)).status).toBe(200)
      const forbidden = { status: 403, body: { code: 'Forbidden' } }
      expect(await get(`/api/folders/${other}`)).toMatchObject(forbidden)
      expect(await world.json('POST', '/api/folders', { name: 'x' }, headers)).toMatchObject(forbidden)
      expect(await world.json('POST', '/api/folders', { name: 'x', parentId: inner }, headers)).toMatchObject({
        status: 200,
      })
      const out = { name: 'Dentro', parentId: null }
      expect(await world.json('PUT', `/api/folders/${inner}`, out, headers)).toMatchObject(forbidden)
      const application = { name: 'mais', folderIds: null }
      const path = `/api/organizations/${world.organization.id}/applications`
      expect(await world.json('POST', path, application, headers)).toMatchObject(forbidden)
    })

    test('the details of a folder tell who has access to it', async () => {
      const world = await platform()
      const [own, other] = [await make(world, 'Meus'), await make(world, 'Outros')]
      await restricted(world, [own])
      await world.json('POST', '/api/organizations/users', {
        name: 'Ana Souza',
        email: `${crypto.randomUUID()}@example.com`,
        accessProfile: { manager: true },
      })
      const accesses = async (id: string) => (await world.json('GET', `/api/folders/${id}/details`)).body.folderAccesses
      expect(await accesses(own)).toHaveLength(3)
      expect(await accesses(other)).toEqual([
        { id: expect.any(String), name: 'Ana Souza', type: 'User', role: 'Manager' },
        { id: world.organization.applicationId, name: expect.any(String), type: 'Application', role: 'Admin' },
      ])
    })
  })
}
