import { Readable } from 'node:stream'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { answer, CORRELATION_ID, pdf, type Reaction, recordedServer } from '../test-support/recorded-server.ts'
import { createSessionClient, type DocumentContent, type SessionClient } from './index.ts'

const PDF = new TextEncoder().encode('%PDF-1.7 a contract')
const window = { expiresIn: 900, expiresAt: '2026-11-15T12:15:00.000Z' }
const acceptance = { signatureId: 'd1', status: 'PROCESSING', acceptedAt: '2026-11-15T12:00:00.000Z' }

async function clientOf(...reactions: readonly Reaction[]) {
  const { baseUrl, requests } = await recordedServer(...reactions)
  return { client: createSessionClient({ baseUrl, apiKey: 'key-of-an-application' }), requests }
}

/** Calls with a JSON body or none: operation, request, response. */
const calls: readonly [string, (client: SessionClient) => Promise<object>, string, object | undefined, object][] = [
  [
    'openSession',
    (client) => client.openSession({ cpf: '52998224725', pin: '1234', email: undefined }),
    'POST /v1/sessions',
    { cpf: '52998224725', pin: '1234' },
    { sessionId: 's1', cpf: '52998224725', ...window },
  ],
  [
    'sessionStatus',
    (client) => client.sessionStatus('s 1&x=2'),
    'GET /v1/sessions/status?sessionId=s+1%26x%3D2',
    undefined,
    { active: false, sessionId: 's 1&x=2', ...window },
  ],
  [
    'deactivate',
    (client) => client.deactivate('s1'),
    'POST /v1/sessions/deactivate',
    { sessionId: 's1' },
    { cpf: '52998224725', sessionId: 's1', active: false, endedAt: '2026-11-15T12:00:00.000Z' },
  ],
  [
    'certificateInfo',
    (client) => client.certificateInfo('s1'),
    'GET /v1/certificates/info?sessionId=s1',
    undefined,
    { cpf: '52998224725', subjectName: 'MARIA DA SILVA', status: 'ACTIVE' },
  ],
]

describe('the session client', () => {
  test.each(calls)(
    '%s calls its operation with the key and brings its answer',
    async (_name, call, line, body, sent) => {
      const { client, requests } = await clientOf(answer(200, sent))
      expect(await call(client)).toEqual({ ...sent, correlationId: CORRELATION_ID })
      const [{ method, url, headers, body: received }] = requests as [(typeof requests)[number]]
      expect(`${method} ${url}`).toBe(line)
      expect(headers['x-api-key']).toBe('key-of-an-application')
      expect(received.length > 0 ? JSON.parse(received.toString()) : undefined).toEqual(body)
      expect(headers['content-type']).toBe(body && 'application/json')
    },
  )

  const contents: readonly [string, () => DocumentContent][] = [
    ['bytes', () => PDF],
    ['a part of a larger buffer', () => Buffer.from(`xx${Buffer.from(PDF)}yy`).subarray(2, -2)],
    ['an ArrayBuffer', () => PDF.slice().buffer],
    ['a Blob', () => new Blob([PDF])],
    ['a web stream', () => new Blob([PDF]).stream()],
    ['a stream of Node', () => Readable.from([PDF.subarray(0, 5), PDF.subarray(5)])],
  ]

  test.each(contents)('sign sends %s as they are, after the session, in a form', async (_what, content) => {
    const { client, requests } = await clientOf(answer(202, acceptance))
    const signed = await client.sign({ sessionId: 's1', document: content(), fileName: 'contrato nº 1 "a".pdf' })
    expect(signed).toEqual({ ...acceptance, correlationId: CORRELATION_ID })
    const form = await requests[0]!.form()
    expect([...form.keys()]).toEqual(['sessionId', 'document'])
    expect(form.get('sessionId')).toBe('s1')
    const file = form.get('document') as File
    expect([file.name, file.type]).toEqual(['contrato nº 1 "a".pdf', 'application/pdf'])
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(PDF)
  })

  test('sign takes the name from a file that has one', async () => {
    const { client, requests } = await clientOf(answer(202, acceptance))
    await client.sign({ sessionId: 's1', document: new File([PDF], 'contract.pdf') })
    await client.sign({ sessionId: 's1', document: PDF })
    const names = await Promise.all(requests.map(async (each) => ((await each.form()).get('document') as File).name))
    expect(names).toEqual(['contract.pdf', 'document.pdf'])
  })

  test('signBatch sends every document as a part named files, in their order, and tells them apart by status', async () => {
    const failed = { code: 'UNSUPPORTED_DOCUMENT', message: 'The document is not a PDF.' }
    const results = [
      { fileName: 'a.pdf', signatureId: 'd1', status: 'PROCESSING', error: null },
      { fileName: 'b.pdf', signatureId: null, status: 'ERROR', error: failed },
    ]
    const { client, requests } = await clientOf(answer(202, { results, acceptedAt: acceptance.acceptedAt }))
    const documents = [
      { document: PDF, fileName: 'a.pdf' },
      { document: new Blob(['no PDF']), fileName: 'b.pdf' },
    ]
    const outcome = await client.signBatch({ sessionId: 's1', documents })
    const form = await requests[0]!.form()
    expect([...form.keys()]).toEqual(['sessionId', 'files', 'files'])
    expect(form.getAll('files').map((file) => (file as File).name)).toEqual(['a.pdf', 'b.pdf'])
    expect(outcome.correlationId).toBe(CORRELATION_ID)
    for (const result of outcome.results) {
      if (result.status === 'ERROR') expectTypeOf(result.error.code).toEqualTypeOf<string>()
      else expectTypeOf(result.signatureId).toEqualTypeOf<string>()
    }
    expect(outcome.results.map((each) => each.error?.code ?? each.signatureId)).toEqual(['d1', 'UNSUPPORTED_DOCUMENT'])
  })

  test('document brings the bytes, whatever is in the id', async () => {
    const { client, requests } = await clientOf(pdf(PDF))
    const { bytes, correlationId } = await client.document('a/b?c')
    expect([bytes, correlationId]).toEqual([PDF, CORRELATION_ID])
    expect(requests[0]!.url).toBe('/v1/signatures/a%2Fb%3Fc/document')
  })

  test('the base URL may have a path and slashes at its end', async () => {
    const { baseUrl, requests } = await recordedServer(answer(200, {}))
    await createSessionClient({ baseUrl: `${baseUrl}/sign//`, apiKey: 'k' }).sessionStatus('s1')
    await createSessionClient({ baseUrl: new URL(baseUrl), apiKey: 'k' }).sessionStatus('s1')
    expect(requests.map(({ url }) => url.split('?')[0])).toEqual(['/sign/v1/sessions/status', '/v1/sessions/status'])
  })

  test.each([
    ['no URL', { baseUrl: 'sessions', apiKey: 'k' }],
    ['another scheme', { baseUrl: 'ftp://sessions', apiKey: 'k' }],
    ['a user in the URL', { baseUrl: 'https://me:secret@sessions', apiKey: 'k' }],
    ['an empty key', { baseUrl: 'https://sessions', apiKey: ' ' }],
  ])('is not made with %s', (_what, options) => {
    expect(() => createSessionClient(options)).toThrow(TypeError)
  })

  test('uses the fetch it is given', async () => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      return Response.json({ active: false })
    }
    const client = createSessionClient({ baseUrl: 'https://sessions', apiKey: 'k', fetch })
    expect(await client.sessionStatus('s1')).toEqual({ active: false, correlationId: undefined })
    expect(asked).toEqual(['https://sessions/v1/sessions/status?sessionId=s1'])
  })
})
