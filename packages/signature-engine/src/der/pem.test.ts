import { openssl } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { integer, octetString, sequence } from './der-writer.ts'
import { derFromAnything, pemBlocks, toPem } from './pem.ts'

const der = sequence(integer(1), octetString(Buffer.alloc(100, 7)))

test('what is written has lines of 64 characters, and openssl reads it', async () => {
  const pem = toPem('PRIVATE THING', der)
  expect(
    pem
      .split('\n')
      .slice(1, -2)
      .every((line) => line.length <= 64),
  ).toBe(true)
  const { text } = await openssl(['asn1parse'], { input: pem })
  expect(text).toContain('OCTET STRING')
})

test('blocks are found by label, in order, among others', () => {
  const text = `noise\n${toPem('A', Buffer.of(1))}more${toPem('B', Buffer.of(2))}${toPem('A', Buffer.of(3))}`
  expect(pemBlocks(text, 'A')).toEqual([Buffer.of(1), Buffer.of(3)])
  expect(pemBlocks(text, 'A', 'B').length).toBe(3)
  expect(pemBlocks('-----BEGIN A-----AAAA', 'A')).toEqual([])
  expect(pemBlocks('-----BEGIN A-----AAAA-----END B-----', 'A')).toEqual([])
})

describe('whatever people send', () => {
  test.each([
    ['DER', der],
    ['PEM', Buffer.from(toPem('CERTIFICATE', der))],
    ['PEM with Windows lines', Buffer.from(toPem('CERTIFICATE', der).replaceAll('\n', '\r\n'))],
    ['base64 alone', Buffer.from(der.toString('base64'))],
    ['base64 in lines', Buffer.from(der.toString('base64').replace(/(.{20})/g, '$1\r\n'))],
  ])('%s is read', (_what, sent) => {
    expect(Buffer.from(derFromAnything(sent, 'CERTIFICATE'))).toEqual(der)
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<html>not found</html>')],
    ['a block of another kind', Buffer.from(toPem('X509 CRL', der))],
  ])('%s is refused', (_what, sent) => {
    expect(() => derFromAnything(sent, 'CERTIFICATE')).toThrow(
      expect.objectContaining({ name: 'EngineError', code: 'pem.not-found' }),
    )
  })
})
