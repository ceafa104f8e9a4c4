import { describe, expect, test } from 'vitest'
import { isEnrolmentProven, newEnrolmentCode, readEnrolmentCode } from './enrolment-code.ts'
import { identityOf, newIdentitySecret } from './identity.ts'
import { newPairingCode, readPairingCode } from './pairing-code.ts'

const newIdentity = () => identityOf(newIdentitySecret())

test('a pairing code is two groups that people can type, however they do', () => {
  const code = newPairingCode()
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(readPairingCode(` ${code.toLowerCase().replace('-', '')} `)).toBe(code)
  expect(readPairingCode('oil1-0000')).toBe('0111-0000')
  for (const wrong of ['', code.slice(1), `${code}0`, 'UUUU-UUUU']) expect(readPairingCode(wrong)).toBeUndefined()
})

describe('an enrolment code', () => {
  const server = newIdentity()
  const { text, key } = newEnrolmentCode(server.publicKey)
  const enrolment = { publicKey: newIdentity().publicKey, platform: 'test', agentVersion: '1' }

  test('is six groups that people can read out, and is read however they type it', () => {
    expect(text).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){5}[0-9A-HJKMNP-TV-Z]{5}$/)
    const typed = text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    expect(readEnrolmentCode(typed)?.key).toBe(key)
    for (const wrong of ['', text.slice(1), `${text}0`, text.replace(/.$/, 'U')])
      expect(readEnrolmentCode(wrong)).toBeUndefined()
  })

  test('names the server that made it, and no other', () => {
    const code = readEnrolmentCode(text)!
    expect([code.isOf(server.publicKey), code.isOf(newIdentity().publicKey), code.isOf('x')]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('proves one enrolment at one server', () => {
    const proof = { codeKey: key, proof: readEnrolmentCode(text)!.prove(enrolment) }
    expect(isEnrolmentProven(server.publicKey, enrolment, proof)).toBe(true)
    expect(isEnrolmentProven(newIdentity().publicKey, enrolment, proof)).toBe(false)
    const other = { ...enrolment, publicKey: newIdentity().publicKey }
    expect(isEnrolmentProven(server.publicKey, other, proof)).toBe(false)
    expect(isEnrolmentProven(server.publicKey, enrolment, { ...proof, proof: 'AA' })).toBe(false)
  })

  test('differs each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newEnrolmentCode(server.publicKey).key)).size).toBe(100)
  })
})
