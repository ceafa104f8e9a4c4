// CAdES: signatures in CMS (EN 319 122-1, ICP-Brasil AD-*), made and judged.
//
//   const file = await signCades(content, signer, { level: 'AD-RT', now, timestamps })
//   const report = await validateCades(file, { judge, now })
//
// With the key elsewhere: prepareCades → sign what it gives → completeCades → extendCades. For contents of any size:
// signCadesStream, coSignCadesStream and validateCadesStream; with the key elsewhere: prepareCadesStream or
// detachCadesContent and prepareCoSignature → completeCades → attachCadesContent.
export type { CadesEncoding } from './cades-file.ts'
export type { CadesLevel } from './cades-level.ts'
export {
  attachCadesContent,
  type CadesStreamOptions,
  type ContentSource,
  type CoSignStreamOptions,
  coSignCadesStream,
  type DetachedCades,
  detachCadesContent,
  prepareCadesStream,
  signCadesStream,
} from './cades-stream.ts'
export { type CheckNewCadesOptions, checkNewCades } from './check-new-cades.ts'
export { type ExtendCadesOptions, extendCades } from './extend-cades.ts'
export {
  type CadesOptions,
  type CadesState,
  type CadesStateData,
  type CounterCadesOptions,
  completeCades,
  type FurtherCadesOptions,
  prepareCades,
  prepareCadesOverDigest,
  prepareCoSignature,
  prepareCounterSignature,
} from './prepare-cades.ts'
export { type CadesHelpers, coSignCades, counterSignCades, signCades } from './sign-cades.ts'
export { cadesContent, type ValidateCadesOptions, validateCades, validateCadesStream } from './validate-cades.ts'
