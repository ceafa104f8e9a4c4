// Organizations and what they set up: made, read, found, changed and deleted, each by its own people alone.
import { describe, expect, test } from 'vitest'
import { databases, instituteOf, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { itemsAt } from './test-support/items.ts'
import { sampleCourse, sampleFlow, sampleInstitute, sampleTemplate } from './test-support/samples.ts'

for (const database of databases) {
  describe(`organizations on ${database}`, () => {
    const open = sharedPlatform(database)
    const once = testOnce(database)

    test('the operator makes, renames, disables and lists organizations', async () => {
      const { system } = open()
      const { subscriptionId, json } = await organizationAt(open())
      const path = `/api/subscriptions/${subscriptionId}`
      const name = `Nome ${crypto.randomUUID()}`
      expect((await system.json('PUT', path, { name })).body).toMatchObject({ id: subscriptionId, name })
      const taken = await system.json('POST', '/api/subscriptions', { name: name.toUpperCase() })
      expect([taken.status, taken.body.code]).toEqual([409, 'already-exists'])
      expect((await system.json('GET', `/api/subscriptions?q=${encodeURIComponent(name)}`)).body.totalCount).toBe(1)
      expect((await json('GET', path)).body.name).toBe(name)
      await system.json('PUT', path, { disabled: true })
      expect((await json('GET', '/api/institutes')).body.code).toBe('forbidden')
      await system.json('PUT', path, { disabled: false })
      expect((await json('GET', '/api/institutes')).status).toBe(200)
      const absent = await system.json('PUT', `/api/subscriptions/${crypto.randomUUID()}`, { disabled: true })
      expect(absent.body.code).toBe('subscription-not-found')
    })

    test('applications have a role and keys, which end with them', async () => {
      const organization = await organizationAt(open())
      const { json } = organization
      const made = await organization.application('Gerente')
      const path = `/api/applications/${made.id}`
      expect((await json('GET', path)).body).toMatchObject({ role: 'Gerente', disabled: false })
      expect((await made.json('GET', '/api/institutes')).status).toBe(200)
      expect((await made.json('GET', '/api/applications')).status).toBe(403)
      await json('PUT', path, { role: 'Administrador' })
      expect((await made.json('GET', '/api/applications')).body.totalCount).toBe(2)
      await json('PUT', path, { disabled: true })
      expect((await made.json('GET', '/api/institutes')).status).toBe(401)
      await json('PUT', path, { disabled: false })
      const keys = (await json('GET', `${path}/keys`)).body
      expect(keys).toEqual([expect.objectContaining({ description: 'test', revocationDate: null })])
      expect(JSON.stringify(keys)).not.toContain(made.apiKey.split('|')[1])
      expect((await json('DELETE', `${path}/keys/${keys[0].id}`)).status).toBe(204)
      expect((await made.json('GET', '/api/institutes')).status).toBe(401)
      const past = { description: 'x', expirationDate: '2020-01-01T00:00:00Z' }
      expect((await json('POST', `${path}/keys`, past)).body.errors).toHaveProperty('expirationDate')
      const second = (await json('POST', `${path}/keys`, { description: 'second' })).body.key
      expect((await json('DELETE', path)).status).toBe(204)
      const gone = await json('GET', '/api/institutes', undefined, { 'X-Api-Key': second })
      expect(gone.status).toBe(401)
      expect((await json('GET', path)).body.code).toBe('application-not-found')
    })

    test('an institution is kept as it was sent, found, changed, and deleted while it has issued nothing', async () => {
      const world = open()
      const { json, subscriptionId } = await organizationAt(world)
      const sent = sampleInstitute()
      const { status, body } = await json('POST', '/api/institutes', sent)
      expect([status, body]).toEqual([
        201,
        {
          ...sent,
          id: expect.any(String),
          subscriptionId,
          creationDate: expect.any(String),
          updateDate: expect.any(String),
        },
      ])
      const path = `/api/institutes/${body.id}`
      expect((await json('GET', path)).body).toEqual(body)
      const taken = await json('POST', '/api/institutes', sampleInstitute({ code: sent.code }))
      expect([taken.body.code, Object.keys(taken.body.errors)]).toEqual(['already-exists', ['code']])
      world.clock.advance(1000)
      const changed = await json('PUT', path, { ...sent, name: 'Outro Nome', publicUrl: 'https://x.example/a/' })
      expect(changed.body).toMatchObject({ name: 'Outro Nome', publicUrl: 'https://x.example/a' })
      expect(changed.body.updateDate > body.updateDate).toBe(true)
      expect((await json('GET', '/api/institutes?q=outro')).body.items).toEqual([changed.body])
      await itemsAt(world, { subscriptionId, instituteId: body.id }).create('Degree')
      expect((await json('DELETE', path)).body.code).toBe('in-use')
      const idle = await instituteOf({ json } as never)
      expect((await json('DELETE', `/api/institutes/${idle.id}`)).status).toBe(204)
      expect((await json('GET', `/api/institutes/${idle.id}`)).body.code).toBe('institute-not-found')
    })

    once('what an institution cannot be is refused by the name of every wrong field', async () => {
      const { json } = await organizationAt(open())
      const wrong = async (more: object) => {
        const { status, body } = await json('POST', '/api/institutes', sampleInstitute(more))
        return [status, Object.keys(body.errors ?? {}).toSorted()]
      }
      const { data } = sampleInstitute()
      expect(await wrong({ cnpj: '11444777000162' })).toEqual([422, ['cnpj']])
      expect(await wrong({ cnpj: '123' })).toEqual([400, ['cnpj']])
      expect(await wrong({ publicUrl: 'http://diplomas.example' })).toEqual([422, ['publicUrl']])
      expect(await wrong({ colour: 'blue' })).toEqual([400, ['colour']])
      const { mantenedora: _, ...without } = data
      expect(await wrong({ data: without })).toEqual([422, ['data.mantenedora']])
      expect(await wrong({ kind: 'Issuer', data: without })).toEqual([201, []])
      const mixed = {
        ...data,
        endereco: { ...data.endereco, nomeMunicipioEstrangeiro: 'Lisboa' },
        credenciamento: { tipo: 'Portaria' },
      }
      expect(await wrong({ data: mixed })).toEqual([422, ['data.credenciamento', 'data.endereco']])
      expect(await wrong({ data: { ...data, credenciamento: { ...data.credenciamento, numero: '2.160' } } })).toEqual([
        400,
        ['data.credenciamento.numero'],
      ])
    })

    test.each([
      ['courses', (instituteId: string) => sampleCourse(instituteId), 'course-not-found'],
      ['flows', (instituteId: string) => sampleFlow({ instituteId }), 'flow-not-found'],
      ['templates', (instituteId: string) => sampleTemplate({ instituteId }), 'template-not-found'],
    ] as const)(
      '%s are kept as they were sent, listed by institution, changed and deleted',
      async (plural, sample, absent) => {
        const organization = await organizationAt(open())
        const other = await organizationAt(open())
        const { json } = organization
        const [one, two] = [await instituteOf(organization), await instituteOf(organization)]
        const sent = sample(one.id)
        const { status, body } = await json('POST', `/api/${plural}`, sent)
        expect([status, body]).toEqual([201, expect.objectContaining({ ...sent, id: expect.any(String) })])
        await json('POST', `/api/${plural}`, sample(two.id))
        const listed = await json('GET', `/api/${plural}?instituteId=${one.id}`)
        expect(listed.body).toEqual({ items: [body], page: 1, pageSize: 20, totalCount: 1 })
        expect((await json('GET', `/api/${plural}?pageSize=1&page=2`)).body).toMatchObject({ totalCount: 2, page: 2 })
        const path = `/api/${plural}/${body.id}`
        expect((await json('PUT', path, { ...sent, name: 'Outro' })).body.name).toBe('Outro')
        const foreign = await other.json('POST', `/api/${plural}`, sample(one.id))
        expect([foreign.status, foreign.body.code]).toEqual([404, 'institute-not-found'])
        for (const method of ['GET', 'PUT', 'DELETE'])
          expect(
            (await other.json(method, path, method === 'PUT' ? sample((await instituteOf(other)).id) : undefined)).body
              .code,
          ).toBe(absent)
        expect((await json('DELETE', path)).status).toBe(204)
        expect((await json('GET', path)).body.code).toBe(absent)
        const { body: events } = await json('GET', `/api/events?entityId=${body.id}`)
        expect(events.items.map(({ type }: { type: string }) => type.replace(/^[A-Z][a-z]+/, ''))).toEqual([
          'Deleted',
          'Changed',
          'Created',
        ])
      },
    )

    once('courses and flows that cannot be are refused by the name of what is wrong', async () => {
      const organization = await organizationAt(open())
      const { id } = await instituteOf(organization)
      const wrong = async (path: string, body: object) => {
        const answer = await organization.json('POST', path, body)
        return [answer.status, Object.keys(answer.body.errors ?? {})]
      }
      expect(await wrong('/api/courses', sampleCourse(id, { emecCode: null }))).toEqual([422, ['emecCode']])
      const data = { ...sampleCourse(id).data, tituloConferido: { titulo: 'Bacharel', outroTitulo: 'Mestre' } }
      expect(await wrong('/api/courses', sampleCourse(id, { data }))).toEqual([422, ['data.tituloConferido']])
      const [person, inner, closing] = sampleFlow().steps
      expect(await wrong('/api/flows', sampleFlow({ steps: [person, inner] }))).toEqual([422, ['steps']])
      expect(await wrong('/api/flows', sampleFlow({ steps: [closing, person, closing] }))).toEqual([422, ['steps']])
      expect(await wrong('/api/flows', sampleFlow({ documentKind: 'Degree' }))).toEqual([422, ['steps[0]', 'steps[1]']])
      const institution = [{ ...person, participants: closing!.participants }, closing]
      expect(await wrong('/api/flows', sampleFlow({ steps: institution }))).toEqual([422, ['steps[0]']])
      expect(await wrong('/api/flows', sampleFlow({ documentKind: 'CancellationList', steps: [closing] }))).toEqual([
        201,
        [],
      ])
      expect(await wrong('/api/institutes?page=0', sampleInstitute())).toEqual([201, []])
      const paged = await organization.json('GET', '/api/institutes?page=0&pageSize=101')
      expect([paged.status, Object.keys(paged.body.errors)]).toEqual([400, ['page', 'pageSize']])
    })

    test('a creation under its Idempotency-Key happens once, and another under the same key is refused', async () => {
      const organization = await organizationAt(open())
      const { json } = organization
      const key = { 'Idempotency-Key': crypto.randomUUID() }
      const sent = sampleInstitute()
      const [one, two, three] = await Promise.all([1, 2, 3].map(() => json('POST', '/api/institutes', sent, key)))
      expect([one!.status, two!.body, three!.body]).toEqual([201, one!.body, one!.body])
      const later = await json('POST', '/api/institutes', sent, key)
      expect([later.status, later.body]).toEqual([201, one!.body])
      expect((await json('GET', '/api/institutes')).body.totalCount).toBe(1)
      const reused = await json('POST', '/api/institutes', sampleInstitute(), key)
      expect([reused.status, reused.body.code]).toEqual([422, 'idempotency-key-reused'])
      // The same key elsewhere is another key.
      expect((await json('POST', '/api/courses', sampleCourse(one!.body.id), key)).status).toBe(201)
      const other = await organizationAt(open())
      expect((await other.json('POST', '/api/institutes', sent, key)).body.id).not.toBe(one!.body.id)
    })

    test('events tell who did what, by item and by type, to the own organization alone', async () => {
      const organization = await organizationAt(open())
      const other = await organizationAt(open())
      const { id } = await instituteOf(organization)
      const of = async (query: string, caller = organization) =>
        (await caller.json('GET', `/api/events${query}`)).body.items
      expect(await of(`?entityId=${id}`)).toEqual([
        {
          id: expect.any(String),
          date: expect.any(String),
          type: 'InstituteCreated',
          entityType: 'Institute',
          entityId: id,
          actor: { type: 'application', id: expect.any(String), name: expect.stringMatching(/^app /) },
          data: { name: 'Universidade Santa Clara' },
          address: '127.0.0.1',
          changes: { before: {}, after: expect.objectContaining({ name: 'Universidade Santa Clara' }) },
        },
      ])
      expect(await of('?entityTypes=Institute,Course')).toHaveLength(1)
      expect(await of('?entityTypes=Course')).toEqual([])
      expect((await of('')).map(({ type }: { type: string }) => type)).toContain('SubscriptionCreated')
      expect(await of(`?entityId=${id}`, other)).toEqual([])
    })
  })
}
