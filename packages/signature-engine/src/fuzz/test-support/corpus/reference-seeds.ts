import { digest } from '../../../crypto/digest.ts'
import { signXades } from '../../../xades/sign-xades.ts'
import { xmlsecSigns } from '../../../xades/test-support/xmlsec.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const FILTER2 = 'http://www.w3.org/2002/06/xmldsig-filter2'
const XPATH = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const exclusive = '<Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>'

/** What an application reads: the first of the elements `o:texto`, whose prefix means the same wherever it stands. */
const sentence = 'O valor total deste contrato soma mil reais'
const other = 'O prazo corre por doze meses'
const text = `<contrato xmlns:o="urn:o" Id="c1"><o:texto Id="t1">${sentence}</o:texto><o:texto Id="t2">${other}</o:texto>SIGNATURE</contrato>`
const document = Buffer.from(text.replace('SIGNATURE', ''))
const attachment = Buffer.from('nome;valor')
const whole = { signedParts: [Buffer.from(sentence)] }

const filters = {
  'left out by a filter': filtered('subtract', '//ds:Signature'),
  'kept by a filter': filtered('intersect', `/*`) + filtered('subtract', '/*/ds:Signature'),
  'left out by an expression': `<Transform Algorithm="${XPATH}"><XPath xmlns:ds="${DSIG}">not(ancestor-or-self::ds:Signature)</XPath></Transform>`,
}

function filtered(does: string, expression: string): string {
  return `<Transform Algorithm="${FILTER2}"><f:XPath xmlns:f="${FILTER2}" xmlns:ds="${DSIG}" Filter="${does}">${expression}</f:XPath></Transform>`
}

/** Several references in one signature, manifests, and filters of others. */
export async function referenceSeeds({ demo, ec, now }: CorpusWorld): Promise<Seed[]> {
  const beside = { 'anexo.csv': attachment }
  const byOthers = Object.entries(filters).map(async ([name, transforms]) =>
    seed(name, await xmlsecSigns(demo, { transforms: transforms + exclusive, document: text }), whole),
  )
  const elements = { target: { id: 't1' }, also: [{ target: { id: 't2' } }] }
  const outside = { also: [{ uri: 'anexo.csv', content: attachment }] }
  return Promise.all([
    ...byOthers,
    signXades(document, ec, { now, ...elements }).then((xml) => seed('two elements', xml, whole)),
    signXades(document, ec, { now, ...outside }).then((xml) => seed('and an attachment', xml, { ...whole, beside })),
    signXades(withManifest(), ec, { now }).then((xml) => seed('manifest', xml, { ...whole, beside })),
  ])
}

/** A document with a list of contents that its signature covers. */
function withManifest(): Buffer {
  const value = digest('sha256', attachment).toString('base64')
  const reference = `<ds:Reference URI="anexo.csv"><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>${value}</ds:DigestValue></ds:Reference>`
  return Buffer.from(text.replace('SIGNATURE', `<ds:Manifest xmlns:ds="${DSIG}" Id="m1">${reference}</ds:Manifest>`))
}
