import { describe, expect, test } from 'vitest'
import type { Certificate } from '../x509/certificate.ts'
import { reasonText } from './reason-text.ts'
import { type CertificateReasonCode, certificateReasons } from './verdict.ts'

const named = (commonName: string | undefined) => ({ subject: { commonName } }) as unknown as Certificate

const holder = named('MARIA:12345678909')

describe.each(Object.keys(certificateReasons) as CertificateReasonCode[])('the reason %s', (code) => {
  test('says in both languages whose certificate it is, and nothing of its holder', () => {
    for (const [language, own] of [
      ['en-US', 'the certificate'],
      ['pt-BR', 'o certificado'],
    ] as const) {
      const text = reasonText({ code, certificate: holder }, holder, language)
      expect(text).toContain(own)
      expect(text).not.toMatch(/MARIA|\{/)
      expect(reasonText({ code, certificate: named('AC Raiz') }, holder, language)).toMatch(/ (of|de) AC Raiz/)
    }
    expect(reasonText({ code, certificate: holder }, holder)).toBe(
      reasonText({ code, certificate: holder }, holder, 'en-US'),
    )
    expect(reasonText({ code, certificate: named(undefined) }, holder, 'pt-BR')).toContain('uma emissora')
  })
})
