// ASiC-S and ASiC-E (EN 319 162-1): files and their signatures in one zip container, made and judged.
//
//   const container = await signAsic([{ name: 'contract.txt', content }], signer, { now: new Date() })
//   const report = await validateAsic(container, { judge, now: new Date() })
//
// With the key elsewhere: prepareAsic or prepareAsicSignature → sign what it gives → completeAsic → extendAsic.
export { type AsicSignatureAt, type ExtendAsicOptions, extendAsic } from './extend-asic.ts'
export type { ValidateAsicOptions } from './judge-files.ts'
export {
  type AsicFile,
  type AsicOptions,
  type AsicSignatureOptions,
  type AsicState,
  type AsicStateData,
  completeAsic,
  prepareAsic,
  prepareAsicSignature,
} from './prepare-asic.ts'
export { type AsicHelpers, addAsicSignature, signAsic } from './sign-asic.ts'
export { type TimestampAsicOptions, timestampAsic } from './timestamp-asic.ts'
export { validateAsic } from './validate-asic.ts'
export type { AsicForm, AsicSignature } from './vocabulary.ts'
