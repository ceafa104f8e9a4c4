// The published client of the earlier generation, unmodified.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import {
  Authentication,
  CadesSignatureExplorer,
  CadesSignatureFinisher,
  CadesSignatureStarter,
  FullXmlSignatureStarter,
  PadesSignatureExplorer,
  PadesSignatureFinisher,
  PadesSignatureStarter,
  PdfMark,
  PdfMarker,
  PdfMarkImage,
  PdfMarkImageElement,
  PdfMarkPageOptions,
  PdfMarkQRCodeElement,
  PdfMarkTextElement,
  PdfTextSection,
  RestPkiClient,
  StandardSecurityContexts,
  StandardSignaturePolicies,
  StandardSignaturePolicyCatalog,
  XmlElementSignatureStarter,
  XmlInsertionOptions,
  XmlSignatureFinisher,
} from 'restpki-client'
import { expect, test } from 'vitest'
import { sharedCore } from './test-support/core-world.ts'
import { picture } from './test-support/picture.ts'
import { certificateOf, signedBy, signedHash } from './test-support/pki.ts'
import { opensslAccepts, pdfsig, xmlsec } from './test-support/signing.ts'

const open = sharedCore('SQLite')

const ANA = 'ana-souza'
const BRUNO = 'bruno-lima'
const order = '<?xml version="1.0"?><order xmlns="urn:order" Id="all"><item Id="one">Bread</item></order>'

/** Its declarations were generated from JavaScript: they take the key for null, and know no setters. */
type Loose = ReturnType<typeof JSON.parse>

const clientOf = (): Loose => {
  const { baseUrl, client } = open()
  return new RestPkiClient(`${baseUrl}/`, client.apiKey as unknown as null)
}

/** What the component in the browser sends by itself. */
const send = async (token: string, path: string, body: object) => {
  const answer = await fetch(`${open().baseUrl}/Api/PendingSignatures/${token}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return path === '' ? undefined : ((await answer.json()) as { toSignHash: string })
}

/** Chooses a certificate and signs, as the browser does. */
async function signInBrowser(token: string, label: string): Promise<void> {
  const answer = await send(token, '/Certificate', { certificate: certificateOf(label) })
  await send(token, '', { signature: signedHash(label, answer!.toSignHash) })
}

test('it authenticates a person with a certificate, and shows why another fails', async () => {
  const authentication = new Authentication(clientOf())
  const authenticate = async (label: string) => {
    const { token, toSignData } = await authentication.start(StandardSecurityContexts.PKI_BRAZIL)
    const proof = { certificate: certificateOf(label), signature: signedBy(label, toSignData) }
    return authentication.complete(token, proof as Parameters<Authentication['complete']>[1])
  }
  const good = await authenticate(ANA)
  expect(good.validationResults!.isValid()).toBe(true)
  expect(good.certificate!.pkiBrazil!.cpf).toBe('52998224725')
  const bad = await authenticate('revoked')
  expect(bad.validationResults!.isValid()).toBe(false)
})

test('with the component in the browser it finalizes what arrived there', async () => {
  const authentication = new Authentication(clientOf())
  const token = await authentication.startWithWebPki(StandardSecurityContexts.PKI_BRAZIL)
  await expect(authentication.completeWithWebPki(token)).rejects.toMatchObject({ errorCode: 'ClientSignatureNotSet' })
  await signInBrowser(token, ANA)
  const result = await authentication.completeWithWebPki(token)
  expect(result.validationResults!.isValid()).toBe(true)
  expect(result.certificate!.emailAddress).toBe('ana.souza@example.com')
})

/** A starter of a PDF with a picture of the signature. */
function padesStarter(): Loose {
  const starter: Loose = new PadesSignatureStarter(clientOf())
  starter.signaturePolicy = StandardSignaturePolicies.PADES_BASIC
  starter.securityContext = StandardSecurityContexts.PKI_BRAZIL
  starter.callbackArgument = 'order 7'
  starter.pdfToSignContent = samplePdf('Contract')
  starter.visualRepresentation = {
    text: { text: 'Signed by {{name}}', includeSigningTime: true, fontSize: 10 },
    position: {
      pageNumber: 1,
      measurementUnits: 'Centimeters',
      manual: { left: 2, bottom: 2, width: 8, height: 3 },
    },
  }
  return starter
}

test('it signs a PDF with a key of its own', async () => {
  const starter = padesStarter()
  starter.signerCertificate = Buffer.from(certificateOf(ANA), 'base64')
  const { token, toSignData, cryptoSignatureAlgorithm, certificate } = await starter.start()
  expect(cryptoSignatureAlgorithm).toBe('RSA-SHA256')
  expect(certificate.pkiBrazil.cpf).toBe('52998224725')
  const finisher: Loose = new PadesSignatureFinisher(clientOf())
  finisher.token = token
  finisher.signature = signedBy(ANA, toSignData)
  const result = await finisher.finish()
  expect(result.callbackArgument).toBe('order 7')
  expect(result.certificate.emailAddress).toBe('ana.souza@example.com')
  expect(await pdfsig(await result.getContent())).toContain('Signature is Valid.')
  await expect(finisher.finish()).rejects.toMatchObject({ errorCode: 'InvalidToken' })
})

test('it signs a PDF through the browser, and a second person signs what came of it', async () => {
  const first = padesStarter()
  const { token } = await first.startWithWebPki()
  const finisher: Loose = new PadesSignatureFinisher(clientOf())
  finisher.token = token
  finisher.forceBlobResult = true
  await expect(finisher.finish()).rejects.toMatchObject({ errorCode: 'ClientSignatureNotSet' })
  await signInBrowser(token, ANA)
  const once = await finisher.finish()
  expect(await pdfsig(await once.getContent())).toContain('Signature is Valid.')
  const second: Loose = new PadesSignatureStarter(clientOf())
  second.signaturePolicy = StandardSignaturePolicies.PKI_BRAZIL_PADES_ADR_BASICA
  const bytes = await once.getContent()
  second.pdfToSignContent = bytes
  const other: Loose = new PadesSignatureFinisher(clientOf())
  other.token = (await second.startWithWebPki()).token
  await signInBrowser(other._token, BRUNO)
  const twice = await (await other.finish()).getContent()
  expect((await pdfsig(twice)).match(/Signature is Valid\./g)).toHaveLength(2)
  const explorer: Loose = new PadesSignatureExplorer(clientOf())
  explorer.signatureFileContent = twice
  explorer.defaultSignaturePolicyId = StandardSignaturePolicies.PADES_BASIC
  explorer.acceptableExplicitPolicies = StandardSignaturePolicyCatalog.getPkiBrazilPades()
  explorer.securityContextId = StandardSecurityContexts.PKI_BRAZIL
  const { signers } = await explorer.open()
  expect(signers.map((signer: Loose) => signer.validationResults.isValid())).toEqual([true, true])
  expect(signers.map((signer: Loose) => signer.certificate.pkiBrazil.cpf)).toEqual(['52998224725', expect.any(String)])
  expect(signers[1].signaturePolicy.digest.value).toBeInstanceOf(Buffer)
})

test('a certificate that fails is told with its validation results', async () => {
  const starter = padesStarter()
  starter.signerCertificate = Buffer.from(certificateOf('revoked'), 'base64')
  const error = await starter.start().catch((caught: unknown) => caught)
  expect(error.validationResults.isValid()).toBe(false)
})

const DATA = Buffer.from('data to sign')

function cadesStarter(): Loose {
  const starter: Loose = new CadesSignatureStarter(clientOf())
  starter.signaturePolicy = StandardSignaturePolicies.PKI_BRAZIL_CADES_ADR_BASICA
  return starter
}

async function finishedCades(starter: Loose, label: string): Promise<Buffer> {
  const { token } = await starter.startWithWebPki()
  await signInBrowser(token, label)
  const finisher: Loose = new CadesSignatureFinisher(clientOf())
  finisher.token = token
  return (await finisher.finish()).getContent()
}

test('it signs a CMS with its content, and a second person co-signs', async () => {
  const starter = cadesStarter()
  starter.fileToSignContent = DATA
  const cms = await finishedCades(starter, ANA)
  expect(await opensslAccepts(cms)).toBe(true)
  const further = cadesStarter()
  further.cmsToCoSignContent = cms
  const both = await finishedCades(further, BRUNO)
  expect(await opensslAccepts(both)).toBe(true)
  const explorer: Loose = new CadesSignatureExplorer(clientOf())
  explorer.signatureFileContent = both
  explorer.securityContextId = StandardSecurityContexts.PKI_BRAZIL
  const opened = await explorer.open(true)
  expect(opened.signers.map((signer: Loose) => signer.validationResults.isValid())).toEqual([true, true])
  expect(await opened.getEncapsulatedContent(clientOf())).toEqual(DATA)
})

test('it signs a CMS without its content, by hashes alone, and co-signs it the same way', async () => {
  const starter = cadesStarter()
  const path = join(temporaryFolder(), 'data')
  writeFileSync(path, DATA)
  starter.fileToSign = path
  starter.encapsulateContent = false
  const cms = await finishedCades(starter, ANA)
  expect(cms.includes(DATA)).toBe(false)
  expect(await opensslAccepts(cms, DATA)).toBe(true)
  const further = cadesStarter()
  further.fileToSign = path
  further.encapsulateContent = false
  further.cmsToCoSignContent = cms
  const both = await finishedCades(further, BRUNO)
  expect(await opensslAccepts(both, DATA)).toBe(true)
  const explorer: Loose = new CadesSignatureExplorer(clientOf())
  explorer.signatureFileContent = both
  explorer.securityContextId = StandardSecurityContexts.PKI_BRAZIL
  await expect(explorer.open()).rejects.toMatchObject({ errorCode: 'MissingDataHash' })
  explorer.dataFileContent = DATA
  const opened = await explorer.open()
  expect(opened.signers.map((signer: Loose) => signer.validationResults.isValid())).toEqual([true, true])
  explorer.dataFileContent = Buffer.from('other data')
  expect((await explorer.open()).signers[0].validationResults.isValid()).toBe(false)
})

async function finishedXml(starter: Loose): Promise<Buffer> {
  const { token } = await starter.startWithWebPki()
  await signInBrowser(token, ANA)
  const finisher: Loose = new XmlSignatureFinisher(clientOf())
  finisher.token = token
  return (await finisher.finish()).getContent()
}

test('it signs an XML as a whole, and one element of it', async () => {
  const whole: Loose = new FullXmlSignatureStarter(clientOf())
  whole.signaturePolicy = StandardSignaturePolicies.PKI_BRAZIL_XADES_ADR_BASICA
  whole.xmlToSignContent = Buffer.from(order)
  expect(await xmlsec(await finishedXml(whole), ['urn:order:order', 'urn:order:item'])).toMatch(/^OK$/m)
  const element: Loose = new XmlElementSignatureStarter(clientOf())
  element.signaturePolicy = StandardSignaturePolicies.XML_DSIG_BASIC
  element.securityContext = StandardSecurityContexts.PKI_BRAZIL
  element.xmlToSignContent = Buffer.from(order)
  element.toSignElementId = 'one'
  element.signatureElementId = 'mine'
  element.setSignatureElementLocation('//o:item', XmlInsertionOptions.APPEND_SIBLING, [
    { prefix: 'o', uri: 'urn:order' },
  ])
  const signed = await finishedXml(element)
  expect(signed.toString()).toMatch(/<\/item><ds:Signature [^>]*Id="mine"/)
  expect(signed.toString()).not.toContain('QualifyingProperties')
  expect(await xmlsec(signed, ['urn:order:order', 'urn:order:item'])).toMatch(/^OK$/m)
})

test('it puts marks on the pages of a PDF', async () => {
  // Their declarations ask for what has a default.
  const [TextElement, TextSection, ImageElement, Image, QrCodeElement]: Loose[] = [
    PdfMarkTextElement,
    PdfTextSection,
    PdfMarkImageElement,
    PdfMarkImage,
    PdfMarkQRCodeElement,
  ]
  const marker: Loose = new PdfMarker(clientOf())
  marker.fileContent = samplePdf('Contract')
  const marked = (container: object, element: Loose, page: string) => {
    const mark: Loose = new PdfMark()
    mark.pageOption = page
    mark.container = container
    mark.elements.push(element)
    marker.marks.push(mark)
  }
  const text: Loose = new TextElement()
  text.rotation = 90
  text.opacity = 75
  text.textSections.push(new TextSection('Verificação em example.com'))
  marked({ width: 2, right: 0, top: 1.5, bottom: 3.5 }, text, PdfMarkPageOptions.ALL_PAGES)
  const image: Loose = new ImageElement()
  image.image = new Image(picture(), 'image/png')
  marked({ width: 1, right: 1, height: 1, bottom: 1 }, image, PdfMarkPageOptions.ALL_PAGES)
  const code: Loose = new QrCodeElement()
  code.qrCodeData = 'https://example.com/v/1'
  marked({ top: 1.5, bottom: 1.5, left: 1.5, right: 1.5 }, code, PdfMarkPageOptions.NEW_PAGE)
  const bytes = await (await marker.apply()).getContent()
  const path = join(temporaryFolder(), 'marked.pdf')
  writeFileSync(path, bytes)
  expect((await runTool('pdftotext', [path, '-'])).text).toContain('Verificação em example.com')
  expect((await runTool('pdfinfo', [path])).text).toMatch(/Pages: +2/)
})
