import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EngineError } from '../errors/engine-error.ts'
import type { Indication } from '../judgement/verdict.ts'
import { streamPdf } from '../pdf/test-support/sample-pdfs.ts'
import { contractPdf } from './test-support/contract-pdf.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom
/** Signed once with a table, once with streams, and several times with evidence and timestamps. */
let samples: readonly Buffer[]
beforeAll(async () => {
  room = await openSigningRoom()
  const archived = await room.sign(await room.sign(contractPdf(), { level: 'B-LTA' }))
  samples = [await room.sign(contractPdf()), await room.sign(streamPdf({ pages: 2 })), archived]
})
afterAll(() => room.stop())

/** The verdict, or the refusal; anything else that is thrown fails the test. */
async function verdictOn(pdf: Uint8Array): Promise<Indication | 'refused'> {
  try {
    return (await room.validate(pdf)).indication
  } catch (error) {
    if (error instanceof EngineError) return 'refused'
    throw error
  }
}

/** The gap of the last signature: the digits of its /Contents. */
function gapOf(pdf: Buffer): { start: number; end: number } {
  const [, start, end] = [...pdf.toString('latin1').matchAll(/\/ByteRange \[0 (\d+)\s+(\d+)/g)].at(-1)!
  return { start: Number(start), end: Number(end) }
}

/** The file with its last signature blanked and without trailing white space. */
function signedPart(pdf: Buffer, { start, end }: { start: number; end: number }): string {
  return pdf.toString('latin1', 0, start) + pdf.toString('latin1', end).trimEnd()
}

describe('a changed byte', () => {
  test('anywhere in the signed ranges is never valid', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 255 }),
        async (which, place, bits) => {
          const pdf = Buffer.from(samples[which]!)
          const gap = gapOf(pdf)
          const at = Math.floor(place * (pdf.length - (gap.end - gap.start) - 1))
          pdf[at < gap.start ? at : at + gap.end - gap.start]! ^= bits
          // The line end after the last %%EOF may be any white space; no reader sees a difference, but the digest does.
          expect(await verdictOn(pdf)).not.toBe('valid')
        },
      ),
      { numRuns: 400 },
    )
  })

  test('in the signature itself is never valid', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1), fc.nat(400), fc.integer({ min: 1, max: 15 }), async (which, offset, bits) => {
        const pdf = Buffer.from(samples[which]!)
        const { start, end } = gapOf(pdf)
        const digits = pdf.toString('latin1', start + 1, end - 1).replace(/(00)+$/, '')
        // The last bytes of the CMS are the signature value.
        const at = start + 1 + digits.length - 1 - (offset % 120)
        pdf.write((Number.parseInt(String.fromCharCode(pdf[at]!), 16) ^ bits).toString(16), at, 'latin1')
        expect(await verdictOn(pdf)).not.toBe('valid')
      }),
      { numRuns: 100 },
    )
  })
})

describe('a file changed at random', () => {
  const edit = fc.record({
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(5000)),
    inserted: fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      fc
        .constantFrom(
          'endobj\n',
          '>>',
          '<<',
          '[[[[',
          '1 0 R',
          'startxref\n0\n',
          '%%EOF\n',
          '/Prev 0',
          'null',
          '-1',
          'xref\n0 1\n',
        )
        .map((text) => Buffer.from(text)),
    ),
  })

  test('is judged or refused, and valid only if every signed byte is what it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.array(edit, { minLength: 1, maxLength: 3 }), async (which, edits) => {
        const original = samples[which]!
        let pdf = original
        for (const { place, removed, inserted } of edits) {
          const at = Math.floor(place * pdf.length)
          pdf = Buffer.concat([pdf.subarray(0, at), inserted, pdf.subarray(at + removed)])
        }
        if ((await verdictOn(pdf)) === 'valid') {
          expect(signedPart(pdf, gapOf(pdf))).toBe(signedPart(original, gapOf(original)))
        }
      }),
      { numRuns: 400 },
    )
  })
})
