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
import { Base64Stream, NoBase64 } from './base64-stream.ts'
import { JsonSplitter } from './json-splitter.ts'
import { readJsonWithBytes } from './json-with-bytes.ts'

const take = route({
  method: 'POST',
  path: '/documents',
  summary: 'Takes a document.',
  streamed: true,
  consumes: ['application/json', 'multipart/form-data'],
  answer: Type.Unknown(),
})

const read = route({
  method: 'POST',
  path: '/json',
  summary: 'Takes JSON as any route does.',
  body: Type.Object({ name: Type.String() }),
  answer: Type.Unknown(),
})

async function service() {
  const errors: unknown[] = []
  const { app } = await testApp()
  serve(app, take, async ({ request }) => {
    let chunks: Buffer[] = []
    const reading = readJsonWithBytes(request, {
      bytesField: 'document',
      maxBodyBytes: 3_000_000,
      maxOtherBytes: 1000,
      onBegin: () => {
        chunks = []
      },
      onBytes: (bytes) => chunks.push(bytes),
    })
    reading.catch((error) => errors.push(error))
    const fields = await reading
    const bytes = Buffer.concat(chunks)
    return { fields, length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
  serve(app, read, ({ body }) => ({ read: body.name }))
  const url = await listen(app)
  const post = async (body: string | Buffer | ReadableStream, type = 'application/json') => {
    const answer = await fetch(`${url}/documents`, {
      method: 'POST',
      headers: { ...withKey, 'content-type': type },
      body,
      duplex: 'half',
    } as RequestInit)
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
    return { status: answer.status, body: (await answer.json()) as any }
  }
  return { app, url, errors, post }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('a JSON object with bytes in it', () => {
  test('is read while it arrives, its other fields wherever they stand', async () => {
    const { post } = await service()
    const bytes = randomBytes(2_000_000)
    const document = bytes.toString('base64')
    const expected = { length: bytes.length, sha256: sha256(bytes) }
    for (const object of [
      { document, sessionId: 's', fileName: 'a.pdf' },
      { sessionId: 's', nested: { document: 'x', list: [{}, ['"document":"x"']] }, document },
    ]) {
      const { status, body } = await post(JSON.stringify(object))
      expect([status, body]).toEqual([200, { ...expected, fields: { ...object, document: '' } }])
    }
  })

  test('stands beside routes that have theirs read for them, and takes every spelling of JSON', async () => {
    const { app, post } = await service()
    const parsed = await app.inject({ method: 'POST', url: '/json', headers: withKey, payload: { name: 'x' } })
    expect(parsed.json()).toEqual({ read: 'x' })
    for (const type of ['application/json; charset=utf-8', 'text/json', 'application/problem+json'])
      expect((await post('{"document":"AAAA"}', type)).body).toMatchObject({ length: 3 })
    expect(await post('x', 'application/pdf')).toMatchObject({ status: 415, body: { error: { code: 'bad-type' } } })
  })

  test('takes slashes as some libraries escape them, lines, blanks and missing padding', async () => {
    const { post } = await service()
    const bytes = Buffer.from('++++/w==', 'base64')
    for (const text of ['++++/w==', '+++\\u002b\\/w==', ' ++++ \\r\\n/w= =\\t', '++++/w', '----_w'])
      expect((await post(`{"document":"${text}"}`)).body).toMatchObject({ sha256: sha256(bytes) })
  })

  test('the field given last counts', async () => {
    const { post } = await service()
    expect((await post('{"document":"AAAA","document":"AAAAAAAA"}')).body).toMatchObject({ length: 6 })
    expect((await post('{"document":"AAAA","document":null}')).body.fields).toEqual({ document: null })
    expect((await post('{"docum\\u0065nt":"AAAA"}')).body).toMatchObject({ length: 3, fields: { document: '' } })
  })

  test('an empty body is an empty object', async () => {
    const { post } = await service()
    expect((await post('')).body.fields).toEqual({})
  })

  test('fields that would reach a prototype reach nothing', async () => {
    const { post } = await service()
    const { body } = await post('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    expect([body.length, ({} as { polluted?: number }).polluted]).toEqual([0, undefined])
  })
})

describe('is refused', () => {
  test.each([
    ['text that is no base64', '{"document":"%PDF"}', 'document'],
    ['something after the padding', '{"document":"AA==AAAA"}', 'document'],
    ['three signs of padding', '{"document":"A==="}', 'document'],
    ['half a byte', '{"document":"AAAAA"}', 'document'],
    ['a raw line break', '{"document":"AAAA\nAAAA"}', 'document'],
    ['JSON that ends early', '{"document":"AAAA"', 'body'],
    ['text that never ends', '{"document":"AAAA', 'body'],
    ['something behind the object', '{"document":"AAAA"}{}', 'body'],
    ['fields without a comma', '{"document":"AAAA" "x":1}', 'body'],
    ['a list', '["document"]', 'body'],
    ['nothing', 'null', 'body'],
    ['deep nesting', '['.repeat(900), 'body'],
  ])('%s', async (_what, text, field) => {
    const { post } = await service()
    expect(await post(text)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad-json', details: { field } } },
    })
  })

  test('what is too large, the answer reaching a client that is still sending', async () => {
    const { post, url } = await service()
    const tooMuch = `{"document":"${'A'.repeat(4_000_000)}"}`
    expect(await post(tooMuch)).toMatchObject({
      status: 413,
      body: { error: { details: { sizeBytes: tooMuch.length, limitBytes: 3_000_000 } } },
    })
    expect(await post(`{"x":"${'A'.repeat(1001)}"}`)).toMatchObject({ status: 413 })
    const endless = ReadableStream.from(
      (function* () {
        yield '{"document":"'
        for (let n = 0; n < 400; n += 1) yield 'A'.repeat(10_000)
      })(),
    ) as ReadableStream
    expect(await post(endless)).toMatchObject({ status: 413, body: { error: { details: { limitBytes: 3_000_000 } } } })
    const connection = await openConnection(url)
    connection.send('POST /documents HTTP/1.1', 'Host: x', `X-API-Key: ${KEY}`, 'Content-Type: application/json')
    connection.send('', 'Content-Length: 9000000', '', '{')
    expect((await connection.answer()).status).toBe(413)
  })

  test('a body whose client goes away', async () => {
    const { url, errors } = await service()
    const sending = httpRequest(`${url}/documents`, {
      method: 'POST',
      headers: { ...withKey, 'content-type': 'application/json' },
    })
    sending.on('error', () => {})
    await new Promise<void>((resolve) => sending.write('{"document":"AAAA', () => resolve()))
    sending.destroy()
    await expect.poll(() => errors).toMatchObject([{ kind: 'malformed-request' }])
  })
})

/** The reader's result for a text split anywhere. */
function readCut(text: string, cuts: readonly number[]) {
  const whole = Buffer.from(text)
  const others: Buffer[] = []
  let bytes: Buffer[] | undefined
  let base64 = new Base64Stream(() => {})
  const splitter = new JsonSplitter('document', {
    other: (piece) => others.push(Buffer.from(piece)),
    begin: () => {
      const taken: Buffer[] = []
      bytes = taken
      base64 = new Base64Stream((piece) => taken.push(piece))
    },
    text: (piece) => base64.push(piece),
    end: () => base64.end(),
  })
  const ends = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b).concat(whole.length)
  ends.forEach((end, at) => {
    splitter.push(whole.subarray(ends[at - 1] ?? 0, end))
  })
  const fields = JSON.parse(Buffer.concat(others).toString())
  return { fields, bytes: typeof fields?.document === 'string' ? bytes && Buffer.concat(bytes) : undefined }
}

const BASE64 = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$/

/** The expected result by the specifications of JSON and base64. */
function readWhole(text: string) {
  const fields = JSON.parse(text)
  if (typeof fields?.document !== 'string') return { fields, bytes: undefined }
  const base64 = fields.document.replaceAll(/[ \t\r\n]/g, '')
  if (!BASE64.test(base64)) throw new NoBase64('')
  return { fields: { ...fields, document: '' }, bytes: Buffer.from(base64, 'base64') }
}

const outcomeOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NoBase64) return 'refused'
    throw error
  }
}

describe('however it is cut, an object is read as JSON.parse reads it', () => {
  const cuts = fc.array(fc.nat(400), { maxLength: 12 })
  const name = fc.oneof(fc.constantFrom('document', 'sessionId', 'documen', '"document":"', '\\document'), fc.string())
  const base64 = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  const value = fc.oneof(base64, fc.jsonValue({ maxDepth: 3 }))
  const object = fc.array(fc.tuple(name, value), { maxLength: 6 })
  const spacing = fc.constantFrom('', ' ', '\n\t')

  test('every object, its fields in any order and more than once', () => {
    fc.assert(
      fc.property(object, spacing, cuts, fc.boolean(), (fields, space, at, isEscaped) => {
        const written = fields.map(([key, it]) => `${JSON.stringify(key)}${space}:${space}${JSON.stringify(it)}`)
        const plainText = `{${space}${written.join(`,${space}`)}${space}}`
        const text = isEscaped ? plainText.replaceAll('/', '\\/') : plainText
        // A field given twice is checked each time; JSON.parse shows only the last.
        const texts = fields.filter(([key, it]) => key === 'document' && typeof it === 'string')
        if (texts.length > 1 || (texts.length === 1 && texts[0]?.[1] !== new Map(fields).get('document'))) return
        expect(outcomeOf(() => readCut(text, at))).toEqual(outcomeOf(() => readWhole(text)))
      }),
      { numRuns: 600 },
    )
  })

  test('texts that are nearly JSON', () => {
    const seeds = fc.constantFrom(
      '{"document":"QUJD","sessionId":"s"}',
      '{"a":[1,{"document":"x"}],"document":"QU\\/D\\u0041\\n"}',
      '{"docum\\u0065nt":"QUJD=="}',
    )
    const change = fc.tuple(
      fc.nat(60),
      fc.nat(2),
      fc.constantFrom('"', '\\', '{', '}', '[', ',', ':', 'A', '=', ' ', 'u'),
    )
    fc.assert(
      fc.property(seeds, fc.array(change, { maxLength: 3 }), cuts, (seed, changes, at) => {
        const text = changes.reduce<string>(
          (now, [from, length, put]) => now.slice(0, from) + put + now.slice(from + length),
          seed,
        )
        const whole = outcomeOf(() => readWhole(text))
        if ((text.match(/docum/g) ?? []).length > 1 && whole !== 'refused') return
        expect(outcomeOf(() => readCut(text, at))).toEqual(whole)
      }),
      { numRuns: 900 },
    )
  })
})
