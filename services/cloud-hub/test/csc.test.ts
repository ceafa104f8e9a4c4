// Providers that speak the API of the Cloud Signature Consortium, behind the same eight operations (cloud-hub facts 2).
import { describe, expect, it } from 'vitest'
import { REDIRECT_URI } from './test-support/authorized.ts'
import { cscWorld, versionsOn } from './test-support/csc.ts'
import { databases, testOnce } from './test-support/hub-world.ts'
import { derOf, newDocument, outcomeOf } from './test-support/signing.ts'

for (const database of databases) {
  describe(`a CSC provider, on ${database}`, () => {
    const once = testOnce(database)
    const world = cscWorld(database)

    for (const version of versionsOn(database)) {
      describe(`version ${version}`, () => {
        it('signs a hash after two redirects of which the client sees one', async () => {
          const arrived = world.arriving()
          const session = await world.session({ version })
          const scopes = arrived('authorize').map(({ body }) => body.scope)
          expect(scopes).toEqual(['service', 'credential'])

          const { body: certificate } = await world.certificate(session)
          expect(certificate).toEqual({
            content: derOf('ana-souza'),
            alias: 'ana-souza',
            serviceName: world.service(version).serviceName,
          })
          const document = newDocument()
          const { status, body: signature } = await world.sign(session, document.hash)
          expect(status).toBe(200)
          expect(document.isSignedBy(signature, 'ana-souza')).toBe(true)
        })

        it('tells the provider with both redirects whom the client means', async () => {
          const identifier = '52998224725'
          const hintOf = (address: string) => new URL(address).searchParams.get('login_hint')
          const first = await world.begun({ version, identifier })
          expect(hintOf(first)).toBe(identifier)
          const { services } = (
            await world.hub.json('POST', '/api/sessions', { redirectUri: REDIRECT_URI, identifier, discover: false })
          ).body
          for (const { authUrl } of services) expect(hintOf(authUrl)).toBe(identifier)
          const back = await world.provider.walk(first, { holder: 'ana-souza' })
          const second = await fetch(back, { redirect: 'manual' })
          expect(hintOf(second.headers.get('location')!)).toBe(identifier)
          expect(hintOf(await world.begun({ version }))).toBeNull()
        })

        it('puts the credential token where the version wants it', async () => {
          const arrived = world.arriving()
          const { hash } = newDocument()
          await world.sign(await world.session({ version }), hash)
          const [{ body } = { body: {} }] = arrived('signature')
          const sad = version === '1.0.4' ? { SAD: expect.any(String) as string } : {}
          expect(body).toMatchObject(
            version === '1.0.4'
              ? { ...sad, hash: [hash], hashAlgo: '2.16.840.1.101.3.4.2.1' }
              : { hashes: [hash], hashAlgorithmOID: '2.16.840.1.101.3.4.2.1', operationMode: 'S' },
          )
          expect('SAD' in body).toBe(version === '1.0.4')
        })

        it('a session of one signature is used after one', async () => {
          const session = await world.session({ version })
          expect(outcomeOf(await world.sign(session, newDocument().hash))).toMatch(/^200/)
          expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
        })

        it('several hashes of a MultiSignature session are one call', async () => {
          const session = await world.session({ version, type: 'MultiSignature' })
          const arrived = world.arriving()
          const documents = Array.from({ length: 4 }, () => newDocument())
          const { body } = await world.signAll(
            session,
            documents.map(({ hash }) => hash),
          )
          documents.forEach((each, at) => void expect(each.isSignedBy(body.signatures[at], 'ana-souza')).toBe(true))
          expect(arrived('signature')).toHaveLength(1)
        })

        it('a SignatureSession signs call after call, until the provider has made as many as it does', async () => {
          world.provider.quirks.csc.multisign = 3
          const session = await world.session({ version, type: 'SignatureSession' })
          const arrived = world.arriving()
          for (let call = 0; call < 3; call++) {
            const document = newDocument()
            const { body } = await world.sign(session, document.hash)
            expect(document.isSignedBy(body, 'ana-souza')).toBe(true)
          }
          expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
          expect(arrived('credentials-extend')).toHaveLength(version === '1.0.4' ? 2 : 0)
        })

        it('calls of a SignatureSession that come at the same time are all signed', async () => {
          const session = await world.session({ version, type: 'SignatureSession' })
          const documents = Array.from({ length: 4 }, () => newDocument())
          const answers = await Promise.all(documents.map(({ hash }) => world.sign(session, hash)))
          expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
          documents.forEach((each, at) => void expect(each.isSignedBy(answers[at]!.body, 'ana-souza')).toBe(true))
        })

        it('an AuthenticationSession reads the certificate after one redirect, and signs nothing', async () => {
          const arrived = world.arriving()
          const session = await world.session({ version, type: 'AuthenticationSession' })
          expect(arrived('authorize')).toHaveLength(1)
          expect((await world.certificate(session)).body.alias).toBe('ana-souza')
          expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
        })

        describe('a credential that binds its authorization to hashes (SCAL2)', () => {
          const bound = (hashes: readonly string[], type = 'MultiSignature') => {
            world.provider.quirks.csc.scal = '2'
            return world.session({ version, type, hashes, digestAlgorithm: 'SHA-256' })
          }

          it('signs the hashes that were known at the creation', async () => {
            const documents = [newDocument(), newDocument()]
            const hashes = documents.map(({ hash }) => hash)
            const { body } = await world.signAll(await bound(hashes), hashes.toReversed())
            documents.reverse().forEach((each, at) => {
              expect(each.isSignedBy(body.signatures[at], 'ana-souza')).toBe(true)
            })
          })

          it('refuses another hash, and nothing is spent', async () => {
            const document = newDocument()
            const session = await bound([document.hash], 'SingleSignature')
            const arrived = world.arriving()
            expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 HashNotAuthorized')
            expect(arrived('signature')).toHaveLength(0)
            const { body } = await world.sign(session, document.hash)
            expect(document.isSignedBy(body, 'ana-souza')).toBe(true)
          })

          it('signs the same hash once, also in a session of many calls', async () => {
            const [one, other] = [newDocument(), newDocument()]
            const session = await bound([one.hash, other.hash], 'SignatureSession')
            expect(outcomeOf(await world.signAll(session, [one.hash, one.hash]))).toBe('422 HashNotAuthorized')
            expect(one.isSignedBy((await world.sign(session, one.hash)).body, 'ana-souza')).toBe(true)
            expect(outcomeOf(await world.sign(session, one.hash))).toBe('422 HashNotAuthorized')
            expect(other.isSignedBy((await world.sign(session, other.hash)).body, 'ana-souza')).toBe(true)
            expect(outcomeOf(await world.sign(session, other.hash))).toBe('422 SessionInvalidOrAlreadyUsed')
          })

          it('is refused where the client named none: the user comes back with an error', async () => {
            world.provider.quirks.csc.scal = '2'
            const back = await world.returned({ version })
            expect(back.searchParams.get('error')).toBe('provider_error')
            await world.logged('SCAL2')
          })
        })
      })
    }

    once('signs with an elliptic curve', async () => {
      const session = await world.session({ holder: 'davi-moreira', version: '2.2' })
      const document = newDocument()
      expect(document.isSignedBy((await world.sign(session, document.hash)).body, 'davi-moreira')).toBe(true)
    })

    once('signs the other digests', async () => {
      const session = await world.session({ type: 'SignatureSession' })
      for (const [name, algorithm] of [
        ['SHA-384', 'sha384'],
        ['SHA-512', 'sha512'],
      ] as const) {
        const document = newDocument(algorithm)
        const { body } = await world.sign(session, document.hash, { digestAlgorithm: name })
        expect(document.isSignedBy(body, 'ana-souza')).toBe(true)
      }
    })

    once('of several credentials takes the newest that is valid, whatever page of the list it is on', async () => {
      world.provider.quirks.csc.pageSize = 1
      const session = await world.session({ holder: 'bruno-lima', version: '1.0.4' })
      expect((await world.certificate(session)).body.alias).toBe('bruno-lima-renewed')
      const document = newDocument()
      expect(document.isSignedBy((await world.sign(session, document.hash)).body, 'bruno-lima-renewed')).toBe(true)
    })

    once('somebody else than the client asked for comes back with an error', async () => {
      const back = await world.returned({ holder: 'ana-souza', identifier: '11144477735' })
      expect(back.searchParams.get('error')).toBe('provider_error')
      expect(await world.session({ holder: 'bruno-lima', identifier: '11144477735' })).toMatch(/^[\w-]{43}$/)
    })

    once('a holder whose only credential is expired comes back with an error', async () => {
      const back = await world.returned({ holder: 'expired' })
      expect(back.searchParams.get('error')).toBe('provider_error')
      const session = back.searchParams.get('session')!
      expect(outcomeOf(await world.certificate(session))).toBe('422 SessionInvalidOrAlreadyUsed')
    })
  })
}
