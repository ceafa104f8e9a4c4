import { describe, expect, test } from 'vitest'
import { builtInContexts } from '../src/contract/authentication.ts'
import { type CoreWorld, clientAt, databases, sharedCore, testOnce } from './test-support/core-world.ts'
import { authenticate, authorities, rootClient } from './test-support/management.ts'
import { certificateOf, roots, running } from './test-support/pki.ts'

type Client = Pick<CoreWorld, 'json'>

const data = (more: object = {}) => ({ name: crypto.randomUUID(), trustedRoots: authorities.roots, ...more })

const create = ({ json }: Client, more: object = {}) => json('POST', '/api/security-contexts', data(more))

const authenticated = async (client: Client, label: string, id?: string) => (await authenticate(client, label, id)).body

const unknown = { status: 422, body: { code: 'SecurityContextNotFound' } }

for (const database of databases) {
  describe(`security contexts on ${database}`, () => {
    const open = sharedCore(database, { SecurityContexts: { TestAnchorsFile: roots } })
    const once = testOnce(database)
    const admin = () => clientAt(open(), { roles: ['Admin'] })

    test('one of a subscription trusts whom it names, is the default where that is chosen, and unknown to others', async () => {
      const [own, other] = [await admin(), await admin()]
      const { status, body } = await create(own)
      expect(status).toBe(200)
      expect(body).toMatchObject({ builtIn: false, isDefault: false, revocation: 'Required', acceptedPolicies: [] })
      expect(body.trustedRoots.map(({ content }: { content: string }) => content)).toEqual(authorities.roots)
      expect((await authenticated(own, 'ana-souza', body.id.toUpperCase())).success).toBe(true)
      const path = `/api/security-contexts/${body.id}`
      for (const [method, sent] of [['GET'], ['PUT', data()], ['DELETE']] as const)
        expect(await other.json(method, path, sent)).toMatchObject(unknown)
      expect(await other.json('PUT', '/api/security-contexts/default', { id: body.id })).toMatchObject(unknown)

      expect((await own.json('PUT', '/api/security-contexts/default', { id: body.id })).body.isDefault).toBe(true)
      const { items, totalCount } = (await own.json('GET', '/api/security-contexts')).body
      expect([items.filter((one: { isDefault: boolean }) => one.isDefault).length, totalCount]).toEqual([1, 3])
      expect(await own.json('DELETE', path)).toMatchObject({ status: 422, body: { code: 'EntityUnusable' } })
      expect((await own.json('PUT', '/api/security-contexts/default', { id: null })).body.id).toBe(
        builtInContexts.pkiBrazil,
      )
      expect((await own.json('DELETE', path)).status).toBe(200)
      expect(await own.json('GET', path)).toMatchObject(unknown)
      expect(await own.json('POST', '/api/v2/authentication', { securityContextId: body.id })).toMatchObject(unknown)
    })

    test('a change counts with the next call: other roots, revocation rules and policies', async () => {
      const own = await admin()
      const { id } = (await create(own)).body
      const change = (more: object) => own.json('PUT', `/api/security-contexts/${id}`, data(more))
      expect((await authenticated(own, 'ana-souza', id)).success).toBe(true)
      // The root of somebody else's certificates.
      expect((await change({ trustedRoots: [certificateOf('unknown-root')] })).status).toBe(200)
      expect((await authenticated(own, 'ana-souza', id)).success).toBe(false)
      expect((await change({ acceptedPolicies: ['2.16.76.1.2.3'] })).status).toBe(200)
      const refused = await authenticated(own, 'ana-souza', id)
      expect(refused.validationResults.errors).toMatchObject([{ type: 'CertificateValidationFailed' }])
      expect((await change({ acceptedPolicies: ['2.16.76.1.2.1', '2.16.76.1.2.3'] })).status).toBe(200)
      expect((await authenticated(own, 'ana-souza', id)).success).toBe(true)
    })

    test('where a context says so an unknown revocation status is a warning', async () => {
      const own = await admin()
      const strict = (await create(own)).body.id
      const lenient = (await create(own, { revocation: 'IgnoreUnknown' })).body.id
      for (const area of ['crl', 'crl-mirror', 'ocsp'] as const) running.faults.set(area, { kind: 'down' })
      try {
        expect((await authenticated(own, 'davi-moreira', strict)).success).toBe(false)
        const { success, validationResults } = await authenticated(own, 'davi-moreira', lenient)
        expect([success, validationResults.errors]).toEqual([true, []])
      } finally {
        running.faults.clear()
      }
    })

    once('those of the instance are read and not changed; that for tests has the id which samples know', async () => {
      const own = await admin()
      const { items } = (await own.json('GET', '/api/security-contexts')).body
      expect(items).toMatchObject([
        { id: builtInContexts.pkiBrazil, builtIn: true, isDefault: true },
        { id: '803517ad-3bbc-4169-b085-60053a8f6dbf', builtIn: true, isDefault: false },
      ])
      expect(items[1].trustedRoots.length).toBeGreaterThan(0)
      expect((await authenticated(own, 'ana-souza', builtInContexts.test)).success).toBe(true)
      for (const id of [builtInContexts.pkiBrazil, builtInContexts.test.toUpperCase()])
        for (const [method, sent] of [['PUT', data()], ['DELETE']] as const)
          expect(await own.json(method, `/api/security-contexts/${id}`, sent)).toMatchObject({
            status: 422,
            body: { code: 'EntityIsReadOnly' },
          })
      const chosen = await own.json('PUT', '/api/security-contexts/default', { id: builtInContexts.test })
      expect(chosen.body).toMatchObject({ id: builtInContexts.test, isDefault: true })
      expect((await authenticated(own, 'ana-souza')).success).toBe(true)
    })

    once(
      'what is no certificate, or none of an authority, is refused; names are unique in a subscription',
      async () => {
        const [own, other] = [await admin(), await admin()]
        const refusal = async (more: object) => {
          const { status, body } = await create(own, more)
          return status === 422 ? body.code : status
        }
        expect(await refusal({ trustedRoots: ['AAAA'] })).toBe('PKCertificateMalformed')
        expect(await refusal({ trustedRoots: [certificateOf('ana-souza')] })).toBe('EndUserCertificate')
        expect(await refusal({ intermediates: [certificateOf('ana-souza')] })).toBe('EndUserCertificate')
        expect(await refusal({ trustedRoots: [] })).toBe(400)
        expect(await refusal({ acceptedPolicies: ['1.2.x'] })).toBe(400)
        expect(await refusal({ revocation: 'Never' })).toBe(400)
        expect(await refusal({ name: ' ' })).toBe(400)
        const { name } = (await create(own)).body
        expect(await refusal({ name: name.toUpperCase() })).toBe('EntityAlreadyExists')
        expect((await create(other, { name })).status).toBe(200)
      },
    )
  })

  describe(`subscriptions on ${database}`, () => {
    const open = sharedCore(database)

    test('they are made, found, renamed; names are unique', async () => {
      const owner = await rootClient(open(), ['Contributor'])
      const name = `Prefeitura ${crypto.randomUUID()}`
      const { body } = await owner.json('POST', '/api/subscriptions', { name: ` ${name} ` })
      expect(body).toEqual({
        id: body.id,
        name,
        disabled: false,
        defaultSecurityContextId: null,
        dateCreated: expect.any(String),
      })
      const taken = { status: 422, body: { code: 'EntityAlreadyExists' } }
      expect(await owner.json('POST', '/api/subscriptions', { name: name.toUpperCase() })).toMatchObject(taken)
      const found = await owner.json('GET', `/api/subscriptions?Q=${name.toLowerCase()}`)
      expect(found.body).toMatchObject({ totalCount: 1, items: [{ id: body.id }] })
      const path = `/api/subscriptions/${body.id}`
      expect((await owner.json('PUT', path, { name: `${name} II` })).body.name).toBe(`${name} II`)
      expect((await owner.json('GET', path)).body.name).toBe(`${name} II`)
      expect(await owner.json('GET', `/api/subscriptions/${crypto.randomUUID()}`)).toMatchObject({
        status: 422,
        body: { code: 'EntityNotFound', details: { entity: 'Subscription' } },
      })
      // Applications are made in it by naming it.
      const there = { 'X-Subscription': body.id }
      const made = await owner.json(
        'POST',
        '/api/applications',
        { name: `app ${name}`, authorizationData: { roles: ['Worker'] } },
        there,
      )
      expect(made.body).toMatchObject({
        subscriptionId: body.id,
        subscriptions: [{ subscriptionId: body.id, roles: ['Worker'] }],
      })
    })
  })
}
