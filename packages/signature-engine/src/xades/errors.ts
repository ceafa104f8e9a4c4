import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

/** Why a document cannot be signed as asked, or a signature not be brought to a level. */
export const xadesErrors = {
  'xades.key-unsupported': 'XML signatures have no place for keys of kind {key}.',
  'xades.id-unusable': 'The Id {id} is not a name that a reference can point to.',
  'xades.id-taken': 'The document has an element with the Id {id} already.',
  'xades.position-outside': 'A signature cannot stand before or behind the root element.',
  'xades.position-inside-signature': 'The signature would stand inside another signature and break it.',
  'xades.uri-missing': 'A detached signature needs the URI of its content.',
  'xades.uri-unusable': 'The URI {uri} points into a document; a detached content needs a name of its own.',
  'xades.claims-need-properties': 'A plain XMLDSig signature has no place for claims and content timestamps.',
  'xades.content-twice': 'Two contents have the URI {uri}.',
  'xades.too-many-contents': 'A signature is made over at most {limit} further contents.',
  'xades.target-needs-enveloped': 'Only an enveloped signature stands beside further elements that it signs.',
  'xades.manifest-needs-detached': 'Only a detached signature lists its contents in a manifest.',
  'xades.manifest-no-archive':
    'The level {level} would not cover the contents of a manifest: its archive timestamp is over the list.',
  'xades.parallel-needs-enveloped': 'Only enveloped signatures can leave other signatures out of what they cover.',
  'xades.level-unknown': 'A signature cannot be extended to {level}.',
  'xades.timestamps-missing': 'The level {level} needs a timestamp client.',
  'xades.judge-missing': 'The level {level} needs a judge that gathers validation data.',
  'xades.no-signature': 'The document has no signature.',
  'xades.signature-unknown': 'The document has no signature with the Id {id}.',
  'xades.signature-value-without-id': 'The signature to confirm has no Id on its value that a reference could name.',
  'xades.signature-covered': 'Another signature covers the one to confirm, and would break.',
  'xades.signature-malformed': 'The signature is malformed: {reason}.',
  'xades.policy-mismatch': 'The signature was not made under a policy for {level}; the level cannot be added later.',
  'xades.too-much-work': 'The signatures of the document refer to more content than the engine is ready to read.',
} as const satisfies ErrorVocabulary

export const refuseXades = refuser(xadesErrors)
