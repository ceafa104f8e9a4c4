import { createHash } from 'node:crypto'
import { samplePdf } from '@chancela/testkit/samples'
import { behindProxy, usedUp } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { clientAt, databases, sharedCore, startCore, testOnce } from './test-support/core-world.ts'
import { signedBy } from './test-support/pki.ts'
import { complete, inline, prepare, sign } from './test-support/signing.ts'

const ANA = 'ana-souza'
const contract = samplePdf('Contract')
const file = inline('contract.pdf', contract)

for (const database of databases) {
  describe(`documents on ${database}`, () => {
    const open = sharedCore(database)
    const once = testOnce(database)

    test('a key is allocated, found by its metadata while it is unused, and used once', async () => {
      const world = open()
      const provisionalMetadata = { Protocolo: ['2026/17'], 'Unidade-1': ['Norte', 'Sul'] }
      const { body: allocated } = await world.json('POST', '/api/document-keys/', { provisionalMetadata })
      expect(allocated.key).toMatch(/^[A-Z0-9]{16}$/)
      expect(allocated.formattedKey).toMatch(/^(?:[A-Z0-9]{4}-){3}[A-Z0-9]{4}$/)
      const unused = async (query: string) =>
        (await world.json('GET', `/api/document-keys/unused?${query}`)).body.map(({ key }: { key: string }) => key)
      expect(await unused('metadataName=PROTOCOLO&metadataValue=2026/17')).toEqual([allocated.key])
      expect(await unused('metadataName=unidade-1')).toEqual([allocated.key])
      expect(await unused('metadataName=protocolo&metadataValue=other')).toEqual([])
      const typed = allocated.formattedKey.toLowerCase()
      expect((await world.json('GET', `/api/document-keys/${typed}`)).body).toEqual({
        found: true,
        formattedKey: allocated.formattedKey,
        hasDocument: false,
        provisionalMetadata,
        document: null,
      })
      const { document } = await sign(world, ANA, { file, documentKey: typed })
      expect(document).toMatchObject({ key: allocated.key, metadata: provisionalMetadata })
      expect((await world.json('GET', `/api/document-keys/${typed}`)).body).toMatchObject({
        hasDocument: true,
        provisionalMetadata: null,
        document: { id: document.id },
      })
      expect(await unused('metadataName=protocolo')).toEqual([])
      const again = await prepare(world, ANA, { file, documentKey: allocated.key })
      expect(again.body).toMatchObject({ code: 'DocumentKeyAlreadyUsed' })
    })

    test('of two signatures under one key one becomes the document', async () => {
      const world = open()
      const { key: documentKey } = (await world.json('POST', '/api/document-keys')).body
      const states = [
        await prepare(world, ANA, { file, documentKey }),
        await prepare(world, ANA, { file, documentKey }),
      ]
      const answers = await Promise.all(
        states.map(({ body }) => complete(world, body.state, signedBy(ANA, body.toSign.data))),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
      expect(answers.find(({ status }) => status === 422)!.body.code).toBe('DocumentKeyAlreadyUsed')
    })

    test('up to a hundred keys are allocated at once', async () => {
      const world = open()
      const batch = (count: number) => world.json('POST', '/api/document-keys/batch', { count })
      const { body } = await batch(100)
      expect(new Set(body.map(({ key }: { key: string }) => key)).size).toBe(100)
      expect((await batch(101)).status).toBe(400)
      expect((await batch(0)).status).toBe(400)
    })

    test('a document is found by its key, and an unknown key is an answer', async () => {
      const world = open()
      const { document } = await sign(world, ANA, { file })
      const byKey = (key: string) => world.json('GET', `/api/documents/keys/${key}`)
      expect((await byKey(document.formattedKey)).body).toMatchObject({ found: true, document: { id: document.id } })
      for (const key of ['ABCDEFGHJKLMNPQR', '..%2Fx', 'x'])
        expect(await byKey(key)).toMatchObject({ status: 200, body: { found: false, document: null } })
      const unknown = await world.json('GET', `/api/documents/${crypto.randomUUID()}`)
      expect(unknown).toMatchObject({ status: 422, body: { code: 'DocumentNotFound' } })
    })

    test('metadata are replaced as a whole, by the rules for names and values', async () => {
      const world = open()
      const { document } = await sign(world, ANA, { file })
      const put = (metadata: object) => world.json('PUT', `/api/documents/${document.id}/metadata`, metadata)
      expect((await put({ 'Número do processo': ['1'], b: ['2', '3'], empty: [] })).body.metadata).toEqual({
        'Número do processo': ['1'],
        b: ['2', '3'],
      })
      const wrong = [
        { 'a.b': ['x'] },
        { ['x'.repeat(51)]: ['x'] },
        { a: ['x'.repeat(501)] },
        { a: ['1'], A: ['2'] },
        { a: 'text' },
        Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`n${index}`, ['x']])),
      ]
      for (const metadata of wrong) expect((await put(metadata)).status).toBe(400)
      expect((await world.json('GET', `/api/documents/${document.id}`)).body.metadata).toMatchObject({ b: ['2', '3'] })
    })

    test('a document has the metadata of its application, where it says nothing else', async () => {
      const world = open()
      const { subscriptionId, applicationId } = world.client
      const manager = await clientAt(world, { roles: ['Manager'], subscriptionId })
      const path = `/api/applications/${applicationId}/default-document-metadata`
      expect((await manager.json('PUT', path, { Setor: ['RH'], Lote: ['1'] })).status).toBe(200)
      const allocated = await world.json('POST', '/api/document-keys', { provisionalMetadata: { lote: ['2'] } })
      const { document } = await sign(world, ANA, { file, documentKey: allocated.body.key })
      expect(document.metadata).toEqual({ Setor: ['RH'], lote: ['2'] })
      const other = await clientAt(world, { roles: ['Worker'], subscriptionId })
      expect((await sign(other, ANA, { file })).document.metadata).toEqual({})
    })

    test('a deleted document is gone with its links, and its key stays used', async () => {
      const world = open()
      const manager = await clientAt(world, { roles: ['Manager'], subscriptionId: world.client.subscriptionId })
      const { document } = await sign(world, ANA, { file })
      const path = `/api/documents/${document.id}`
      expect((await world.json('DELETE', path)).status).toBe(403)
      expect((await manager.json('DELETE', path)).status).toBe(200)
      expect((await manager.json('DELETE', path)).body).toMatchObject({ code: 'DocumentNotFound' })
      expect((await fetch(document.signedFile.url)).status).toBe(422)
      expect((await world.json('GET', `/api/document-keys/${document.key}`)).body).toMatchObject({
        found: true,
        hasDocument: false,
        document: null,
      })
      const again = await prepare(world, ANA, { file, documentKey: document.key })
      expect(again.body.code).toBe('DocumentKeyAlreadyUsed')
    })

    test('two subscriptions with the same people and files see nothing of each other', async () => {
      const world = open()
      const other = await clientAt(world, { roles: ['Admin'] })
      const { document, prepared } = await sign(world, ANA, { file })
      const { key } = (await world.json('POST', '/api/document-keys', { provisionalMetadata: { a: ['1'] } })).body
      await sign(other, ANA, { file })
      const id = document.id
      for (const [method, path] of [
        ['GET', `/api/documents/${id}`],
        ['PUT', `/api/documents/${id}/metadata`],
        ['DELETE', `/api/documents/${id}`],
      ] as const)
        expect((await other.json(method, path, method === 'PUT' ? {} : undefined)).body.code).toBe('DocumentNotFound')
      expect((await other.json('GET', `/api/documents/keys/${document.key}`)).body.found).toBe(false)
      expect((await other.json('GET', `/api/document-keys/${key}`)).body.found).toBe(false)
      expect((await other.json('GET', '/api/document-keys/unused?metadataName=a')).body).toEqual([])
      expect((await prepare(other, ANA, { file, documentKey: key })).body.code).toBe('DocumentKeyNotFound')
      const waiting = await prepare(world, ANA, { file })
      const signature = signedBy(ANA, waiting.body.toSign.data)
      expect((await complete(other, waiting.body.state, signature)).body.code).toBe('InvalidToken')
      expect((await complete(world, waiting.body.state, signature)).status).toBe(200)
      const foreign = await prepare(other, ANA, { file: { url: document.signedFile.url } })
      expect(foreign.body.code).toBe('FileDownloadFailed')
      expect(prepared.success).toBe(true)
    })

    test('whoever has the key learns who signed, as data and as a page, and gets no file', async () => {
      const world = open()
      const { document, bytes } = await sign(world, ANA, { file: inline('<b>contract</b>.pdf', contract) })
      const anonymous = (path: string, language = 'en') =>
        fetch(new URL(path, world.baseUrl), { headers: { 'accept-language': language } })
      const known = await (await anonymous(`/api/verification/${document.formattedKey.toLowerCase()}`)).json()
      expect(known).toEqual({
        found: true,
        document: {
          formattedKey: document.formattedKey,
          name: document.signedFile.name,
          signatureType: 'Pdf',
          sha256: createHash('sha256').update(bytes).digest('hex'),
          signers: [
            expect.objectContaining({ name: 'ANA BEATRIZ SOUZA', identifier: '***.982.247-**', isValid: true }),
          ],
        },
      })
      const page = await anonymous(`/verification/${document.key}`, 'pt-BR')
      const html = await page.text()
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(html).toContain('ANA BEATRIZ SOUZA · ***.982.247-**')
      expect(html).toContain('válida')
      expect(html).not.toContain('<b>')
      expect(html).not.toContain('access_ticket')
      const data = inline('a.txt', 'data')
      const first = await sign(world, ANA, { file: data, cmsSignatureOptions: { detached: true } })
      const both = await sign(world, 'bruno-lima', {
        file: inline('a.p7s', first.bytes),
        cmsSignatureOptions: { dataFile: data },
      })
      const judged = async (key: string) =>
        (await (await anonymous(`/api/verification/${key}`)).json()).document.signers.map(
          (signer: { isValid: boolean | null }) => signer.isValid,
        )
      expect(await judged(first.document.key)).toEqual([true])
      expect(await judged(both.document.key)).toEqual([null, null])
      for (const key of ['ABCDEFGHJKLMNPQR', '%3Cscript%3E'])
        expect(await (await anonymous(`/api/verification/${key}`)).json()).toEqual({ found: false, document: null })
      expect(await (await anonymous('/verification/%3Cscript%3E')).text()).not.toContain('<script')
    })

    once('who looks on reads documents, and makes none', async () => {
      const world = open()
      const monitor = await clientAt(world, { roles: ['Monitor'], subscriptionId: world.client.subscriptionId })
      const { document } = await sign(world, ANA, { file })
      expect((await monitor.json('GET', `/api/documents/${document.id}`)).status).toBe(200)
      expect((await monitor.json('POST', '/api/document-keys')).status).toBe(403)
      expect((await monitor.json('PUT', `/api/documents/${document.id}/metadata`, {})).status).toBe(403)
      expect((await world.json('GET', `/api/documents/${document.id}`, undefined, { 'X-Api-Key': 'x|y' })).status).toBe(
        401,
      )
    })
  })
}

test.each(['/api/verification', '/verification'])(
  'verification by the key of a document is limited by address: %s',
  async (at) => {
    const Verification = { PermitsPerWindow: 3, WindowSeconds: 60 }
    const { baseUrl } = await startCore('SQLite', {
      Http: behindProxy,
      RateLimiting: { Enabled: true, Verification },
    })
    const { within, ...after } = await usedUp({ baseUrl, path: `${at}/AAAABBBBCCCCDDDD`, permits: 3 })
    expect(new Set(within).size).toBe(1)
    expect(after).toEqual({ beyond: 429, retryAfter: expect.stringMatching(/^[1-9]\d?$/), elsewhere: within[0] })
    expect(within[0]).not.toBe(429)
  },
)
