import { signXades } from '@chancela/signature-engine/xades'
import { beforeAll, describe, expect, test } from 'vitest'
import { assembleDegree, signingProgress, signStep } from './index.ts'
import { nodeBytes, readDocument } from './read-document.ts'
import { type RegistryWorld, registryWorld } from './test-support/registry-world.ts'
import * as samples from './test-support/samples.ts'
import { xmlsecVerdicts } from './test-support/xmlsec.ts'

let world: RegistryWorld
let documentation: Buffer
beforeAll(async () => {
  world = await registryWorld()
  documentation = await world.closedDocumentation()
})

const registration = () => samples.registrationData(world.terms)
const data = (bytes: Uint8Array) => Buffer.from(nodeBytes(readDocument(bytes), 'degreeData')!).toString()

describe('the degree', () => {
  test('carries the degree data byte by byte, and its signatures hold in their new place', async () => {
    const degree = assembleDegree(documentation, registration())
    expect(data(degree)).toBe(data(documentation))
    expect(await xmlsecVerdicts(degree, world.root, world.clock())).toEqual(['OK', 'OK', 'OK'])
    expect(signingProgress(degree).next).toEqual(['registrarPeople'])
    expect(degree.toString()).toContain(`<infDiploma versao="1.05" id="VDip${samples.NONCE}" ambiente="Homologação">`)
  })

  test('is signed by the registrar and closed; xmlsec1 verifies all five signatures', async () => {
    const closed = await world.closedDegree(documentation)
    expect(data(closed)).toBe(data(documentation))
    expect(signingProgress(closed).closed).toBe(true)
    expect(await xmlsecVerdicts(closed, world.root, world.clock())).toEqual(Array(5).fill('OK'))
  })

  test('is the same every time', () => {
    expect(assembleDegree(documentation, registration())).toEqual(assembleDegree(documentation, registration()))
  })

  for (const canonicalisation of ['inclusive', 'inclusive11'] as const)
    test(`holds also where the issuer signed in the ${canonicalisation} form, which sees the namespaces around`, async () => {
      const declarations =
        ' xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
      let bytes = samples.academicDocumentation({ ...world.terms, declarations })
      for (const signer of [world.dean, world.issuer, world.issuer])
        bytes = await signStep(bytes, signer, { ...world.helpers(), canonicalisation })
      const degree = assembleDegree(bytes, registration())
      expect(data(degree)).toBe(data(bytes))
      expect(await xmlsecVerdicts(degree, world.root, world.clock())).toEqual(['OK', 'OK'])
    })

  test('is refused to the issuer: its steps are carried, not signed again', async () => {
    const degree = assembleDegree(documentation, registration())
    await expect(world.sign(degree, world.dean, 'issuerPeople')).rejects.toMatchObject({ code: 'carried' })
    await expect(world.sign(degree, world.issuer)).rejects.toMatchObject({ code: 'wrong-certificate-kind' })
  })
})

describe('nothing is put together', () => {
  test('from a documentation that is not closed, or another document', async () => {
    const open = await world.sign(samples.academicDocumentation(world.terms), world.dean)
    expect(() => assembleDegree(open, registration())).toThrow(expect.objectContaining({ code: 'not-closed' }))
    const other = samples.curriculum(world.terms)
    expect(() => assembleDegree(other, registration())).toThrow(expect.objectContaining({ code: 'kind-unknown' }))
  })

  test('with the registration of another degree', () => {
    const other = samples.registrationData(world.terms, samples.NONCE.replace('0', '9'))
    expect(() => assembleDegree(documentation, other)).toThrow(
      expect.objectContaining({ code: 'registration-mismatch' }),
    )
  })

  test.each([
    ['text around it', (text: string) => ` ${text}`],
    ['two elements', (text: string) => text + text],
    ['a tag that ends the degree', (text: string) => `${text}</infDiploma><infDiploma>`],
    ['another element', (text: string) => text.replaceAll('DadosRegistro', 'DadosOutros')],
    [
      'a form for judicial decisions',
      (text: string) => text.replaceAll(/DadosRegistro\b/g, 'DadosRegistroPorDecisaoJudicial'),
    ],
    ['an XML declaration', (text: string) => `<?xml version="1.0"?>${text}`],
    ['a document type', (text: string) => `<!DOCTYPE a>${text}`],
    ['nothing', () => ''],
  ])('with registration data that is %s', (_name, change) => {
    const changed = Buffer.from(change(registration().toString()))
    expect(() => assembleDegree(documentation, changed)).toThrow(
      expect.objectContaining({ code: 'registration-malformed' }),
    )
  })

  test('from a documentation that was altered', () => {
    const altered = Buffer.from(documentation.toString().replace('Maria Conceição', 'Mario Conceição'))
    expect(() => assembleDegree(altered, registration())).toThrow(expect.objectContaining({ code: 'signature-broken' }))
  })

  test('when a signature would not hold in the degree', async () => {
    // Signed without leaving other signatures out: the next signature of the node breaks it.
    const id = `Dip${samples.NONCE}`
    const options = { now: world.clock(), target: { id }, position: { at: 'last-child', of: { id } } } as const
    const { judge, timestamps } = world.helpers()
    let bytes = await signXades(samples.academicDocumentation(world.terms), world.dean, {
      ...options,
      level: 'AD-RT',
      judge,
      timestamps,
    })
    for (const signer of [world.issuer, world.issuer]) bytes = await world.sign(bytes, signer)
    expect(() => assembleDegree(bytes, registration())).toThrow(expect.objectContaining({ code: 'signature-broken' }))
  })
})
