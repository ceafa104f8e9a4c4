// Certificates that a subscription has met, and no others.
import { createHash, X509Certificate } from 'node:crypto'
import { DAY } from '@chancela/service-kernel/clock'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import { builtInContexts } from '../src/contract/authentication.ts'
import { sweepActivity } from '../src/workers/sweep-activity.ts'
import { clientAt, databases, sharedCore } from './test-support/core-world.ts'
import { base64, policies, signEarlier } from './test-support/earlier-signing.ts'
import { certificateOf, signedBy } from './test-support/pki.ts'
import { type Client, inline, sign } from './test-support/signing.ts'

const BRAZIL = builtInContexts.pkiBrazil
const absent = { status: 422, body: { code: 'EntityNotFound' } }

const thumbprintOf = (label: string) =>
  createHash('sha256')
    .update(Buffer.from(certificateOf(label), 'base64'))
    .digest('hex')

const read = ({ json }: Client, label: string, query = '') =>
  json('GET', `/api/certificates/${thumbprintOf(label)}${query}`)

async function authenticate({ json }: Client, label: string, signer = label) {
  const { state, toSign } = (await json('POST', '/api/v2/authentication', { securityContextId: BRAZIL })).body
  const proof = { certificate: certificateOf(label), signature: signedBy(signer, toSign.data) }
  return (await json('POST', '/api/v2/authentication/completion', { state, ...proof })).body
}

for (const database of databases) {
  describe(`certificates on ${database}`, () => {
    const open = sharedCore(database)

    test('a certificate is there for the subscription that somebody authenticated at, and for no other', async () => {
      const [own, other] = [await clientAt(open()), await clientAt(open())]
      expect(await read(own, 'ana-souza')).toMatchObject(absent)
      expect((await authenticate(own, 'ana-souza')).success).toBe(true)
      const { status, body } = await read(own, 'ana-souza')
      expect(status).toBe(200)
      expect(body).toMatchObject({
        subjectDisplayName: 'ANA BEATRIZ SOUZA',
        thumbprintSHA256: thumbprintOf('ana-souza').toUpperCase(),
        issuer: { issuer: {} },
        encoded: null,
        pemEncoded: null,
        downloadUrl: null,
      })
      const filled = (await read(own, 'ana-souza', '?fillPemEncoded=true&fillEncoded=true')).body
      expect(filled.encoded).toBe(certificateOf('ana-souza'))
      expect(new X509Certificate(filled.pemEncoded).fingerprint256.replaceAll(':', '')).toBe(body.thumbprintSHA256)
      const path = `/api/certificates/${body.thumbprintSHA256}`
      expect((await own.json('GET', path)).status).toBe(200)
      expect(await other.json('GET', path)).toMatchObject(absent)
      expect(await own.json('GET', path, undefined, { 'x-subscription': other.subscriptionId })).toMatchObject({
        status: 403,
      })
    })

    test('who only shows a certificate, without its key, makes it known to nobody', async () => {
      const own = await clientAt(open())
      expect((await authenticate(own, 'bruno-lima', 'ana-souza')).success).toBe(false)
      expect(await read(own, 'bruno-lima')).toMatchObject(absent)
      expect((await authenticate(own, 'revoked')).success).toBe(false)
      expect((await read(own, 'revoked')).body.subjectCommonName).toEqual(expect.any(String))
    })

    test('those who signed are there, of either generation', async () => {
      const own = await clientAt(open())
      await sign(own, 'ana-souza', { file: inline('a.txt', 'text') })
      expect((await read(own, 'ana-souza')).body.issuer).not.toBeNull()
      const request = { contentToSign: base64('data'), signaturePolicyId: policies.cadesRb }
      await signEarlier(own, '/Api/CadesSignatures', 'bruno-lima', request)
      expect((await read(own, 'bruno-lima')).status).toBe(200)
      expect((await own.json('GET', '/api/certificates/abc')).status).toBe(400)
    })

    test('those who signed a file elsewhere are not met by signing it again', async () => {
      const [elsewhere, own] = [await clientAt(open()), await clientAt(open())]
      const pdfToSign = base64(samplePdf('Contract'))
      const request = { signaturePolicyId: policies.padesRb }
      const { signedPdf } = (
        await signEarlier(elsewhere, '/Api/PadesSignatures', 'ana-souza', { pdfToSign, ...request })
      ).body
      const { document } = await sign(own, 'bruno-lima', { file: { name: 'a.pdf', content: signedPdf } })
      expect(document.signers).toHaveLength(2)
      expect((await read(own, 'bruno-lima')).status).toBe(200)
      expect(await read(own, 'ana-souza')).toMatchObject(absent)
    })

    test('one that nobody used for long is forgotten', async () => {
      const world = open()
      const own = await clientAt(world)
      await authenticate(own, 'ana-souza')
      const days = 366
      const rows = () =>
        world.store.db
          .selectFrom('known_certificate')
          .selectAll()
          .where('subscription_id', '=', own.subscriptionId)
          .execute()
      expect(await rows()).toHaveLength(1)
      const old = new Date(world.clock().getTime() - days * DAY).toISOString()
      await world.store.db
        .updateTable('known_certificate')
        .set({ last_at: old })
        .where('subscription_id', '=', own.subscriptionId)
        .execute()
      await authenticate(own, 'ana-souza')
      expect((await rows())[0]!.last_at > old).toBe(true)
      await world.store.db
        .updateTable('known_certificate')
        .set({ last_at: old })
        .where('subscription_id', '=', own.subscriptionId)
        .execute()
      const worker = sweepActivity(world.context)
      worker.start()
      await vi.waitUntil(async () => (await rows()).length === 0, { interval: 20 })
      await worker.stop()
      expect(await read(own, 'ana-souza')).toMatchObject(absent)
    })
  })
}
