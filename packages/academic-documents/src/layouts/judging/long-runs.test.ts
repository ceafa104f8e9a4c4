// As in the engine's fuzz/long-runs.test.ts: values of megabytes, judged without V8's optimization of patterns.
import { setFlagsFromString } from 'node:v8'
import { beforeAll, expect, test } from 'vitest'
import { sampleDegree } from '../samples/index.ts'
import { signedBytesOf } from '../test-support/all-samples.ts'
import { judge } from './judge.ts'

beforeAll(() => setFlagsFromString('--no-regexp-optimization'))

const LONG = 4_500_000
const degree = signedBytesOf({ name: 'degree', kind: 'degree', input: sampleDegree() }).toString('utf8')

/** Where values stand: behind a start tag, and between the quotes of an attribute. One of each name. */
const places = new Map([...degree.matchAll(/<(\w+)[^<>]*>(?=[^<])|\s(\w+)="/g)].map((found) => [found[0], found]))

test.each(['1', '/'])('a value of megabytes of %j is judged wherever it stands', (character) => {
  const problems: string[] = []
  for (const found of places.values()) {
    const at = found.index + found[0].length
    const text = `${degree.slice(0, at)}${character.repeat(LONG)}${degree.slice(at)}`
    try {
      judge(Buffer.from(text))
    } catch (error) {
      problems.push(`${found[0]}: ${(error as Error).stack?.split('\n').slice(0, 4).join('\n')}`)
    }
  }
  expect(problems.join('\n')).toBe('')
})
