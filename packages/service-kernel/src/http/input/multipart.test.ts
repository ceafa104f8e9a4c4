import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { ReadableStream } from 'node:stream/web'
import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { route } from '../route.ts'
import { serve } from '../serve.ts'
import { openConnection } from '../test-support/raw-http.ts'
import { KEY, listen, testApp, withKey } from '../test-support/test-app.ts'
import { type FilePart, type MultipartOptions, readMultipart, readMultipartFiles } from './multipart.ts'
import { parameterisedValue } from './multipart-header.ts'

const upload = route({
  method: 'POST',
  path: '/files',
  summary: 'Takes a file.',
  streamed: true,
  consumes: ['multipart/form-data'],
  body: Type.Object({ file: Type.String({ format: 'binary' }), format: Type.Optional(Type.String()) }),
  answer: Type.Unknown(),
  refusals: ['job.gone'],
})

interface Taken {
  readonly fileName: string
  readonly mediaType: string
  readonly length: number
  readonly sha256: string
  readonly sawFormat: boolean
}

async function take(file: FilePart, fields: ReadonlyMap<string, string>): Promise<Taken> {
  const hash = createHash('sha256')
  const sawFormat = fields.has('format')
  let length = 0
  for await (const chunk of file.content) {
    hash.update(chunk)
    length += chunk.length
  }
  return { fileName: file.fileName, mediaType: file.mediaType, length, sha256: hash.digest('hex'), sawFormat }
}

type Options = Partial<MultipartOptions<Taken>>

async function service(options: Options = {}) {
  const errors: unknown[] = []
  const { app, lines } = await testApp()
  serve(app, upload, async ({ request }) => {
    try {
      const form = await readMultipart(request, { maxFileBytes: 1_000_000, onFile: take, ...options })
      return form.outcome === 'read' ? { ...form, fields: Object.fromEntries(form.fields) } : form
    } catch (error) {
      errors.push(error)
      throw error
    }
  })
  return { app, url: await listen(app), errors, lines }
}

const BOUNDARY = 'x-boundary'
const part = (disposition: string, content: string | Buffer, ...more: readonly string[]) =>
  Buffer.concat([
    Buffer.from([`--${BOUNDARY}`, `Content-Disposition: ${disposition}`, ...more, '', ''].join('\r\n')),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
const form = (...parts: readonly Buffer[]) => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
const filePart = (content: string | Buffer, name = 'filename="a.pdf"') =>
  part(`form-data; name="file"; ${name}`, content)

const headers = { ...withKey, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const post = async (url: string, body: Buffer | ReadableStream) => {
  const answer = await fetch(`${url}/files`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe('a form with a file', () => {
  test('as a browser sends it: streamed, with the fields before and after the file', async () => {
    const { url } = await service()
    const bytes = randomBytes(700_000)
    const data = new FormData()
    data.set('format', 'Cades')
    data.set('file', new Blob([bytes], { type: 'application/pdf' }), 'Açaí "x".pdf')
    data.set('note', 'depois')
    const answer = await fetch(`${url}/files`, { method: 'POST', headers: withKey, body: data })
    expect(await answer.json()).toEqual({
      outcome: 'read',
      file: {
        fileName: 'Açaí %22x%22.pdf',
        mediaType: 'application/pdf',
        length: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        sawFormat: true,
      },
      fields: { format: 'Cades', note: 'depois' },
    })
  })

  test('is read alike however its bytes are cut', async () => {
    const { url } = await service()
    const body = form(
      part('form-data; name="a"', ''),
      filePart('\r\n--x-bound\r\n--'),
      part('form-data; name="b"', 'ä'),
    )
    const whole = await post(url, body)
    expect(whole.body).toMatchObject({ outcome: 'read', fields: { a: '', b: 'ä' }, file: { length: 15 } })
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(body.length), { maxLength: 12 }), async (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), body.length]
        const chunks = ends.map((end, index) => body.subarray(ends[index - 1] ?? 0, end))
        const stream = ReadableStream.from(
          (async function* () {
            for (const chunk of chunks) {
              yield chunk
              // Another turn of the event loop, so that the pieces are sent separately.
              await new Promise(setImmediate)
            }
          })(),
        ) as ReadableStream
        expect(await post(url, stream)).toEqual(whole)
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['filename="plain.pdf"', 'plain.pdf'],
    ['filename=token.pdf', 'token.pdf'],
    ['filename="ação.pdf"', 'ação.pdf'],
    ['filename="a \\"b\\" c.pdf"', 'a "b" c.pdf'],
    ['filename="C:\\dir\\a.pdf"', 'C:\\dir\\a.pdf'],
    ['filename="x"; filename*=UTF-8\'\'a%C3%A7%C3%A3o.pdf', 'ação.pdf'],
    ['filename*=UTF-8\'pt\'a%C3%A7%C3%A3o.pdf; filename="x"', 'ação.pdf'],
    ["filename*=ISO-8859-1''a%E7%E3o.pdf", 'ação.pdf'],
    ['filename*0*=UTF-8\'\'rela%C3; filename*1*=%A7%C3%A3o; filename*2=" 1.pdf"', 'relação 1.pdf'],
    ['FileName="upper.pdf"', 'upper.pdf'],
  ])('names its file in the form %s', async (disposition, fileName) => {
    const { url } = await service()
    const { body } = await post(url, form(filePart('x', disposition)))
    expect(body).toMatchObject({ outcome: 'read', file: { fileName } })
  })

  test('from an old client, whose name is Latin-1', async () => {
    const { url } = await service()
    const body = Buffer.from(
      form(filePart('x', 'filename="a\\u00e7\\u00e3o.pdf"'))
        .toString()
        .replaceAll('\\u00e7', 'ç')
        .replaceAll('\\u00e3', 'ã'),
      'latin1',
    )
    expect((await post(url, body)).body).toMatchObject({ file: { fileName: 'ação.pdf' } })
  })
})

describe('a service that tells the file by itself', () => {
  const isFile: MultipartOptions<unknown>['isFile'] = ({ name, fileName }) =>
    fileName !== undefined || name === 'content'

  test.each([
    ['under any name', part('form-data; name="contrato.pdf"; filename="contrato.pdf"', 'xyz'), 'contrato.pdf'],
    ['without a file name', part('form-data; name="content"', 'xyz'), ''],
  ])('takes it %s, with the other parts as fields', async (_name, file, fileName) => {
    const { url } = await service({ isFile })
    const { body } = await post(url, form(part('form-data; name="file"', 'a field'), file))
    expect(body).toMatchObject({ outcome: 'read', file: { fileName, length: 3 }, fields: { file: 'a field' } })
  })

  test('takes one file, not two', async () => {
    const { url } = await service({ isFile })
    expect((await post(url, form(filePart('x'), part('form-data; name="content"', 'y')))).body).toEqual({
      outcome: 'several-files',
    })
  })
})

describe('a form of several files', () => {
  async function manyService() {
    const { app } = await testApp()
    const begun: string[] = []
    serve(app, upload, async ({ request }) => {
      const form = await readMultipartFiles(request, {
        fileField: 'files',
        maxFileBytes: 1_000_000,
        maxFiles: 3,
        onFile: async (file, fields) => {
          begun.push(file.fileName)
          // A file that is not read still lets the others pass.
          return file.fileName === 'unread' ? file.fileName : `${(await take(file, fields)).length} ${file.fileName}`
        },
      })
      return form.outcome === 'read' ? { ...form, fields: Object.fromEntries(form.fields) } : form
    })
    return { url: await listen(app), begun }
  }
  const named = (name: string, bytes: number) =>
    part(`form-data; name="files"; filename="${name}"`, Buffer.alloc(bytes, 'x'))

  test('has them read one after the other, their order kept, with fields anywhere between them', async () => {
    const { url } = await manyService()
    const body = form(
      named('a', 300_000),
      part('form-data; name="sessionId"', 's'),
      named('unread', 200_000),
      named('c', 0),
    )
    expect((await post(url, body)).body).toEqual({
      outcome: 'read',
      files: ['300000 a', 'unread', '0 c'],
      fields: { sessionId: 's' },
    })
  })

  test('may have none', async () => {
    const { url } = await manyService()
    expect((await post(url, form(part('form-data; name="file"; filename="x"', 'x')))).body).toEqual({
      outcome: 'read',
      files: [],
      fields: { file: 'x' },
    })
  })

  test('may not have more than allowed: the one too many is not begun', async () => {
    const { url, begun } = await manyService()
    const body = form(...['a', 'b', 'c', 'd', 'e'].map((name) => named(name, 100_000)))
    expect((await post(url, body)).body).toEqual({ outcome: 'several-files' })
    expect(begun).toEqual(['a', 'b', 'c'])
  })
})

describe('a form that is not as it should be is told apart', () => {
  test.each([
    ['no-file', form(part('form-data; name="format"', 'Cades'))],
    ['no-file', form()],
    ['no-file-name', form(part('form-data; name="file"', 'x'))],
    ['no-file-name', form(filePart('', 'filename=""'))],
    ['several-files', form(filePart('x'), filePart('y'))],
    ['too-large', form(filePart(Buffer.alloc(1_000_001)))],
  ])('%s', async (outcome, body) => {
    const { url } = await service()
    expect(await post(url, body)).toEqual({ status: 200, body: { outcome } })
  })

  test.each([
    ['a body that breaks off inside the file', filePart('x'), 'bad-json', 400],
    ['a body that breaks off inside a header', Buffer.from(`--${BOUNDARY}\r\nContent-Dis`), 'bad-json', 400],
    ['a part without a header', Buffer.from(`--${BOUNDARY}\r\n--${BOUNDARY}--\r\n`), 'bad-json', 400],
    ['a part without a name', form(part('form-data', 'x')), 'bad-json', 400],
    ['a part that is no form-data', form(part('attachment; name="file"; filename="a"', 'x')), 'bad-json', 400],
    ['a disposition that cannot be read', form(part('form-data; name="file"; filename="a', 'x')), 'bad-json', 400],
    ['another boundary', Buffer.from('--other\r\n\r\nx'), 'bad-json', 400],
    ['nothing', Buffer.alloc(0), 'bad-json', 400],
    ['a field that is too large', form(part('form-data; name="a"', 'x'.repeat(9000))), 'too-large', 413],
    ['too many fields', form(...Array.from({ length: 17 }, () => part('form-data; name="a"', ''))), 'bad-json', 400],
  ])('%s', async (_name, body, code, status) => {
    const { url } = await service()
    expect(await post(url, body)).toMatchObject({ status, body: { error: { code } } })
  })

  test('a field that is too large is told with its limit and what came of it', async () => {
    const { url } = await service()
    const { body } = await post(url, form(part('form-data; name="a"', 'x'.repeat(9000))))
    const { sizeBytes, ...rest } = (body.error as { details: { sizeBytes: number } }).details
    expect([rest, sizeBytes > 8192]).toEqual([{ field: 'a', limitBytes: 8192 }, true])
  })

  test.each([
    ['another media type', 'application/pdf', 415, 'bad-type'],
    ['no media type', '', 415, 'bad-type'],
    ['no boundary', 'multipart/form-data', 400, 'bad-json'],
    ['a boundary longer than any client writes', `multipart/form-data; boundary=${'b'.repeat(71)}`, 400, 'bad-json'],
  ])('%s', async (_name, contentType, status, code) => {
    const { app } = await service()
    const answer = await app.inject({
      method: 'POST',
      url: '/files',
      headers: { ...withKey, 'content-type': contentType },
      payload: 'x',
    })
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, code])
  })

  test('a route that does not stream refuses the type', async () => {
    const { app } = await testApp()
    serve(app, upload, () => ({}))
    serve(app, { method: 'POST', path: '/json', summary: 'JSON.', body: Type.Object({}) }, () => {})
    const answer = await app.inject({ method: 'POST', url: '/json', headers, payload: form(filePart('x')) })
    expect(answer.statusCode).toBe(415)
  })
})

describe('a refusal reaches a client that is still sending', () => {
  test('when the file is refused half-way', async () => {
    const { url, errors } = await service({
      onFile: async ({ content }) => {
        for await (const _ of content) throw new Error('the disk is full')
        throw new Error('nothing came')
      },
    })
    const answer = await post(url, form(filePart(randomBytes(20_000_000))))
    expect(answer).toMatchObject({ status: 500, body: { error: { code: 'broken' } } })
    expect(errors).toEqual([expect.objectContaining({ message: 'the disk is full' })])
  })

  test('when the handler refuses before it reads, and the connection serves on', async () => {
    const { app } = await testApp()
    serve(app, upload, () => {
      throw new Error('no')
    })
    const connection = await openConnection(await listen(app))
    const body = form(filePart(Buffer.alloc(3_000_000, 'x')))
    for (let calls = 0; calls < 2; calls += 1) {
      const head = ['POST /files HTTP/1.1', 'Host: x', `X-API-Key: ${KEY}`, `Content-Length: ${body.length}`]
      connection.send(...head, `Content-Type: ${headers['content-type']}`, '', body.toString('latin1'))
      expect((await connection.answer()).status).toBe(500)
    }
  })

  test('when the file is too large, and one that never stops loses its connection', async () => {
    const { url } = await service({ maxFileBytes: 1000 })
    const sending = httpRequest(`${url}/files`, { method: 'POST', headers })
    const answered = new Promise<number>((resolve) => sending.on('response', (answer) => resolve(answer.statusCode!)))
    const closed = new Promise((resolve) => sending.on('error', resolve).on('close', resolve))
    sending.write(filePart('x').subarray(0, -2))
    const chunk = Buffer.alloc(1_000_000, 'x')
    const more = (): void => {
      if (!sending.destroyed) sending.write(chunk, () => setImmediate(more))
    }
    more()
    expect(await answered).toBe(200)
    await closed
  })
})

test('a client that goes away ends the reading of its file', async () => {
  const ended: unknown[] = []
  const { url, errors } = await service({
    onFile: async (file, fields) => {
      try {
        return await take(file, fields)
      } catch (error) {
        ended.push(error)
        throw error
      }
    },
  })
  const sending = httpRequest(`${url}/files`, { method: 'POST', headers })
  sending.on('error', () => {})
  await new Promise<void>((resolve) => sending.write(filePart('x'.repeat(100_000)).subarray(0, -2), () => resolve()))
  sending.destroy()
  await expect.poll(() => [ended.length, errors.length]).toEqual([1, 1])
})

test('the OpenAPI document shows the form', async () => {
  const { app } = await testApp({ openApi: { path: '/openapi.json' } })
  serve(app, upload, () => ({}))
  const document = (await app.inject('/openapi.json')).json()
  const { content } = document.paths['/files'].post.requestBody
  expect(content['multipart/form-data'].schema.properties.file).toEqual({ type: 'string', format: 'binary' })
})

test('a parameter is what its name says, and garbage is nothing', () => {
  expect(parameterisedValue('form-data; name=a b')).toBeUndefined()
  expect(parameterisedValue('; name=a')).toBeUndefined()
  expect(parameterisedValue('Text/HTML ;; charset = "utf-8" ;')?.parameters).toEqual(new Map([['charset', 'utf-8']]))
})
