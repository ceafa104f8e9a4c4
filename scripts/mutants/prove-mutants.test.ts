import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Measured, measurePackage } from './measure.ts'
import { mutantText, survivorsOf } from './report.ts'
import { TestBench } from './test-bench.ts'

/** A package whose tests cover known parts: the first function, not the words of the second, and the third. */
const sample = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "target": "es2022", "module": "esnext", "types": [] } }',
  'sample/src/ages.ts': `export const isOfAge = (age: number): boolean => age >= 18

export function wordFor(age: number): string {
  return age === 100 ? 'old' : 'young'
}

export function countDown(from: number): number {
  let left = from
  while (left > 0) left -= 1
  return left
}

export const neverCalled = (): boolean => true
`,
  'sample/src/ages.test.ts': `import { expect, test } from 'vitest'
import { countDown, isOfAge, wordFor } from './ages.ts'

test('of age from 18', () => expect([17, 18, 19].map(isOfAge)).toEqual([false, true, true]))
test('there is a word', () => expect(wordFor(30).length).toBeGreaterThan(-1))
test('down to nothing', () => expect(countDown(3)).toBe(0))
`,
}

const root = mkdtempSync(join(tmpdir(), 'chancela-mutants-'))
let measured: Measured

beforeAll(async () => {
  for (const [path, text] of Object.entries(sample)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const bench = await TestBench.open(root, {})
  const progress = { preparing: () => {}, judged: () => {} }
  const options = { root, seed: 1, slowest: 60_000, mayBeQuick: () => true, patience: 2000, progress }
  measured = await measurePackage({ name: 'sample', folder: 'sample', share: 1 }, 100, [bench], options)
  await bench.close()
})

afterAll(() => rmSync(root, { recursive: true }))

const outcomes = () => new Map(measured.judged.map((mutant) => [mutantText(mutant), mutant.outcome]))

describe('a sample of known mutants', () => {
  test('one that a test finds is killed', () => {
    expect(outcomes().get('sample/src/ages.ts:1 comparison: >= → >')).toBe('killed')
    expect(outcomes().get('sample/src/ages.ts:1 literal: 18 → 19')).toBe('killed')
  })

  test('one that no test can find has survived, and is listed', () => {
    const survivor = "sample/src/ages.ts:4 literal: 'young' → ''"
    expect(outcomes().get(survivor)).toBe('survived')
    expect(survivorsOf([measured]).map(mutantText)).toContain(survivor)
  })

  test('one that never ends has timed out', () => {
    expect(outcomes().get('sample/src/ages.ts:9 assignment: -= → +=')).toBe('timed out')
  })

  test('one that the compiler refuses is not counted', () => {
    expect(measured.refusedByTypes).toBeGreaterThan(0)
    expect(outcomes().has('sample/src/ages.ts:1 result: age >= 18 → undefined')).toBe(false)
  })

  test('code that no test runs is left out of the sample', () => {
    expect(measured.reached).toBeLessThan(measured.mutants)
    expect([...outcomes().keys()].filter((mutant) => mutant.includes('ages.ts:13'))).toEqual([])
  })

  test('nothing is changed on the disk', () => {
    const path = 'sample/src/ages.ts'
    expect(readFileSync(join(root, path), 'utf8')).toBe(sample[path])
  })
})
