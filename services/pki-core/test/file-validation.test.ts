// Which files people may bring to signature sessions: by name, and by whoever the subscription asks.
import { startReceiver } from '@chancela/testkit/receiver'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { clientAt, databases, sharedCore } from './test-support/core-world.ts'
import { begin, signAll } from './test-support/sessions.ts'

const contract = samplePdf('Contract')
const refused = (code: string) => ({ status: 422, body: { code } })

for (const database of databases) {
  describe(`files that people bring, on ${database}`, () => {
    const open = sharedCore(database, { Webhooks: { AllowedHosts: ['127.0.0.1/32'], TimeoutSeconds: 1 } })

    /** A subscription of its own, whose rules an application manages. */
    async function subscription() {
      const client = await clientAt(open(), { roles: ['Manager', 'Worker'] })
      const path = `/api/subscriptions/${client.subscriptionId}/file-validation`
      return { ...client, baseUrl: open().baseUrl, path }
    }

    test('the name of a file matches the pattern of the subscription, as a whole', async () => {
      const [client, other] = [await subscription(), await subscription()]
      const namePattern = '[\\p{L}\\d-]+\\.pdf'
      expect((await client.json('PUT', client.path, { namePattern })).body).toEqual({
        namePattern,
        url: null,
        authType: 'NoAuth',
        hasToken: false,
      })
      const session = await begin(client, {})
      expect(await session.bring('contrato 1.pdf', contract)).toMatchObject(refused('FileRejected'))
      expect(await session.bring('contrato.pdf.exe', contract)).toMatchObject(refused('FileRejected'))
      expect((await session.bring('doação-1.pdf', contract)).status).toBe(200)
      expect((await signAll(session, 'ana-souza')).body.status).toBe('Completed')
      expect((await (await begin(other, {})).bring('contrato 1.pdf', contract)).status).toBe(200)
      expect((await client.json('DELETE', client.path)).status).toBe(200)
      expect(await client.json('GET', client.path)).toMatchObject(refused('EntityNotFound'))
      expect((await (await begin(client, {})).bring('contrato 1.pdf', contract)).status).toBe(200)
    })

    test('whoever is asked gets name, type and length, and its no is final', async () => {
      const client = await subscription()
      const { received, url } = await startReceiver((request, response) => {
        const { name } = JSON.parse(request.body)
        response.end(JSON.stringify({ accept: name === 'good.pdf', rejectReason: `No ${name}` }))
      })
      await client.json('PUT', client.path, { url, authType: 'Bearer', token: 'secret-1' })
      const kept = await client.json('PUT', client.path, { url, authType: 'Bearer' })
      expect(kept.body).toMatchObject({ url, authType: 'Bearer', hasToken: true })
      const session = await begin(client, {})
      expect((await session.bring('good.pdf', contract, 'application/pdf')).status).toBe(200)
      expect(received[0]!.headers.authorization).toBe('Bearer secret-1')
      expect(JSON.parse(received[0]!.body)).toEqual({
        name: 'good.pdf',
        contentType: 'application/pdf',
        length: contract.length,
      })
      const bad = await session.bring('bad.pdf', contract)
      expect(bad).toMatchObject(refused('FileRejected'))
      expect(bad.text).toContain('No bad.pdf')
      expect((await session.page('GET', '/api/signature-session')).body.documents).toHaveLength(1)
      const row = await open()
        .store.db.selectFrom('file_rule')
        .selectAll()
        .where('subscription_id', '=', client.subscriptionId)
        .executeTakeFirstOrThrow()
      expect(JSON.stringify(row)).not.toContain('secret-1')
    })

    test.each<[string, Parameters<typeof startReceiver>[0]]>([
      ['answers nothing in time', () => {}],
      ['fails', (_, response) => response.writeHead(500).end()],
      ['answers no JSON', (_, response) => response.end('yes')],
      ['answers a list', (_, response) => response.end('null')],
    ])('where whoever is asked %s, the file is not taken', async (_name, answer) => {
      const client = await subscription()
      const { url } = await startReceiver(answer)
      await client.json('PUT', client.path, { url })
      const session = await begin(client, {})
      expect(await session.bring('a.pdf', contract)).toMatchObject(refused('FileValidationUnavailable'))
    })

    test('rules are set by those who manage the subscription, and cannot point inside', async () => {
      const [client, other] = [await subscription(), await subscription()]
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect(await other.json(method, client.path, method === 'PUT' ? {} : undefined)).toMatchObject(
          refused('EntityNotFound'),
        )
      const refusals: readonly [object, number][] = [
        [{ namePattern: '(' }, 400],
        [{ namePattern: 'a)(b' }, 400],
        [{ namePattern: 7 }, 400],
        [{ namePattern: 'x'.repeat(501) }, 400],
        [{ url: 'http://10.0.0.1/' }, 422],
        [{ url: 'https://example.com', authType: 'Bearer' }, 400],
        [{ url: 'https://example.com', token: 'x' }, 400],
      ]
      for (const [request, status] of refusals)
        expect([request, (await client.json('PUT', client.path, request)).status]).toEqual([request, status])
      await client.json('PUT', client.path, { namePattern: '(a+)+' })
      const session = await begin(client, {})
      expect(await session.bring(`${'a'.repeat(60)}!`, contract)).toMatchObject(refused('FileRejected'))
    })
  })
}
