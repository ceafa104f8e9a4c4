// The structure of XML signatures (W3C XML-Signature Syntax and Processing) as the official schemas check it wherever a
// document has a `ds:Signature`. What a signature says, and whether it holds, is judged elsewhere.
import {
  allowed,
  anyNumber,
  anything,
  type Complex,
  children,
  choice,
  complex,
  type Element,
  element,
  many,
  optional,
  type Particle,
  required,
  sequence,
  valued,
  withAttributes,
} from '../language/content.ts'
import { base64, id, integer, text, uri } from '../language/simple.ts'

const anyText = text('qualquer texto')
const binary = base64('dados em Base64')
const anyUri = uri('um URI')
const number = integer('número inteiro')

const withId = { Id: allowed(id('um nome XML, único no documento')) } as const
const withAlgorithm = { Algorithm: required(anyUri) } as const

const mixed = (model: Particle): Complex<Particle, Record<never, never>, undefined> => ({
  ...complex(model),
  mixed: true,
})
/** Elements that the standard leaves to others. */
const foreign = anything('other', false)

const transform = withAttributes(mixed(anyNumber(choice(foreign, element('XPath', anyText)))), withAlgorithm)
const transforms = element('Transforms', children(many(element('Transform', transform))))
const digestMethod = element('DigestMethod', withAttributes(mixed(anyNumber(foreign)), withAlgorithm))
const digestValue = element('DigestValue', binary)

const reference = element(
  'Reference',
  withAttributes(children(optional(transforms), digestMethod, digestValue), {
    ...withId,
    URI: allowed(anyUri),
    Type: allowed(anyUri),
  }),
)

const canonicalization = element(
  'CanonicalizationMethod',
  withAttributes(mixed(anyNumber(anything('all', true))), withAlgorithm),
)

const signatureMethod = element(
  'SignatureMethod',
  withAttributes(
    mixed(sequence(optional(element('HMACOutputLength', number)), anyNumber(anything('other', true)))),
    withAlgorithm,
  ),
)

const signedInfo = element(
  'SignedInfo',
  withAttributes(children(canonicalization, signatureMethod, many(reference)), withId),
)
const signatureValue = element('SignatureValue', valued(binary, withId))

const rsaKey = element('RSAKeyValue', children(element('Modulus', binary), element('Exponent', binary)))
const dsaKey = element(
  'DSAKeyValue',
  children(
    optional(sequence(element('P', binary), element('Q', binary))),
    optional(element('G', binary)),
    element('Y', binary),
    optional(element('J', binary)),
    optional(sequence(element('Seed', binary), element('PgenCounter', binary))),
  ),
)
const keyName = element('KeyName', anyText)
const keyValue = element('KeyValue', mixed(choice(dsaKey, rsaKey, foreign)))
const retrievalMethod = element(
  'RetrievalMethod',
  withAttributes(children(optional(transforms)), { URI: allowed(anyUri), Type: allowed(anyUri) }),
)

const issuerSerial = children(element('X509IssuerName', anyText), element('X509SerialNumber', number))
const x509Data = element(
  'X509Data',
  complex(
    many(
      choice(
        element('X509IssuerSerial', issuerSerial),
        element('X509SKI', binary),
        element('X509SubjectName', anyText),
        element('X509Certificate', binary),
        element('X509CRL', binary),
        foreign,
      ),
    ),
  ),
)

const pgpPacket = element('PGPKeyPacket', binary)
const pgpData = element(
  'PGPData',
  complex(
    choice(
      sequence(element('PGPKeyID', binary), optional(pgpPacket), anyNumber(foreign)),
      sequence(pgpPacket, anyNumber(foreign)),
    ),
  ),
)
const spkiData = element('SPKIData', complex(many(sequence(element('SPKISexp', binary), optional(foreign)))))
const mgmtData = element('MgmtData', anyText)

const keyInfo = element(
  'KeyInfo',
  withAttributes(
    mixed(many(choice(keyName, keyValue, retrievalMethod, x509Data, pgpData, spkiData, mgmtData, foreign))),
    withId,
  ),
)

const object = element(
  'Object',
  withAttributes(mixed(anyNumber(anything('all', false))), {
    ...withId,
    MimeType: allowed(anyText),
    Encoding: allowed(anyUri),
  }),
)

const manifest = element('Manifest', withAttributes(children(many(reference)), withId))
const signatureProperty = element(
  'SignatureProperty',
  withAttributes(mixed(many(choice(foreign))), { ...withId, Target: required(anyUri) }),
)
const signatureProperties = element('SignatureProperties', withAttributes(children(many(signatureProperty)), withId))

export const signature = element(
  'Signature',
  withAttributes(children(signedInfo, signatureValue, optional(keyInfo), anyNumber(object)), withId),
)

/** The elements that wildcards recognise: an element of the standard is checked wherever one of these may stand. */
export const signatureElements: readonly Element[] = [
  ...[signature, signatureValue, signedInfo, canonicalization, signatureMethod, reference, transforms],
  ...[element('Transform', transform), digestMethod, digestValue, keyInfo, keyName, mgmtData, keyValue],
  ...[retrievalMethod, x509Data, pgpData, spkiData, object, manifest, signatureProperties, signatureProperty],
  ...[dsaKey, rsaKey],
]
