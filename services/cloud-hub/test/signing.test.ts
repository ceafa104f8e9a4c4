import { describe, expect, test } from 'vitest'
import { databases, testOnce } from './test-support/hub-world.ts'
import { derOf, newDocument, outcomeOf, signingWorld, strangerTo } from './test-support/signing.ts'

describe.each(databases)('sign-hash on %s', (database) => {
  const once = testOnce(database)
  const world = signingWorld(database)

  test('the signature is a bare JSON string that verifies with the certificate', async () => {
    const session = await world.session()
    const { hash, isSignedBy } = newDocument()
    const { status, text, body } = await world.sign(session, hash)
    expect(status).toBe(200)
    expect(text).toMatch(/^"[A-Za-z0-9+/]+={0,2}"$/)
    expect(isSignedBy(body, 'ana-souza')).toBe(true)
    expect(await world.row(session)).toMatchObject({ state: 'used', sealed_grant: null })
  })

  once.each([
    ['SHA-384', 'sha384', '2.16.840.1.101.3.4.2.2'],
    ['SHA-512', 'sha512', '2.16.840.1.101.3.4.2.3'],
  ] as const)('%s by name and by OID, which wins over a wrong name', async (name, algorithm, digestAlgorithmOid) => {
    const session = await world.session({ type: 'SignatureSession' })
    const { hash, isSignedBy } = newDocument(algorithm)
    const byName = await world.sign(session, hash, { digestAlgorithm: name.toLowerCase().replace('-', '') })
    const byOid = await world.sign(session, hash, { digestAlgorithmOid, digestAlgorithm: 'MD5' })
    expect(isSignedBy(byName.body, 'ana-souza')).toBe(true)
    expect(byOid.body).toBe(byName.body)
  })

  once('a signature of an elliptic curve is DER', async () => {
    const session = await world.session({ holder: 'davi-moreira' })
    const { hash, isSignedBy } = newDocument()
    expect(isSignedBy((await world.sign(session, hash)).body, 'davi-moreira')).toBe(true)
  })

  test('a SignatureSession signs many times; the certificate is asked for once', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    const calls = world.counting()
    for (const { hash, isSignedBy } of [newDocument(), newDocument(), newDocument()])
      expect(isSignedBy((await world.sign(session, hash)).body, 'ana-souza')).toBe(true)
    expect([calls('certificates'), calls('signature')]).toEqual([1, 3])
    expect(await world.row(session)).toMatchObject({ state: 'authorized' })
  })

  test('certificateAlias signs with another certificate of the holder', async () => {
    world.provider.quirks.listAllCertificates = true
    const session = await world.session({ holder: 'bruno-lima', certificate: 'bruno-lima', type: 'SignatureSession' })
    expect((await world.certificate(session)).body).toBe(derOf('bruno-lima-renewed'))
    const { hash, isSignedBy } = newDocument()
    const calls = world.counting()
    for (let time = 0; time < 2; time++) {
      const { body } = await world.sign(session, hash, { certificateAlias: 'bruno-lima' })
      expect(isSignedBy(body, 'bruno-lima')).toBe(true)
    }
    expect([calls('certificates'), calls('signature')]).toEqual([1, 2])
  })

  test('a session of another key is unknown, and not spent', async () => {
    const session = await world.session()
    const { hash } = newDocument()
    expect(outcomeOf(await world.sign(session, hash, {}, await strangerTo(world.hub)))).toBe(
      '422 SessionInvalidOrAlreadyUsed',
    )
    expect((await world.sign(session, hash)).status).toBe(200)
  })

  once.each([
    ['neither name nor OID', { digestAlgorithm: null }, '422 DigestAlgorithmNameOrOidIsRequired'],
    ['empty names', { digestAlgorithm: '', digestAlgorithmOid: '' }, '422 DigestAlgorithmNameOrOidIsRequired'],
    ['MD5', { digestAlgorithm: 'MD5' }, '422 InvalidDigestAlgorithm'],
    ['SHA-1, which is not allowed', { digestAlgorithm: 'SHA-1' }, '422 InvalidDigestAlgorithm'],
    ['an unknown OID', { digestAlgorithmOid: '1.2.3' }, '422 InvalidDigestAlgorithm'],
    ['a hash of the wrong length', { digestAlgorithm: 'SHA-512' }, '400 hash'],
    ['a hash that is no base64', { hash: '!'.repeat(44) }, '400 hash'],
    ['a hash in base64url', { hash: `${'-'.repeat(43)}=` }, '400 hash'],
    ['no hash', { hash: null }, '400 hash'],
    ['no session', { session: null }, '400 session'],
    ['an unknown alias', { certificateAlias: 'nobody' }, '422 CertificateAliasNotFound'],
  ])('%s is refused before anything is spent', async (_, wrong, answer) => {
    const session = await world.session()
    const { hash } = newDocument()
    const calls = world.counting()
    expect(outcomeOf(await world.sign(session, hash, wrong))).toBe(answer)
    expect(calls('signature')).toBe(0)
    expect((await world.sign(session, hash)).status).toBe(200)
  })

  test('sign-hashes: several signatures in the order of the hashes, in one call of the provider', async () => {
    world.provider.quirks.reversed = true
    const session = await world.session({ type: 'MultiSignature' })
    const documents = Array.from({ length: 7 }, () => newDocument())
    const calls = world.counting()
    const { status, body } = await world.signAll(
      session,
      documents.map(({ hash }) => hash),
    )
    expect([status, Object.keys(body)]).toEqual([200, ['signatures']])
    const verdicts = documents.map(({ isSignedBy }, at) => isSignedBy(body.signatures[at], 'ana-souza'))
    expect(verdicts).toEqual(documents.map(() => true))
    expect(calls('signature')).toBe(1)
  })

  once('sign-hashes under a SingleSignature session: TooManyHashes, and nothing is spent', async () => {
    const session = await world.session()
    const [first, second] = [newDocument(), newDocument()]
    expect(outcomeOf(await world.signAll(session, [first.hash, second.hash]))).toBe('422 TooManyHashes')
    expect((await world.signAll(session, [first.hash])).body.signatures).toHaveLength(1)
  })

  once('sign-hashes with a hash of the wrong length among them: 400 naming it', async () => {
    const session = await world.session({ type: 'MultiSignature' })
    const answer = await world.signAll(session, [newDocument().hash, 'AAAA'])
    expect(outcomeOf(answer)).toBe('400 hashes[1]')
  })

  test('status tells what is left', async () => {
    const session = await world.session({ type: 'SignatureSession', lifetimeInSeconds: 600 })
    const { expires_at } = await world.row(session)
    expect((await world.hub.json('GET', `/api/sessions/status?session=${session}`)).body).toEqual({
      serviceName: world.service.serviceName,
      type: 'SignatureSession',
      expiresAt: expires_at,
      remainingSeconds: 600,
    })
  })

  test('a session that its client ends is revoked, forgotten and refused; ending it again changes nothing', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    const calls = world.counting()
    const end = () => world.hub.json('POST', '/api/sessions/end', { session })
    expect((await end()).status).toBe(204)
    expect(calls('revoke')).toBe(1)
    expect(await world.row(session)).toMatchObject({ state: 'ended', reason: 'ended-by-client', sealed_grant: null })
    expect((await end()).status).toBe(204)
    expect(calls('revoke')).toBe(1)
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(outcomeOf(await world.hub.json('POST', '/api/sessions/end', { session: 'A'.repeat(43) }))).toBe(
      '422 SessionInvalidOrAlreadyUsed',
    )
  })

  test('a session ends although the provider does not hear of it', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    world.provider.fail('revoke', { status: 500, body: 'no' })
    expect((await world.hub.json('POST', '/api/sessions/end', { session })).status).toBe(204)
    expect(await world.row(session)).toMatchObject({ state: 'ended', sealed_grant: null })
  })
})

describe('SHA-1', () => {
  const world = signingWorld('SQLite', { settings: { Signing: { AllowSha1: true } } })

  test('is signed where the settings allow it', async () => {
    world.provider.recover()
    const session = await world.session({ type: 'SignatureSession' })
    const { hash, isSignedBy } = newDocument('sha1')
    const { body } = await world.sign(session, hash, { digestAlgorithm: 'sha1' })
    expect(isSignedBy(body, 'ana-souza')).toBe(true)
    expect(outcomeOf(await world.sign(session, newDocument().hash, { digestAlgorithm: 'MD5' }))).toBe(
      '422 InvalidDigestAlgorithm',
    )
  })
})
