import type { IssuedCertificate, RunningDemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Der,
  explicit,
  ia5String,
  integer,
  nothing,
  octetString,
  printableString,
  sequence,
  utf8String,
} from '../der/der-writer.ts'
import { Certificate } from './certificate.ts'
import { holderOf } from './holder.ts'
import { signerReport } from './signer-report.ts'
import { craft, otherNames, policies } from './test-support/crafted-certificate.ts'

let running: RunningDemoPki
beforeAll(async () => {
  running = await pkiOfToday()
})

const read = ({ der }: IssuedCertificate) => Certificate.read(der)
const holder = (label: string) => holderOf(read(running.pki.certificate(label)))

describe('a natural person', () => {
  test('has every field that ICP-Brasil writes', () => {
    expect(holder('ana-souza')).toEqual({
      kind: 'e-CPF',
      name: 'ANA BEATRIZ SOUZA',
      cpf: '52998224725',
      cnpj: null,
      email: 'ana.souza@example.com',
      birthDate: '1985-04-12',
      responsible: null,
      organization: 'ICP-Brasil Demo',
      certificateType: 'A1',
      nis: '12056789012',
      rg: { number: '287654321', issuer: 'SSPSP' },
      voter: { number: '123456780191', zone: '012', section: '0345', town: 'SAO PAULOSP' },
      cei: null,
      ric: null,
      sigepe: null,
      principalName: null,
      registrations: [],
      registrationAuthority: null,
    })
  })

  test.each(['octet-string', 'utf8-string', 'ia5-string', 'doubled-tag'])(
    'is read from an otherName written as %s',
    (label) => {
      expect(holder(label)).toMatchObject({
        kind: 'e-CPF',
        cpf: expect.stringMatching(/^1002003\d{4}$/),
        birthDate: '1984-09-17',
      })
    },
  )

  test('is known by the serialNumber of the subject where there is no otherName', () => {
    expect(holder('helena-prado')).toMatchObject({ kind: 'e-CPF', cpf: '24681357928', certificateType: 'A3' })
  })

  test('is known by the number behind the name as the last resort', () => {
    expect(holder('cpf-in-common-name')).toMatchObject({
      kind: 'e-CPF',
      name: 'LIA DUARTE',
      cpf: expect.stringMatching(/^100200306/),
    })
  })

  test('is the one in the field made for it where the others name somebody else', () => {
    const person = otherNames(['2.16.76.1.3.1', printableString('1204198552998224725')])
    const [serialNumber, CN] = ['24681357928', 'LIA DUARTE:11144477735']
    const cpfOf = (content: Parameters<typeof craft>[0]) => holderOf(craft(content).certificate).cpf
    expect(cpfOf({ subject: { serialNumber, CN }, extensions: [person] })).toBe('52998224725')
    expect(cpfOf({ subject: { serialNumber, CN } })).toBe('24681357928')
    expect(cpfOf({ subject: { CN } })).toBe('11144477735')
  })

  test('has no CPF where its check digits are wrong', () => {
    expect(holder('wrong-cpf')).toMatchObject({ cpf: null, name: 'KAIO NUNES TROCADO' })
  })

  test('has no CPF where ICP-Brasil wrote zeros', () => {
    expect(holder('without-cpf')).toMatchObject({
      kind: 'e-CPF',
      cpf: null,
      birthDate: '1990-01-31',
      nis: null,
      rg: null,
      voter: null,
    })
  })

  test('has no e-mail where the certificate has none', () => {
    expect(holder('without-email').email).toBeNull()
  })
})

describe('a company', () => {
  test('has its CNPJ, its name and the person responsible', () => {
    expect(holder('padaria-aurora')).toMatchObject({
      kind: 'e-CNPJ',
      name: 'PADARIA AURORA LTDA',
      cnpj: '11222333000181',
      cpf: null,
      organization: 'PADARIA AURORA LTDA',
      responsible: { name: 'ANA BEATRIZ SOUZA', cpf: '52998224725', birthDate: '1985-04-12' },
      email: 'contato@padaria-aurora.example',
    })
  })

  test('may have an alphanumeric CNPJ, and a seal has nobody responsible', () => {
    expect(holder('cooperativa-ipe')).toMatchObject({
      kind: 'seal',
      certificateType: 'SE-S',
      cnpj: '12ABC34501DE35',
      cpf: null,
      responsible: null,
    })
  })

  test('is in a report with the CPF of who answers for it', () => {
    expect(signerReport(read(running.pki.certificate('padaria-aurora')))).toMatchObject({
      name: 'PADARIA AURORA LTDA',
      cnpj: '11222333000181',
      cpf: '52998224725',
      kind: 'e-CNPJ',
      issuer: 'AC Pessoas Demo v1',
      serialNumber: running.pki.certificate('padaria-aurora').x509.serialNumber,
    })
  })
})

describe('anything else', () => {
  test('an equipment is named with its company', () => {
    expect(holder('equipment')).toMatchObject({
      kind: 'equipment',
      name: 'servidor.padaria-aurora.example',
      organization: 'PADARIA AURORA LTDA',
      cnpj: '11222333000181',
    })
  })

  test('a timestamping service and an authority are told from holders', () => {
    expect(holder('tsa')).toMatchObject({ kind: 'timestamp', certificateType: 'T3', cpf: null })
    expect(holder('level-2')).toMatchObject({ kind: 'authority', name: 'AC Pessoas Demo v1', cpf: null })
  })
})

describe('fields as the field has them', () => {
  const crafted = (...names: (readonly [string, Der])[]) =>
    holderOf(craft({ subject: { CN: 'X' }, extensions: [otherNames(...names)] }).certificate)

  test('a text that ends early has the fields that fit', () => {
    expect(crafted(['2.16.76.1.3.1', printableString('1204198552998224725')])).toMatchObject({
      cpf: '52998224725',
      birthDate: '1985-04-12',
      nis: null,
      rg: null,
    })
  })

  test.each([
    ['no text at all', nothing],
    ['a number', integer(5)],
    ['an empty text', printableString('')],
    ['two values', explicit(0, sequence(nothing, nothing))],
    ['too many wrappers', explicit(0, explicit(0, explicit(0, explicit(0, explicit(0, printableString('1'))))))],
    ['a day that no calendar has', printableString('31021985529982247250000')],
  ])('%s in a field is as if it were absent', (_what, value) => {
    expect(crafted(['2.16.76.1.3.1', value])).toMatchObject({ birthDate: null, rg: null, name: 'X' })
  })

  test('an otherName that is cut off leaves the certificate readable', () => {
    const broken = craft({ extensions: [otherNames(['2.16.76.1.3.1', Buffer.of(0x13, 0x7f, 0x31)])] })
    expect(holderOf(broken.certificate)).toMatchObject({ cpf: null })
  })

  test('repeated digits are no CPF', () => {
    expect(crafted(['2.16.76.1.3.1', printableString('1204198511111111111')]).cpf).toBeNull()
  })

  test('the rarer fields are read too', () => {
    expect(
      crafted(
        ['2.16.76.1.3.6', octetString(Buffer.from('123456789012'))],
        ['2.16.76.1.3.9', printableString('98765432101')],
        ['2.16.76.1.3.11', ia5String('1234567   ')],
        ['2.16.76.1.4.2.1.1', utf8String('123456SP')],
        ['2.16.76.1.4.2.2.1', printableString('54321')],
        ['2.16.76.1.4.2.99.1', printableString('7')],
        ['2.16.76.1.4.5.1', printableString('11222333000181')],
        ['1.3.6.1.4.1.311.20.2.3', utf8String('maria@corp.example')],
      ),
    ).toMatchObject({
      cei: '123456789012',
      ric: '98765432101',
      sigepe: '1234567',
      registrations: [
        { oid: '2.16.76.1.4.2.1.1', council: 'OAB', value: '123456SP' },
        { oid: '2.16.76.1.4.2.2.1', council: 'CRM', value: '54321' },
        { oid: '2.16.76.1.4.2.99.1', council: null, value: '7' },
      ],
      registrationAuthority: '11222333000181',
      principalName: 'maria@corp.example',
    })
  })

  test.each([
    ['2.16.76.1.2.1.10', 'A1'],
    ['2.16.76.1.2.3.10', 'A3'],
    ['2.16.76.1.2.104.7', 'S4'],
    ['2.16.76.1.2.202.1', 'SE-H'],
    ['2.16.76.1.2.203.1', 'AE-S'],
    ['2.16.76.1.2.304', 'T4'],
    ['2.16.76.1.2.10.1', null],
    ['2.16.76.1.2.30.1', null],
    ['2.16.76.1.20.1', null],
  ])('policy %s makes the type %s', (policy, type) => {
    expect(holderOf(craft({ extensions: [policies(policy)] }).certificate).certificateType).toBe(type)
  })

  test('the CNPJ may have its prefix, and the e-mail may stand in the subject', () => {
    const subject = { serialNumber: 'CNPJ:11222333000181', emailAddress: 'a@b.example', CN: 'EMPRESA' }
    expect(holderOf(craft({ subject, extensions: [policies('2.16.76.1.2.1.10')] }).certificate)).toMatchObject({
      kind: 'e-CNPJ',
      cnpj: '11222333000181',
      email: 'a@b.example',
      organization: 'EMPRESA',
    })
  })

  test('a number behind the name makes no e-CPF and no e-CNPJ: anybody may write one', () => {
    const person = holderOf(craft({ subject: { CN: 'MARIA DA SILVA:52998224725' } }).certificate)
    expect(person).toMatchObject({ kind: null, name: 'MARIA DA SILVA', cpf: '52998224725' })
    const company = holderOf(craft({ subject: { CN: 'EMPRESA:11222333000181' } }).certificate)
    expect(company).toMatchObject({ kind: null, cnpj: '11222333000181' })
    const subject = { CN: 'MARIA DA SILVA:52998224725' }
    const byPolicy = craft({ subject, extensions: [policies('2.16.76.1.2.3.10')] })
    expect(holderOf(byPolicy.certificate).kind).toBe('e-CPF')
  })
})
