import type { CanonicalForm } from '../xml/canonical-form.ts'

/** Namespaces of XMLDSig and XAdES. */
export const DS = 'http://www.w3.org/2000/09/xmldsig#'
export const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
export const XADES_141 = 'http://uri.etsi.org/01903/v1.4.1#'
export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** RSA-PSS with parameters (RFC 9231 §2.3.9), and its only mask generation function. */
export const PSS = 'http://www.w3.org/2007/05/xmldsig-more#'
export const PSS_MGF1 = `${PSS}MGF1`

/** Values of `Type` on references. */
export const SIGNED_PROPERTIES_TYPE = 'http://uri.etsi.org/01903#SignedProperties'
export const COUNTERSIGNED_TYPE = 'http://uri.etsi.org/01903#CountersignedSignature'
export const OBJECT_TYPE = `${DS}Object`
export const MANIFEST_TYPE = `${DS}Manifest`

/** Transforms this engine writes and accepts, apart from canonicalisations. */
export const TRANSFORM = {
  enveloped: `${DS}enveloped-signature`,
  base64: `${DS}base64`,
  xpath: 'http://www.w3.org/TR/1999/REC-xpath-19991116',
  xpathFilter2: 'http://www.w3.org/2002/06/xmldsig-filter2',
} as const

/** How documents can be canonicalised: the name of the option, and what XMLDSig calls it. */
export const canonicalisations = {
  exclusive: { uri: EXCLUSIVE_C14N, form: { family: 'exclusive', withComments: false } },
  'exclusive-with-comments': {
    uri: `${EXCLUSIVE_C14N}WithComments`,
    form: { family: 'exclusive', withComments: true },
  },
  inclusive: {
    uri: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
    form: { family: 'inclusive', withComments: false },
  },
  'inclusive-with-comments': {
    uri: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments',
    form: { family: 'inclusive', withComments: true },
  },
  inclusive11: { uri: 'http://www.w3.org/2006/12/xml-c14n11', form: { family: 'inclusive11', withComments: false } },
  'inclusive11-with-comments': {
    uri: 'http://www.w3.org/2006/12/xml-c14n11#WithComments',
    form: { family: 'inclusive11', withComments: true },
  },
} as const satisfies Record<string, { uri: string; form: CanonicalForm }>

export type Canonicalisation = keyof typeof canonicalisations

const formsByUri = new Map<string, CanonicalForm>(Object.values(canonicalisations).map(({ uri, form }) => [uri, form]))

/** The canonical form an algorithm URI names; undefined when the engine does not know it. */
export const canonicalFormByUri = (uri: string): CanonicalForm | undefined => formsByUri.get(uri)
