import { sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signatureAlgorithms } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { craft } from '../x509/test-support/crafted-certificate.ts'
import { openState, prepared, requireFormat, requireSignature, type SigningState, sealState } from './signing-state.ts'

const { certificate, privateKey } = craft()
const secret = Buffer.alloc(32, 7)
const toSign = Buffer.from('what is signed')
const data = {
  number: 5,
  text: 'são',
  nothing: null,
  yes: true,
  bytes: Buffer.of(1, 2, 3),
  list: [Buffer.of(4), 'x', { deep: Buffer.alloc(0) }],
}
const state: SigningState = {
  format: 'cades',
  certificate,
  algorithm: signatureAlgorithms['ECDSA-SHA256'],
  toSign,
  document: Buffer.from('the document'),
  data,
}
const refuses = (act: () => unknown, code: string) =>
  expect(act).toThrow(expect.objectContaining({ name: 'EngineError', code }))

describe('a sealed state', () => {
  test('is opened by another instance as it was', () => {
    expect(openState(sealState(state, secret), secret)).toEqual(state)
  })

  test('may leave its document outside, and wants the same one again', () => {
    const sealed = sealState(state, secret, { document: 'outside' })
    expect(sealed.includes('the document')).toBe(false)
    expect(openState(sealed, secret, Buffer.from('the document'))).toEqual(state)
    refuses(() => openState(sealed, secret), 'signing.document-missing')
    refuses(() => openState(sealed, secret, Buffer.from('another')), 'signing.document-changed')
  })

  test('may have no document at all', () => {
    const without = { ...state, document: null }
    expect(openState(sealState(without, secret, { document: 'outside' }), secret)).toEqual(without)
  })

  test('opens under its own secret only', () => {
    refuses(() => openState(sealState(state, secret), Buffer.alloc(32, 8)), 'signing.state-tampered')
  })

  test('does not open with any byte changed', () => {
    const sealed = sealState(state, secret)
    for (let offset = 0; offset < sealed.length; offset += 3) {
      const changed = Buffer.from(sealed)
      changed[offset]! ^= 1
      expect(() => openState(changed, secret)).toThrow(
        expect.objectContaining({ code: offset < 16 ? 'signing.state-unknown' : 'signing.state-tampered' }),
      )
    }
  })

  test('does not open cut off, and other bytes are no state', () => {
    const sealed = sealState(state, secret)
    refuses(() => openState(sealed.subarray(0, 100), secret), 'signing.state-tampered')
    refuses(() => openState(Buffer.alloc(0), secret), 'signing.state-unknown')
    refuses(() => openState(Buffer.alloc(500), secret), 'signing.state-unknown')
  })

  test('needs a secret that nobody guesses', () => {
    refuses(() => sealState(state, Buffer.alloc(31)), 'signing.secret-too-short')
    refuses(() => openState(sealState(state, secret), Buffer.alloc(5)), 'signing.secret-too-short')
  })
})

test('what is prepared tells the key everything it may need', () => {
  expect(prepared(state)).toEqual({
    toSign,
    digest: digest('sha256', toSign),
    algorithm: signatureAlgorithms['ECDSA-SHA256'],
    state,
  })
})

test('only the signature of the certificate over the prepared bytes is let through', () => {
  requireSignature(state, sign('sha256', toSign, privateKey))
  requireSignature(state, sign('sha256', toSign, { key: privateKey, dsaEncoding: 'ieee-p1363' }))
  refuses(() => requireSignature(state, sign('sha256', Buffer.from('other'), privateKey)), 'signing.wrong-signature')
  refuses(() => requireSignature(state, sign('sha256', toSign, craft().privateKey)), 'signing.wrong-signature')
  refuses(() => requireSignature(state, Buffer.alloc(0)), 'signing.wrong-signature')
})

test('a state of one format does not complete another', () => {
  expect(requireFormat(state, 'cades')).toBe(state)
  refuses(() => requireFormat(state, 'pades'), 'signing.state-format')
})
