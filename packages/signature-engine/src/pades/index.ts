// PAdES: signatures inside PDF documents.
//
//   const signed = await signPades(pdf, signer, { level: 'B-B', now: new Date() })
//
// With the key elsewhere, in two steps; between them the state can be sealed and travel (see signing):
//
//   const { toSign, algorithm, state } = preparePades(pdf, certificate, { chain, now: new Date() })
//   const signed = completePades(state, await keyElsewhere(toSign, algorithm))
//
// A signed document is brought to a higher level, or renewed for the archive, with `extendPades`.
export type { Appearance } from './appearance.ts'
export { type CheckNewPadesOptions, checkNewPades } from './check-new-pades.ts'
export type { Color, Drawing, DrawingElement, TextRun } from './drawing.ts'
export type { AppearancePlace, DrawnAppearance } from './drawn-appearance.ts'
export { type ExtendPadesOptions, extendPades, type TimestampPadesOptions, timestampPades } from './extend-pades.ts'
export { drawAppearance, drawAppearances, drawElements, drawMark } from './lazy-appearance.ts'
export type { PadesLevel } from './levels.ts'
export type { MarkTemplate } from './mark-template.ts'
export type { MarkLanguage, MarkValues } from './mark-values.ts'
export {
  completePades,
  type PadesState,
  type PreparePadesOptions,
  preparePades,
  prepareStampedPades,
} from './prepare-pades.ts'
export { readMarkTemplate, type TemplateFile } from './read-mark-template.ts'
export { readSignatureFields } from './read-signature-fields.ts'
export type { PolicyArtifacts } from './security-store.ts'
export type { SeedCertificate, SeedValue } from './seed-value.ts'
export { type SignPadesOptions, signPades } from './sign-pades.ts'
export {
  type AddFieldsOptions,
  addSignatureFields,
  type FieldLock,
  listSignatureFields,
  type NewSignatureField,
  type SignatureFieldSummary,
} from './signature-fields.ts'
export type { CertifiedFor } from './signature-locks.ts'
export type { Permits } from './signature-revision.ts'
export { type AddedPage, type OverSigned, type PageStamp, type StampPagesOptions, stampPages } from './stamp-pages.ts'
export { type ValidatePadesOptions, validatePades } from './validate-pades.ts'
