// JAdES: signatures in JSON (TS 119 182-1, a profile of JWS), made and judged.
//
//   const jws = await signJades(content, signer, { now: new Date() })
//   const report = await validateJades(jws, { judge, now: new Date() })
//
// With the key elsewhere: prepareJades or prepareJadesSignature → sign what it gives → completeJades → extendJades.
export { type ExtendJadesOptions, extendJades } from './extend-jades.ts'
export type { HttpMessage } from './http-message.ts'
export type { JwsSerialization } from './jws.ts'
export {
  completeJades,
  type DetachedJadesContent,
  type FurtherJadesOptions,
  type JadesLevel,
  type JadesOptions,
  type JadesState,
  type JadesStateData,
  prepareJades,
  prepareJadesSignature,
} from './prepare-jades.ts'
export { addJadesSignature, type JadesHelpers, signJades } from './sign-jades.ts'
export { type ValidateJadesOptions, validateJades } from './validate-jades.ts'
