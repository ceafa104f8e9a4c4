import { describe, expect, test } from 'vitest'
import { degreeIds } from '../identifiers/nonce.ts'
import { documentKinds } from '../kinds.ts'
import { sampleAcademicDocumentation, sampleNonce } from '../samples/index.ts'
import { allSamples, bytesOf, signedBytesOf } from '../test-support/all-samples.ts'
import { oldSamples } from '../test-support/old-samples.ts'
import { randomInput } from '../test-support/random-document.ts'
import { Seeded } from '../test-support/seeded.ts'
import { nodeRange } from './node-range.ts'
import { readDocument } from './read-document.ts'

/** As it comes back: numbers as they are written, and nothing where nothing was given. */
const asRead = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'number' ? String(inner) : inner)))

describe('reading', () => {
  test.each(allSamples)('$name gives what it was made of, signed or not', (sample) => {
    const { document } = readDocument(signedBytesOf(sample))
    expect(document).toEqual({ kind: sample.kind, version: '1.05', data: asRead(sample.input) })
    expect(readDocument(bytesOf(sample), { beforeSigning: true }).document).toEqual(document)
  })

  test.each(documentKinds)('%s: what is generated, read and generated again has the same bytes', (kind) => {
    for (let seed = 1; seed <= 30; seed++) {
      const input = randomInput(kind, new Seeded(seed))
      const bytes = bytesOf({ name: kind, kind, input })
      const { document } = readDocument(bytes, { beforeSigning: true })
      expect(document?.data).toEqual(input)
      expect(bytesOf({ name: kind, kind, input: document?.data }).equals(bytes)).toBe(true)
    }
  })

  test('an invalid document gives its problems and no data', () => {
    const { verdict, document } = readDocument(bytesOf(allSamples[0]!))
    expect(verdict.valid).toBe(false)
    expect(document).toBeUndefined()
  })

  test('a document of layout 1.02 gives its data too', () => {
    const { document } = readDocument(oldSamples[0]!.bytes)
    expect(document).toMatchObject({
      version: '1.02',
      kind: 'degree',
      data: { diploma: { infDiploma: { dadosDiploma: { diplomado: { cpf: '52998224725' } } } } },
    })
  })
})

describe('the bytes of a node', () => {
  const { dadosDiploma } = degreeIds(sampleNonce)
  const bytes = signedBytesOf({ name: '', kind: 'academicDocumentation', input: sampleAcademicDocumentation() })

  test('are found by its id, with its signatures', () => {
    const { start, end } = nodeRange(bytes, dadosDiploma)!
    const node = bytes.toString('utf8', start, end)
    expect(node.startsWith(`<DadosDiploma id="${dadosDiploma}">`)).toBe(true)
    expect(node.endsWith('</ds:Signature></DadosDiploma>')).toBe(true)
  })

  test('are refused when two nodes claim the id, or none', () => {
    const text = bytes.toString('utf8')
    const wrapped = text.replace('<Filiacao>', `<Filiacao id="${dadosDiploma}">`)
    expect(() => nodeRange(Buffer.from(wrapped), dadosDiploma)).toThrow(
      expect.objectContaining({ code: 'xml.id-duplicate' }),
    )
    expect(() => nodeRange(bytes, 'Dip0')).toThrow(expect.objectContaining({ code: 'xml.id-unknown' }))
  })

  test('do not exist in a document of another encoding', () => {
    const utf16 = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(bytes.toString('utf8').replace('UTF-8', 'UTF-16'), 'utf16le'),
    ])
    expect(nodeRange(utf16, dadosDiploma)).toBeUndefined()
  })
})
