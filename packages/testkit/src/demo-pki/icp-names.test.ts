import { contentOf } from '@chancela/signature-engine/der'
import { isCnpj, isCpf } from '@chancela/signature-engine/x509'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Certificate, id_ce_subjectAltName, SubjectAlternativeName } from '@peculiar/asn1-x509'
import { beforeAll, describe, expect, test } from 'vitest'
import { openssl } from '../tools/run-tool.ts'
import type { IssuedCertificate } from './certificate.ts'
import { createDemoPki } from './create-demo-pki.ts'
import { holders } from './declaration.ts'
import type { DemoPki } from './demo-pki.ts'
import { personalData, voterData } from './icp-names.ts'
import { cachedKeys } from './keys.ts'

let pki: DemoPki
beforeAll(async () => {
  pki = await createDemoPki({ baseUrl: 'http://localhost:8087', clock: () => new Date(), keys: cachedKeys() })
})

describe('the layouts of DOC-ICP-04', () => {
  test('personal data stands at its positions', () => {
    const data = personalData({
      born: '1985-04-12',
      cpf: '52998224725',
      nis: '12056789012',
      rg: '287654321',
      rgIssuer: 'SSP SP',
    })
    expect(data.slice(0, 8)).toBe('12041985')
    expect(data.slice(8, 19)).toBe('52998224725')
    expect(data.slice(19, 30)).toBe('12056789012')
    expect(data.slice(30, 45)).toBe('000000287654321')
    expect(data.slice(45)).toBe('SSPSP')
  })

  test('missing numbers are zeros, and without an RG there is no issuing body', () => {
    expect(personalData({ rgIssuer: 'SSPSP' })).toBe('0'.repeat(45))
    expect(voterData({})).toBe('0'.repeat(19))
  })

  test('the issuing body takes at most ten characters', () => {
    expect(personalData({ rg: '1', rgIssuer: 'INSTITUTO FELIX PACHECO' }).slice(45)).toBe('INSTITUTOF')
  })

  test('voter data stands at its positions, the town without accents', () => {
    const voter = { number: '123456780191', zone: '12', section: '345', town: 'São João del-Rei', state: 'MG' }
    expect(voterData({ voter })).toBe('1234567801910120345SAO JOAO DEL REIMG')
  })

  test('what does not fit its field is refused, not cut', () => {
    expect(() => personalData({ cpf: '529982247250' })).toThrow(RangeError)
    expect(() => personalData({ cpf: '529.982.247' })).toThrow(RangeError)
    expect(() => personalData({ rg: '1234567890123456' })).toThrow(RangeError)
  })
})

describe('the names inside certificates', () => {
  test('an e-CPF has the CPF at positions 9 to 19 and behind the name', () => {
    const ana = pki.certificate('ana-souza')
    expect(otherNames(ana)['2.16.76.1.3.1']).toBe('120419855299822472512056789012000000287654321SSPSP')
    expect(otherNames(ana)['2.16.76.1.3.6']).toBe('000000000000')
    expect(otherNames(ana)['2.16.76.1.3.5']).toBe('1234567801910120345SAO PAULOSP')
    expect(commonName(ana)).toBe('ANA BEATRIZ SOUZA:52998224725')
    expect(email(ana)).toBe('ana.souza@example.com')
  })

  test('an e-CNPJ has its company and its responsible person', () => {
    const company = pki.certificate('padaria-aurora')
    expect(otherNames(company)).toEqual({
      '2.16.76.1.3.4': '120419855299822472512056789012000000287654321SSPSP',
      '2.16.76.1.3.2': 'ANA BEATRIZ SOUZA',
      '2.16.76.1.3.3': '11222333000181',
      '2.16.76.1.3.7': '000000000000',
    })
    expect(commonName(company)).toBe('PADARIA AURORA LTDA:11222333000181')
  })

  test('an equipment certificate has company, responsible person and host name', () => {
    const equipment = pki.certificate('equipment')
    expect(Object.keys(otherNames(equipment))).toEqual([
      '2.16.76.1.3.8',
      '2.16.76.1.3.4',
      '2.16.76.1.3.2',
      '2.16.76.1.3.3',
    ])
    expect(otherNames(equipment)['2.16.76.1.3.8']).toBe('PADARIA AURORA LTDA')
    expect(equipment.x509.checkHost('servidor.padaria-aurora.example')).toBeDefined()
  })

  test('the new profile has the CPF as serialNumber and nowhere else', () => {
    const helena = pki.certificate('helena-prado')
    expect(attribute(helena, 'serialNumber')).toBe(cpfOf('helena-prado'))
    expect(otherNames(helena)).toEqual({ '2.16.76.1.4.5.1': '11222333000181' })
    expect(commonName(helena)).toBe('Helena Gonçalves Prado')
  })

  test('a company of the new profile has an alphanumeric CNPJ as serialNumber', () => {
    const cooperative = pki.certificate('cooperativa-ipe')
    expect(attribute(cooperative, 'serialNumber')).toBe('12ABC34501DE35')
    expect(otherNames(cooperative)).toEqual({ '2.16.76.1.4.5.1': '11222333000181' })
  })

  test('a certificate without CPF has zeros where it would be, and no number behind the name', () => {
    const joana = pki.certificate('without-cpf')
    expect(otherNames(joana)['2.16.76.1.3.1']?.slice(8, 19)).toBe('00000000000')
    expect(commonName(joana)).toBe('Joana Reis Sem Numero')
  })

  test('a certificate with the CPF in the common name has it there alone', () => {
    const lia = pki.certificate('cpf-in-common-name')
    expect(lia.x509.subjectAltName).toBeUndefined()
    expect(commonName(lia)).toBe(`LIA DUARTE:${cpfOf('cpf-in-common-name')}`)
  })

  test('a certificate without e-mail has none', () => {
    expect(email(pki.certificate('without-email'))).toBeUndefined()
  })

  test.each([
    ['ana-souza', 'PRINTABLESTRING'],
    ['octet-string', 'OCTET STRING'],
    ['utf8-string', 'UTF8STRING'],
    ['ia5-string', 'IA5STRING'],
    ['doubled-tag', 'cont \\[ 0 \\]\\s+.*\\n.*PRINTABLESTRING'],
  ])('openssl reads the personal data of %s as %s', async (label, type) => {
    const lines = await subjectAlternativeNameLines(pki.certificate(label))
    // otherName [0] { OID, [0] EXPLICIT { string } }
    expect(lines).toMatch(
      new RegExp(
        `cont \\[ 0 \\].*\\n.*OBJECT\\s+:2\\.16\\.76\\.1\\.3\\.1\\n.*cont \\[ 0 \\].*\\n.*${type}\\s+:\\d{8}${cpfOf(label)}`,
      ),
    )
  })

  test('openssl shows the otherName fields of an e-CPF', async () => {
    const { text } = await openssl(['x509', '-noout', '-text'], { input: pki.certificate('ana-souza').x509.toString() })
    expect(text).toMatch(
      /othername: 2\.16\.76\.1\.3\.1:.*othername: 2\.16\.76\.1\.3\.6:.*othername: 2\.16\.76\.1\.3\.5:/,
    )
    expect(text).toContain('email:ana.souza@example.com')
  })

  test('a name too long for a common name is shortened, its number is not', async () => {
    const name = 'Maria Aparecida das Dores Cavalcanti de Albuquerque e Vasconcelos Neta'
    const maria = await pki.issuePerson({ name, cpf: '11144477735' }, { key: 'P-256' })
    expect(commonName(maria)).toHaveLength(64)
    expect(commonName(maria)).toMatch(/^MARIA APARECIDA .*:11144477735$/)
  })
})

describe('the declared people and companies', () => {
  test('have right CPFs and CNPJs, but for the one that is there to be wrong', () => {
    const wrong = Object.entries(holders).flatMap(([label, { holder }]) => {
      if (holder.kind === 'person') return holder.cpf === undefined || isCpf(holder.cpf) ? [] : [label]
      return isCnpj(holder.kind === 'company' ? holder.cnpj : holder.company.cnpj) ? [] : [label]
    })
    expect(wrong).toEqual(['wrong-cpf'])
  })

  test('have a CPF of their own each', () => {
    const people = new Set(Object.values(holders).flatMap(({ holder }) => (holder.kind === 'person' ? holder : [])))
    const cpfs = [...people].flatMap(({ cpf }) => cpf ?? [])
    expect(new Set(cpfs).size).toBe(cpfs.length)
  })
})

function cpfOf(label: string): string {
  const holder = holders[label]!.holder
  return (holder.kind === 'person' && holder.cpf) || ''
}

/** otherName OID → text, as an independent parser finds them. */
function otherNames(certificate: IssuedCertificate): Record<string, string> {
  return Object.fromEntries(
    alternativeNames(certificate).flatMap(({ otherName }) =>
      otherName ? [[otherName.typeId, contentOf(new Uint8Array(otherName.value)).toString('latin1')]] : [],
    ),
  )
}

const email = (certificate: IssuedCertificate): string | undefined =>
  alternativeNames(certificate).find(({ rfc822Name }) => rfc822Name)?.rfc822Name

function alternativeNames(certificate: IssuedCertificate): SubjectAlternativeName {
  const { extensions = [] } = AsnConvert.parse(certificate.der, Certificate).tbsCertificate
  const names = extensions.find(({ extnID }) => extnID === id_ce_subjectAltName)
  return names ? AsnConvert.parse(names.extnValue, SubjectAlternativeName) : new SubjectAlternativeName()
}

const commonName = (certificate: IssuedCertificate): string | undefined => attribute(certificate, 'CN')

const attribute = (certificate: IssuedCertificate, type: string): string | undefined =>
  certificate.x509.subject.match(new RegExp(`^${type}=(.*)$`, 'm'))?.[1]

async function subjectAlternativeNameLines(certificate: IssuedCertificate): Promise<string> {
  const whole = await openssl(['asn1parse', '-inform', 'DER'], { input: certificate.der })
  const offset = /X509v3 Subject Alternative Name\n\s*(\d+):.*OCTET STRING/.exec(whole.text)?.[1]
  const names = await openssl(['asn1parse', '-inform', 'DER', '-strparse', offset ?? ''], { input: certificate.der })
  return names.text
}
