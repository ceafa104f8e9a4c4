// Documents of fictitious persons and institutions, one builder per kind: for tests, the demo and the documentation.
export { type DocumentationVariant, sampleAcademicDocumentation } from './academic-documentation.ts'
export {
  type InspectionVariant,
  sampleCancellationList,
  sampleCurriculum,
  sampleInspectionFile,
} from './auxiliary.ts'
export { type DegreeVariant, type SampleOptions, sampleDegree } from './degree.ts'
export { sampleNonce, samplePdf } from './parts.ts'
export { sampleTranscript, type TranscriptVariant } from './transcript.ts'
