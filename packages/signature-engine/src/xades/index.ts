// XAdES: XML signatures of EN 319 132 and ICP-Brasil, made and judged.
//
//   const signed = await signXades(document, signer, { now: new Date(), level: 'B-T', timestamps })
//   const report = await validateXades(signed, { judge, now: new Date() })
//
// Where the key is elsewhere: prepareXades → its `toSign` or `digest` to the key → completeXades with the answer.
export { checkXades, type XadesIntegrity } from './check-xades.ts'
export { type CounterXadesOptions, counterSignXades, prepareCounterXades } from './counter-sign-xades.ts'
export { type ExtendXadesOptions, extendXades } from './extend-xades.ts'
export { type OutlinedSignature, outlineXades, type SignatureOutline } from './outline.ts'
export { locateElement, type Place, type Position, type XPathPlace } from './place.ts'
export {
  completeXades,
  type PrepareXadesOptions,
  prepareStampedXades,
  prepareXades,
  type XadesData,
} from './prepare-xades.ts'
export { type SignXadesOptions, signXades } from './sign-xades.ts'
export { requireSignable } from './signable.ts'
export type { ContentFormat, ContentOptions, FurtherContent } from './signed-contents.ts'
export { type ValidateXadesOptions, validateXades } from './validate-xades.ts'
export type { Canonicalisation } from './vocabulary.ts'
