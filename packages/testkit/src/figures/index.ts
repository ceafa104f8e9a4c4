// Figures of a proof, written into the document that tells of it.
export { replaceSection } from './replace-section.ts'
