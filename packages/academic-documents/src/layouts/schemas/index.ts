// A second verdict on documents, by the official schemas where a site has added them: `chancela schemas import`.

export { kindsOf, schemaFiles, schemaVersions } from './schema-files.ts'
export { SchemaProblem, SecondJudge, type SecondVerdict } from './second-judge.ts'
