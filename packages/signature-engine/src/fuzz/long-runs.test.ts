// Files of megabytes that repeat one character. A process that has run for long no longer optimizes regular expressions
// (V8 stops when their code has grown beyond a limit), and then a repetition in a pattern takes room for every character
// it passes: the file ends as "Maximum call stack size exceeded", which is an error of ours and not of the file.
import { setFlagsFromString } from 'node:v8'
import { beforeAll, expect, test } from 'vitest'
import { buildCorpus } from './test-support/corpus/build-corpus.ts'
import { judgesOn } from './test-support/judges.ts'
import { type KindName, kindNames } from './test-support/kinds.ts'
import { outcomeOf } from './test-support/outcome.ts'
import type { Judges } from './test-support/readers/reader.ts'

/** V8's room ends at some four million characters. */
const LONG = 4_500_000

let judges: Judges
beforeAll(async () => {
  judges = judgesOn((await buildCorpus(kindNames)).recording)
  setFlagsFromString('--no-regexp-optimization')
})

/** What stands before the run, the character, and what stands behind it. */
type Run = readonly [before: string, character: string, after?: string]

const anywhere: readonly Run[] = ['x', ' ', '\n', '0', '-', '<', '(', '\0', '\xff'].map((each) => ['', each])
const armour: readonly Run[] = [
  ['-----BEGIN PKCS7-----\n', 'A'],
  ['-----BEGIN PKCS7-----\n', 'A', '\n-----END PKCS7-----\n'],
  ['-----BEGIN CERTIFICATE-----\n', ' ', '\n-----END CERTIFICATE-----\n'],
  ['-----BEGIN ', 'A', '-----'],
]
const markup: readonly Run[] = [
  ['<?xml version="1.0"', ' ', '?><a/>'],
  ['<?xml version="1.0" encoding="', 'U', '"?><a/>'],
  ['<', 'a', '/>'],
  ['<a ', ' ', '/>'],
  ['<a b="', 'x', '"/>'],
  ['<a xmlns="', 'x', '"/>'],
  ['<a>', ' ', '</a>'],
  ['<a>&', 'x', ';</a>'],
  ['<a>&#', '1', ';</a>'],
  ['<a><!--', 'x', '--></a>'],
  ['<?p ', 'x', '?><a/>'],
  ['<?p', ' ', 'x?><a/>'],
  ['<a><![CDATA[', 'x', ']]></a>'],
  ['<!DOCTYPE a', ' ', '><a/>'],
]
const signed = (inside: string): string =>
  `<a><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>${inside}`
const signatures: readonly Run[] = [
  [signed('<ds:Reference URI="'), 'x', '"/></ds:SignedInfo></ds:Signature></a>'],
  [signed('<ds:Reference URI="#'), '/', '"/></ds:SignedInfo></ds:Signature></a>'],
  [signed('</ds:SignedInfo><ds:SignatureValue>'), ' ', '</ds:SignatureValue></ds:Signature></a>'],
  [signed('</ds:SignedInfo><ds:SignatureValue>'), 'A', '</ds:SignatureValue></ds:Signature></a>'],
]
const objects: readonly Run[] = ['x', ' ', '%', '0', '(', '[', '/', '<', '<<', '.'].map((each) => ['%PDF-1.7\n', each])
const trailers: readonly Run[] = [
  ['%PDF-1.7\nxref\n', '0', '\ntrailer\n'],
  ['%PDF-1.7\ntrailer\n<< /Root ', '1', ' 0 R >>\nstartxref\n9\n%%EOF'],
  ['%PDF-1.7\n1 0 obj\n(', 'x', ')\nendobj\nstartxref\n9\n%%EOF'],
  ['%PDF-1.7\n1 0 obj\n/', 'x', '\nendobj\nstartxref\n9\n%%EOF'],
]

const runs: Readonly<Partial<Record<KindName, readonly Run[]>>> = {
  certificate: [...anywhere, ...armour],
  crl: [...anywhere, ...armour],
  cms: [...anywhere, ...armour],
  'cms-stream': [...anywhere, ...armour],
  timestamp: anywhere,
  envelope: [...anywhere, ...armour],
  roots: anywhere,
  image: anywhere,
  'signing-state': anywhere,
  'policy-list': [...anywhere, ...markup],
  xml: [...anywhere, ...markup, ...signatures],
  pdf: [...anywhere, ...objects, ...trailers],
}

const kinds = Object.keys(runs) as (keyof typeof runs)[]

test.each(kinds)('%s: a run of megabytes ends in a value or a named error, wherever it stands', async (kind) => {
  const problems: string[] = []
  for (const [before, character, after = ''] of runs[kind]!) {
    const bytes = Buffer.from(`${before}${character.repeat(LONG / character.length)}${after}`, 'latin1')
    const from = { name: 'a long run', bytes, signedParts: [], beside: {} }
    const fuzzCase = { kind, seed: 0, index: 0, from, parents: [from], mutations: [], bytes }
    const { problem } = await outcomeOf(fuzzCase, judges)
    if (problem !== undefined) problems.push(`${before}${character}…${after}: ${problem}`)
  }
  expect(problems.join('\n')).toBe('')
})
