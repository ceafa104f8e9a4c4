import { describe, expect, test } from 'vitest'
import { readDigestAlgorithm, readHash } from './digest-algorithm.ts'

const code = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return (error as { code?: string }).code ?? (error as { fields: unknown }).fields
  }
}

describe('the digest algorithm of a request', () => {
  const read = (digestAlgorithm?: string, digestAlgorithmOid?: string, AllowSha1 = false) =>
    code(() => readDigestAlgorithm({ digestAlgorithm, digestAlgorithmOid }, { AllowSha1 }))

  test.each([
    ['SHA-256', 'SHA-256'],
    ['sha256', 'SHA-256'],
    ['Sha-384', 'SHA-384'],
    [' SHA512 ', 'SHA-512'],
    ['SHA-1', 'InvalidDigestAlgorithm'],
    ['MD5', 'InvalidDigestAlgorithm'],
    ['SHA--256', 'InvalidDigestAlgorithm'],
    ['SH-A256', 'InvalidDigestAlgorithm'],
    ['constructor', 'InvalidDigestAlgorithm'],
  ])('%s is %s', (name, found) => expect(read(name)).toBe(found))

  test('the OID takes precedence, even over a name that is wrong', () => {
    expect(read('MD5', '2.16.840.1.101.3.4.2.3')).toBe('SHA-512')
    expect(read('SHA-256', '1.2.840.113549.2.5')).toBe('InvalidDigestAlgorithm')
  })

  test('SHA-1 where it is allowed, by name and by OID; MD5 never', () => {
    expect(read('sha1', undefined, true)).toBe('SHA-1')
    expect(read(undefined, '1.3.14.3.2.26', true)).toBe('SHA-1')
    expect(read('MD5', undefined, true)).toBe('InvalidDigestAlgorithm')
  })

  test('neither is refused', () => expect(read()).toBe('DigestAlgorithmNameOrOidIsRequired'))
})

describe('a hash', () => {
  const bytes = Buffer.alloc(32, 0xfb)
  const standard = bytes.toString('base64')

  test('is standard base64, with or without padding', () => {
    expect(readHash(standard, 'SHA-256')).toEqual(bytes)
    expect(readHash(standard.replace('=', ''), 'SHA-256')).toEqual(bytes)
  })

  test.each([
    ['base64url', bytes.toString('base64url')],
    ['hexadecimal of another length', bytes.toString('hex')],
    ['one byte too few', bytes.subarray(1).toString('base64')],
    ['with a line break', `${standard.slice(0, 20)}\n${standard.slice(20)}`],
    ['padding inside', `=${standard.slice(1)}`],
  ])('%s is refused under the name of its field', (_, text) => {
    expect(code(() => readHash(text, 'SHA-256', 'hashes[3]'))).toEqual({ 'hashes[3]': [expect.any(String)] })
  })
})
