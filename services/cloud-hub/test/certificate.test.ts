import { describe, expect, test } from 'vitest'
import { databases, testOnce } from './test-support/hub-world.ts'
import { derOf, newDocument, outcomeOf, signingWorld, strangerTo } from './test-support/signing.ts'

describe.each(databases)('the certificate of a session on %s', (database) => {
  const once = testOnce(database)
  const world = signingWorld(database)

  once('it is a bare JSON string: DER in base64, in quotes, nothing else', async () => {
    const session = await world.session()
    const { status, text, headers } = await world.certificate(session)
    expect(status).toBe(200)
    expect(text).toBe(`"${derOf('ana-souza')}"`)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })

  once('version 2 tells alias and service name, and no other field', async () => {
    const session = await world.session()
    const { body } = await world.certificate(session, '/v2')
    expect(body).toEqual({ content: derOf('ana-souza'), alias: 'ana-souza', serviceName: world.service.serviceName })
  })

  once('of several certificates it is the one that is valid now and was issued last', async () => {
    world.provider.quirks.listAllCertificates = true
    const session = await world.session({ holder: 'bruno-lima', certificate: 'bruno-lima' })
    expect((await world.certificate(session, '/v2')).body).toMatchObject({ alias: 'bruno-lima-renewed' })
  })

  once.each(['padaria-aurora', 'ana-souza'])(
    'of a person and a company it is the one whose holder the provider says authorized: %s',
    async (holder) => {
      const certificates = ['ana-souza', 'padaria-aurora'].map((alias) => ({ alias, certificate: derOf(alias) }))
      for (const listed of [certificates, certificates.toReversed()]) {
        const session = await world.session({ holder, identifier: '' })
        world.provider.fail('certificates', { status: 200, body: { status: 'S', certificates: listed } })
        expect((await world.certificate(session, '/v2')).body).toMatchObject({ alias: holder })
        const document = newDocument()
        const { body } = await world.sign(session, document.hash)
        expect(document.isSignedBy(body, holder)).toBe(true)
      }
    },
  )

  once(
    'of several of the authorized person it is the newest, though the token is bound to another: nothing is signed',
    async () => {
      world.provider.quirks.listAllCertificates = true
      const session = await world.session({ holder: 'bruno-lima', certificate: 'bruno-lima' })
      const document = newDocument()
      expect(outcomeOf(await world.sign(session, document.hash))).toBe('422 CertificateAliasNotFound')
      const { body } = await world.sign(session, document.hash, { certificateAlias: 'bruno-lima' })
      expect(document.isSignedBy(body, 'bruno-lima')).toBe(true)
    },
  )

  test('it is asked for once, and the same for the life of the session', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    const calls = world.counting()
    const [first, second] = await Promise.all([world.certificate(session), world.certificate(session)])
    expect((await world.certificate(session)).text).toBe(first.text)
    expect(second.text).toBe(first.text)
    expect(calls('certificates')).toBe(1)
  })

  once('CertificateNotFound where none is valid now', async () => {
    const session = await world.session({ holder: 'expired', type: 'SignatureSession' })
    expect(outcomeOf(await world.certificate(session))).toBe('422 CertificateNotFound')
    expect(outcomeOf(await world.certificate(session))).toBe('422 CertificateNotFound')
  })

  once('it can be read under an AuthenticationSession', async () => {
    const session = await world.session({ type: 'AuthenticationSession' })
    expect((await world.certificate(session)).body).toBe(derOf('ana-souza'))
  })

  test('somebody else than the client asked for ends the session, though a login hint was given', async () => {
    world.provider.quirks.omitIdentification = true
    const session = await world.session({ holder: 'ana-souza', identifier: '11144477735' })
    expect(outcomeOf(await world.certificate(session))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(await world.row(session)).toMatchObject({ state: 'ended', reason: 'another-holder', sealed_grant: null })
    const { id } = await world.row(session)
    const uses = await world.hub.store.db.selectFrom('session_use').selectAll().where('session_id', '=', id).execute()
    expect(uses).toContainEqual(expect.objectContaining({ action: 'certificate', outcome: 'another-holder' }))
  })

  once("a company's certificate is also that of the person responsible for it", async () => {
    world.provider.quirks.omitIdentification = true
    const session = await world.session({ holder: 'padaria-aurora', identifier: '52998224725' })
    expect((await world.certificate(session)).body).toBe(derOf('padaria-aurora'))
  })

  once("a person's certificate is not that of a company", async () => {
    world.provider.quirks.omitIdentification = true
    const session = await world.session({ holder: 'ana-souza', identifier: '11222333000181' })
    expect(outcomeOf(await world.certificate(session))).toBe('422 SessionInvalidOrAlreadyUsed')
  })

  once('of the certificates of an account, only those of whom the client asked for are chosen from', async () => {
    world.provider.quirks.listAllCertificates = true
    const session = await world.session({ holder: 'bruno-lima', identifier: '11144477735' })
    expect((await world.certificate(session)).status).toBe(200)
  })

  test('a session of another key is unknown, as one that never was', async () => {
    const session = await world.session()
    const stranger = await strangerTo(world.hub)
    const answer = await world.hub.json('GET', `/api/sessions/certificate?session=${session}`, undefined, stranger)
    expect(outcomeOf(answer)).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(outcomeOf(await world.certificate('A'.repeat(43)))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(outcomeOf(await world.certificate('no-handle'))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect((await world.certificate(session)).status).toBe(200)
  })

  once('without session: 400 naming the field', async () => {
    expect(outcomeOf(await world.hub.json('GET', '/api/sessions/certificate'))).toBe('400 session')
  })

  once.each([
    ['provider 500', { status: 500, body: 'oops' }, '500 ProviderError'],
    ['garbage', 'garbage', '500 ProviderError'],
    ['a dropped connection', 'drop', '500 ProviderConnectionLost'],
  ] as const)('%s while certificates are listed leaves the session usable', async (_, fault, answer) => {
    const session = await world.session()
    world.provider.failAlways('certificates', fault)
    expect(outcomeOf(await world.certificate(session))).toBe(answer)
    world.provider.recover()
    expect((await world.certificate(session)).status).toBe(200)
  })

  test('a token that the provider does not accept any more ends the session', async () => {
    const session = await world.session()
    world.provider.fail('certificates', { status: 401, body: { error: 'invalid_token' } })
    expect(outcomeOf(await world.certificate(session))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(await world.row(session)).toMatchObject({ state: 'ended', reason: 'token-refused', sealed_grant: null })
    expect(outcomeOf(await world.certificate(session))).toBe('422 SessionInvalidOrAlreadyUsed')
  })
})
