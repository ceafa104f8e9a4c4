import { describe, expect, test } from 'vitest'
import type { DocumentInput, DocumentKind } from '../kinds.ts'
import {
  sampleCancellationList,
  sampleCurriculum,
  sampleDegree,
  sampleInspectionFile,
  sampleTranscript,
} from '../samples/index.ts'
import { checkConsistency } from './consistency.ts'

/** The codes told of a document after some text in it was replaced. */
function codesAfter<Kind extends DocumentKind>(
  kind: Kind,
  input: DocumentInput<Kind>,
  from: string,
  to: string,
  curriculum?: DocumentInput<'curriculum'>,
): string[] {
  const changed = JSON.parse(JSON.stringify(input).replace(from, to)) as DocumentInput<Kind>
  return checkConsistency(kind, changed, curriculum === undefined ? {} : { curriculum }).map(({ code }) => code)
}

describe('the rules beyond the schema', () => {
  test('hold for the samples', () => {
    expect(checkConsistency('degree', sampleDegree())).toEqual([])
    expect(checkConsistency('academicTranscript', sampleTranscript())).toEqual([])
    expect(checkConsistency('curriculum', sampleCurriculum())).toEqual([
      // Its first unit has a label that the sample does not declare.
      expect.objectContaining({ code: 'label-undeclared', path: expect.stringContaining('etiqueta[2].codigo') }),
    ])
    expect(checkConsistency('cancellationList', sampleCancellationList())).toEqual([])
    expect(checkConsistency('inspectionFile', sampleInspectionFile())).toEqual([])
  })

  test('dates come in order: conclusion, conferral, expedition, registration', () => {
    expect(codesAfter('degree', sampleDegree(), '2026-06-30', '2026-07-11')).toEqual(['dates-out-of-order'])
    expect(codesAfter('degree', sampleDegree(), '2026-08-20', '2026-08-02')).toEqual(['dates-out-of-order'])
    const graduation = '"dataExpedicaoDiploma":"2026-08-03"'
    expect(
      codesAfter('academicTranscript', sampleTranscript(), graduation, graduation.replace('08-03', '07-09')),
    ).toEqual(['dates-out-of-order'])
  })

  test('only a final transcript says that its student has graduated', () => {
    const partial = sampleTranscript({ variant: 'partial' })
    expect(checkConsistency('academicTranscript', partial).map(({ code }) => code)).toEqual(['graduated-in-partial'])
  })

  test('the ids of a degree share their number', () => {
    expect(codesAfter('degree', sampleDegree(), '"RDip2', '"RDip3')).toEqual(['nonces-differ'])
  })

  test('a code begins with the codes of its institutions', () => {
    expect(codesAfter('degree', sampleDegree(), '1234.1234.0a', '1234.9.0a')).toEqual(['code-of-others'])
    expect(codesAfter('academicTranscript', sampleTranscript(), '1234.0a', '9.0a')).toEqual(['code-of-others'])
  })

  test('periods end after they begin', () => {
    const input = sampleInspectionFile()
    expect(codesAfter('inspectionFile', input, '2026-06-30', '2025-06-30')).toEqual(['period-reversed'])
    expect(codesAfter('academicTranscript', sampleTranscript(), '2024-03-05', '2024-02-05')).toEqual([
      'activity-reversed',
    ])
  })

  test('nothing is listed twice', () => {
    const twice = sampleCancellationList()
    expect(codesAfter('cancellationList', twice, '4321.1234.ffeeddccbbaa9988', '1234.1234.0a1b2c3d4e5f')).toEqual([
      'degree-repeated',
    ])
    const registrar = sampleInspectionFile({ variant: 'registrar' })
    const item = JSON.stringify(registrar).match(/"diplomaFiscalizado":\[(.*)\]/)![1]!
    expect(codesAfter('inspectionFile', registrar, item, `${item},${item}`)).toEqual([
      'documentation-repeated',
      'degree-repeated',
    ])
  })

  test('a transcript has the units of the curriculum that it names', () => {
    const curriculum = sampleCurriculum()
    const { curriculoEscolar } = curriculum
    const units = checkConsistency('academicTranscript', sampleTranscript(), { curriculum })
    expect(units.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 'unit-not-in-curriculum'))
    const other = {
      curriculoEscolar: { infCurriculoEscolar: { ...curriculoEscolar.infCurriculoEscolar, codigoCurriculo: 'X' } },
    }
    expect(
      checkConsistency('academicTranscript', sampleTranscript(), { curriculum: other }).map(({ code }) => code),
    ).toContain('curriculum-other')
  })

  test('an expression uses criteria that exist', () => {
    expect(
      codesAfter('curriculum', sampleCurriculum(), '"soma":{"codigo":["C1"]', '"soma":{"codigo":["C9"]'),
    ).toContain('criterion-undeclared')
  })
})
