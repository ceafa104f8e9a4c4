import { beforeAll, describe, expect, test } from 'vitest'
import { buildCorpus } from './test-support/corpus/build-corpus.ts'
import { type Corpus, type FuzzCase, makeCase } from './test-support/fuzz-case.ts'
import { judgesOn } from './test-support/judges.ts'
import { keepProblems } from './test-support/keep-problems.ts'
import { type KindName, kindNames } from './test-support/kinds.ts'
import { outcomeOf } from './test-support/outcome.ts'
import { runFuzz } from './test-support/run-fuzz.ts'
import type { Recording, Seed } from './test-support/seed.ts'

/** Per seed and kind; with all kinds and both seeds some 10 s of one core. `npm run prove:fuzz` runs many more. */
const CASES_PER_KIND = 40
const FIXED_SEED = 20_261_115

let corpus: Corpus
let recording: Recording

beforeAll(async () => {
  const built = await buildCorpus(kindNames)
  corpus = built.corpus
  recording = built.recording
})

describe('whatever bytes a reader is given', () => {
  test('it ends in a value or a named error, soon, in little memory, and never believes changed content', {
    timeout: 240_000,
  }, async () => {
    const randomSeed = Math.floor(Math.random() * 2 ** 31)
    for (const seed of [FIXED_SEED, randomSeed]) {
      const cases = CASES_PER_KIND * kindNames.length
      const report = await runFuzz({ corpus, recording, kinds: kindNames, seed, cases })
      expect(keepProblems(report.problems, corpus, recording).join('\n')).toBe('')
      expect(report.done).toBe(cases)
    }
  })
})

describe('the fuzzer itself', () => {
  test('makes the same case again from the same numbers', () => {
    const address = { kind: 'certificate', seed: 1, index: 7 } as const
    expect(makeCase(corpus, address).bytes).toEqual(makeCase(corpus, address).bytes)
    expect(makeCase(corpus, address).bytes).not.toEqual(makeCase(corpus, { ...address, index: 8 }).bytes)
  })

  test('starts from files that the engine accepts: a reader that refuses everything would keep every promise', async () => {
    const judges = judgesOn(recording)
    for (const kind of kindNames)
      for (const seed of corpus[kind]) {
        const { result, problem } = await outcomeOf(honestCase(kind, seed), judges)
        const expected = validated.has(kind) && seed.signedParts.length > 0 ? ['valid'] : ['value', 'valid']
        expect(expected, `${kind}, ${seed.name}: ${problem}`).toContain(result)
      }
  })

  test('notices when changed content is believed', async () => {
    const judges = judgesOn(recording)
    for (const kind of ['cms', 'pdf', 'xml', 'asic', 'jades'] as const) {
      const signed = corpus[kind][0]!
      const impostor = { ...signed, signedParts: [Buffer.from('words that nobody signed')] }
      const outcome = await outcomeOf({ ...honestCase(kind, signed), parents: [impostor] }, judges)
      expect(outcome).toEqual({ result: 'problem', problem: 'changed content reported valid' })
    }
  })

  test('reports a case that takes too long, a process that dies and one that hangs, and loses no case', async () => {
    const run = { corpus, recording, kinds: ['der'], seed: 1, cases: 5 } as const
    const slow = await runFuzz({ ...run, cpuLimitMs: 0 })
    expect(slow.problems.map(({ problem }) => problem)).toEqual(Array(5).fill(expect.stringMatching(/ms of CPU$/)))
    for (const [misdeed, problem] of [
      ['die', 'the process died (code 3, signal null)'],
      ['hang', 'hangs: no answer, or killed by the system'],
    ] as const) {
      const report = await runFuzz({ ...run, misdeed, silenceMs: 3_000 })
      expect(report.problems).toEqual([{ kind: 'der', seed: 1, index: 2, problem }])
      expect(report.done).toBe(5)
    }
  })
})

/** Kinds whose reader says `valid`. */
const validated = new Set<KindName>([
  'asic',
  'crl',
  'jades',
  'ocsp',
  'xml-encodings',
  'xml-references',
  'timestamp',
  'cms',
  'cms-algorithms',
  'cms-stream',
  'detached-cms',
  'content',
  'pdf',
  'xml',
  'signing-state',
])

const honestCase = (kind: KindName, from: Seed): FuzzCase => ({
  kind,
  seed: 0,
  index: 0,
  from,
  parents: [from],
  mutations: [],
  bytes: from.bytes,
})
