// Differences between CSC servers, and the knobs for them: nothing of it is stored, so one database is enough.
import { describe, expect, it } from 'vitest'
import { cscWorld, versions } from './test-support/csc.ts'
import { databases } from './test-support/hub-world.ts'
import { newDocument } from './test-support/signing.ts'

describe('CSC servers differ', () => {
  const world = cscWorld(databases[0]!)

  it('matches signatures to hashes by verification where the provider sorts them', async () => {
    world.provider.quirks.csc.sortedSignatures = true
    const session = await world.session({ type: 'MultiSignature' })
    const documents = Array.from({ length: 6 }, () => newDocument()).sort((a, b) => (a.hash < b.hash ? 1 : -1))
    const { body } = await world.signAll(
      session,
      documents.map(({ hash }) => hash),
    )
    documents.forEach((each, at) => void expect(each.isSignedBy(body.signatures[at], 'ana-souza')).toBe(true))
  })

  it('asks by authorization_details where the knob says so', async () => {
    for (const version of ['2.0', '2.2'] as const) {
      const { serviceName } = await world.add(version, { authorizationDetails: true })
      const arrived = world.arriving()
      world.provider.quirks.csc.scal = '2'
      const document = newDocument()
      const session = await world.session({ serviceName, hashes: [document.hash], digestAlgorithm: 'SHA-256' })
      const [, credential] = arrived('authorize')
      expect(credential!.body.scope).toBeUndefined()
      expect(JSON.parse(String(credential!.body.authorization_details))).toMatchObject([
        {
          type: version === '2.0' ? 'credential' : 'https://cloudsignatureconsortium.org/2025/credential',
          credentialID: 'ana-souza',
          documentDigests: [{ hash: document.hash }],
          hashAlgorithmOID: '2.16.840.1.101.3.4.2.1',
        },
      ])
      expect(arrived('token')[1]!.body.authorization_details).toBe(credential!.body.authorization_details)
      expect(document.isSignedBy((await world.sign(session, document.hash)).body, 'ana-souza')).toBe(true)
    }
  })

  it('shows its credentials as HTTP Basic, asks in a language and for plain RSA, where knobs say so', async () => {
    const knobs = {
      clientAuthentication: 'basic',
      lang: 'pt-BR',
      signAlgo: 'plain',
      authorizeParameters: ['tenant=7'],
    }
    const { serviceName } = await world.add('1.0.4', knobs)
    const arrived = world.arriving()
    const document = newDocument()
    const { body } = await world.sign(await world.session({ serviceName }), document.hash)
    expect(document.isSignedBy(body, 'ana-souza')).toBe(true)
    expect(arrived('token').map((call) => call.body.client_secret)).toEqual([undefined, undefined])
    expect(arrived('authorize')[0]!.body).toMatchObject({ lang: 'pt-BR', tenant: '7' })
    expect(arrived('signature')[0]!.body).toMatchObject({ signAlgo: '1.2.840.113549.1.1.1' })
  })

  it('speaks with the reference server: `message` in refusals, escaped hashes, sorted signatures', async () => {
    const { serviceName } = await world.add('2.0', { hashEncoding: 'percent' })
    Object.assign(world.provider.quirks.csc, {
      messageErrors: true,
      percentEncodedHashes: true,
      sortedSignatures: true,
      rsaAlgorithms: 'plain',
      omitLifetimes: true,
    })
    const documents = [newDocument(), newDocument(), newDocument()]
    const session = await world.session({ serviceName, type: 'SignatureSession' })
    const { body } = await world.signAll(
      session,
      documents.map(({ hash }) => hash),
    )
    documents.forEach((each, at) => void expect(each.isSignedBy(body.signatures[at], 'ana-souza')).toBe(true))
  })

  it('takes a credential token of type Bearer for the SAD it is', async () => {
    world.provider.quirks.csc.credentialTokenType = 'Bearer'
    const document = newDocument()
    const { body } = await world.sign(await world.session({ version: '1.0.4' }), document.hash)
    expect(document.isSignedBy(body, 'ana-souza')).toBe(true)
  })

  it('a credential of mode implicit needs no second redirect', async () => {
    world.provider.quirks.csc.authorizationMode = 'implicit'
    for (const version of versions) {
      const arrived = world.arriving()
      const session = await world.session({ version, type: 'SignatureSession' })
      expect(arrived('authorize')).toHaveLength(1)
      for (const document of [newDocument(), newDocument()]) {
        expect(document.isSignedBy((await world.sign(session, document.hash)).body, 'ana-souza')).toBe(true)
      }
    }
  })

  it('a credential that wants its PIN from the application is refused: the hub never asks for factors', async () => {
    world.provider.quirks.csc.authorizationMode = 'explicit'
    const arrived = world.arriving()
    const back = await world.returned({ version: '1.0.4' })
    expect(back.searchParams.get('error')).toBe('provider_error')
    expect(arrived('credentials-authorize')).toHaveLength(0)
    await world.logged('mode explicit')
  })

  it('is never found by discovery, and offered to everybody for that', async () => {
    const { serviceName } = world.service('2.0')
    const { body: found } = await world.hub.json('GET', '/api/sessions/services?identifier=52998224725')
    expect(found).toContainEqual(expect.objectContaining({ serviceName }))
    const { body } = await world.hub.json(
      'GET',
      `/api/sessions/services/${serviceName}/availability?identifier=52998224725`,
    )
    expect(body.certificateFound).not.toBe(true)
  })
})
