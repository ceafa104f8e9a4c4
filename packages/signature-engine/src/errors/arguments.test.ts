import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signCades, validateCades } from '../cades/index.ts'
import { createJudge } from '../judgement/index.ts'
import { keySigner, openPkcs12 } from '../keys/index.ts'
import { signPades, validatePades } from '../pades/index.ts'
import { openSigningRoom, type SigningRoom } from '../pades/test-support/signing-room.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { EngineError } from './engine-error.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

const pdf = tablePdf()
const now = new Date('2026-11-19T12:00:00Z')
/** JavaScript has no types. */
const untyped = (value: unknown) => value as never

const [missing, invalid] = ['argument.missing', 'argument.invalid']

/** Wrong calls as they are made, and what they are told: the code, the call and the argument. */
const calls: readonly (readonly [what: string, call: () => unknown, code: string, named: string])[] = [
  ['no options', () => signPades(pdf, room.signer, untyped(undefined)), missing, 'signPades options.now'],
  ['no time', () => signPades(pdf, room.signer, untyped({})), missing, 'signPades options.now'],
  [
    'a time in text',
    () => signPades(pdf, room.signer, { now: untyped('2026-01-01') }),
    invalid,
    'signPades options.now',
  ],
  ['no moment', () => signPades(pdf, room.signer, { now: new Date('soon') }), invalid, 'signPades options.now'],
  ['a path', () => signPades(untyped('a.pdf'), room.signer, { now }), invalid, 'signPades document'],
  ['a stream', () => signPades(untyped(Readable.from([])), room.signer, { now }), invalid, 'signPades document'],
  ['a promise', () => signCades(untyped(Promise.resolve(pdf)), room.signer, { now }), invalid, 'signCades content'],
  ['a signer not waited for', () => signPades(pdf, untyped(Promise.resolve()), { now }), invalid, 'signPades signer'],
  ['options for a signer', () => signPades(pdf, untyped({ now }), untyped(undefined)), invalid, 'signPades signer'],
  [
    'a reason that is a number',
    () => signPades(pdf, room.signer, { now, reason: untyped(5) }),
    invalid,
    'signPades options.reason',
  ],
  [
    'a level that is a number',
    () => signPades(pdf, room.signer, { now, level: untyped(1) }),
    invalid,
    'signPades options.level',
  ],
  [
    'a chain of PEM texts',
    () => signPades(pdf, room.signer, { now, chain: untyped(['---']) }),
    invalid,
    'signPades options.chain',
  ],
  [
    'an address for a client',
    () => signPades(pdf, room.signer, { now, timestamps: untyped('http://tsa') }),
    invalid,
    'signPades options.timestamps',
  ],
  ['no judge', () => validatePades(pdf, untyped({ now })), missing, 'validatePades options.judge'],
  ['roots for a judge', () => validateCades(pdf, { now, judge: untyped([]) }), invalid, 'validateCades options.judge'],
  ['roots for anchors', () => createJudge({ anchors: untyped([]) }), invalid, 'createJudge options.anchors'],
  [
    'no key',
    () => keySigner(untyped({ certificate: room.signer.certificate })),
    missing,
    'keySigner options.privateKey',
  ],
  ['no password', () => openPkcs12(pdf, untyped(undefined)), missing, 'openPkcs12 password'],
]

describe('a wrong call', () => {
  test.each(calls)('with %s names it', async (_, call, code, named) => {
    const refused = await new Promise((resolve) => resolve(call())).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(EngineError)
    const { code: found, details } = refused as EngineError
    expect([found, `${details?.call} ${details?.argument}`]).toEqual([code, named])
  })

  test('never tells what was given: it may be a password', async () => {
    const refused = await openPkcs12(untyped('segredo'), 'segredo').catch((error: unknown) => error)
    expect(JSON.stringify([refused, (refused as Error).message])).not.toContain('segredo')
  })
})
