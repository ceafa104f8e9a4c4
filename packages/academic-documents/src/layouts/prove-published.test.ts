// Our verdicts held against those of xmllint with the schemas that the ministry published. The files are not part of this
// repository: `npm run prove:published` says where they are looked for.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { judge } from './judging/judge.ts'
import { type DocumentKind, documentKinds, type LayoutVersion, MEC_NAMESPACES } from './kinds.ts'
import { entryFile } from './schemas/schema-files.ts'
import { SecondJudge } from './schemas/second-judge.ts'
import { allSamples, bytesOf, type Sample, signedBytesOf } from './test-support/all-samples.ts'
import { byXmllint } from './test-support/by-xmllint.ts'
import { facetMutants } from './test-support/facet-mutants.ts'
import { goldenMutants, goldenVerdicts } from './test-support/golden.ts'
import { type Mutant, mutantOf } from './test-support/mutants.ts'
import { oldSamples } from './test-support/old-samples.ts'
import { randomInput } from './test-support/random-document.ts'
import { Seeded } from './test-support/seeded.ts'
import { generateUnchecked } from './writing/generate.ts'

const published = new URL('../../../../../shared/xsd/', import.meta.url)
const schemaPath = (kind: DocumentKind, version: LayoutVersion) =>
  fileURLToPath(new URL(`${version}/${entryFile(kind, version)}`, published))

interface Disagreement {
  readonly how: string
  readonly ours: string
}

async function disagreements(
  kind: DocumentKind,
  version: LayoutVersion,
  mutants: readonly Mutant[],
): Promise<{ found: Disagreement[]; valid: number }> {
  const theirs = await byXmllint(
    schemaPath(kind, version),
    mutants.map(({ bytes }) => bytes),
  )
  const found = mutants.flatMap(({ how, bytes }, at) => {
    const verdict = judge(bytes)
    if (verdict.valid === theirs[at]) return []
    const [problem] = verdict.problems
    return [{ how, ours: problem === undefined ? 'valid' : `${problem.path} ${problem.en}` }]
  })
  return { found, valid: theirs.filter(Boolean).length }
}

const mutantsOf = (bytes: Buffer, seed: number, count: number): Mutant[] => {
  const random = new Seeded(seed)
  return Array.from({ length: count }, () => mutantOf(bytes, random))
}

/** More for the documents with more to damage. */
const perSample = ({ name }: Sample): number => (name.endsWith('full') ? 600 : 200)

describe('layout 1.05, held against xmllint with the published schemas', () => {
  test.each(allSamples)('$name: valid with signatures, and its mutants judged alike', async (sample) => {
    const signed = signedBytesOf(sample)
    const placeholder = bytesOf(sample, { placeholderSignatures: true })
    expect(await byXmllint(schemaPath(sample.kind, '1.05'), [signed, placeholder])).toEqual([true, true])
    const mutants = mutantsOf(signed, allSamples.indexOf(sample) + 1, perSample(sample))
    const { found, valid } = await disagreements(sample.kind, '1.05', mutants)
    expect(found).toEqual([])
    // Mutants that are all invalid would prove little.
    expect(valid).toBeGreaterThan(mutants.length / 50)
    expect(valid).toBeLessThan(mutants.length)
  })

  test.each(documentKinds)('%s: whatever is generated at random is valid', async (kind) => {
    const made = Array.from({ length: 200 }, (_, seed) =>
      generateUnchecked(kind, randomInput(kind, new Seeded(seed)), { placeholderSignatures: true }),
    )
    const bytes = made.map((document) => (document.valid ? document.bytes : Buffer.alloc(0)))
    expect(new Set(await byXmllint(schemaPath(kind, '1.05'), bytes))).toEqual(new Set([true]))
  })

  test('every type of values is held to the same limits', async () => {
    const told = new Set<unknown>()
    const found: Disagreement[] = []
    for (const sample of allSamples.filter(({ name }) => name.endsWith('full'))) {
      const mutants = facetMutants(sample, told)
      found.push(...(await disagreements(sample.kind, '1.05', mutants)).found)
    }
    expect(found).toEqual([])
    expect(told.size).toBeGreaterThan(50)
  })

  test('the verdicts that `npm test` remembers are those of xmllint', async () => {
    const theirs: boolean[] = []
    for (const { kind, mutants } of goldenMutants())
      theirs.push(
        ...(await byXmllint(
          schemaPath(kind, '1.05'),
          mutants.map(({ bytes }) => bytes),
        )),
      )
    expect(theirs.map(Number).join('')).toBe(goldenVerdicts)
  })
})

describe('layout 1.02, held against xmllint with the published schemas', () => {
  test.each(oldSamples)('$name: valid, and its mutants judged alike', async ({ kind, bytes }) => {
    expect(await byXmllint(schemaPath(kind, '1.02'), [bytes])).toEqual([true])
    const { found } = await disagreements(kind, '1.02', mutantsOf(bytes, 102, 300))
    expect(found).toEqual([])
  })
})

describe('the second verdict, by the published schemas in this process', () => {
  const filesIn = (folder: string) =>
    new Map(
      readdirSync(new URL(`${folder}/`, published)).map((name) => [
        name,
        readFileSync(new URL(`${folder}/${name}`, published)),
      ]),
    )

  test.each(['1.05', '1.05-govbr-https'])('files of %s: every sample is valid, and invalid when damaged', (folder) => {
    const second = new SecondJudge('1.05', filesIn(folder))
    for (const sample of allSamples) {
      const signed = signedBytesOf(sample)
      expect(second.verdict(signed, sample.kind)).toEqual({ valid: true, messages: [] })
      expect(second.verdict(bytesOf(sample), sample.kind).valid).toBe(false)
      const https = Buffer.from(signed.toString('utf8').replaceAll(MEC_NAMESPACES.http, MEC_NAMESPACES.https))
      if (folder === '1.05') expect(second.verdict(https, sample.kind).valid).toBe(true)
    }
    second.dispose()
  })

  test('files of 1.02', () => {
    const second = new SecondJudge('1.02', filesIn('1.02'))
    for (const { kind, bytes } of oldSamples) expect(second.verdict(bytes, kind).valid).toBe(true)
    second.dispose()
  })
})
