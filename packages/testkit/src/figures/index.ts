// Figures of a proof, written into their document.
export { replaceSection } from './replace-section.ts'
