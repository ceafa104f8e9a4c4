import { sampleAcademicDocumentation, sampleDegree, sampleTranscript } from '@chancela/academic-documents/samples'
import { describe, expect, test } from 'vitest'
import { type Column, cellsIn, columnPath, columnsFor, rowOf } from './columns.ts'
import {
  cellsOf,
  csvCell,
  delimiterOf,
  EncodingWatch,
  type FileRecord,
  RecordSplitter,
  RecordTooLong,
} from './file-records.ts'

type Reading = ConstructorParameters<typeof RecordSplitter>[0]

function split(bytes: Buffer, reading: Reading, size: number) {
  const splitter = new RecordSplitter(reading)
  const found: FileRecord[] = []
  for (let at = 0; at < bytes.length; at += size) found.push(...splitter.take(bytes.subarray(at, at + size)))
  return [...found, ...splitter.end()]
}

const records = (text: string, form: 'Csv' | 'Json', size = 3) => split(Buffer.from(text), { form, longest: 100 }, size)

describe('records of a file', () => {
  test('lines of CSV go on inside quotes, whatever pieces they come in, and say where they stand', () => {
    const text = 'a;b\r\n"1\n""2""";3\n\nlast'
    for (const size of [1, 2, 3, 100]) {
      const found = records(text, 'Csv', size)
      expect(found.map(({ bytes }) => bytes.toString())).toEqual(['a;b', '"1\n""2""";3', '', 'last'])
      for (const { bytes, start, end } of found) expect(text.slice(start, end).trimEnd()).toBe(bytes.toString())
    }
  })

  test('lines of JSON end at every line end, and one longer than accepted is refused', () => {
    expect(records('{"a":"\\""}\n{}\n', 'Json').map(({ bytes }) => bytes.toString())).toEqual(['{"a":"\\""}', '{}'])
    expect(() => records('x'.repeat(101), 'Json')).toThrow(RecordTooLong)
  })

  test('a file read from a record on gives the same records', () => {
    const text = Buffer.from('a;b\n1;2\n3;4\n')
    const [, , third] = records(text.toString(), 'Csv')
    const reading = { form: 'Csv', longest: 9, from: third!.start } as const
    expect(split(text.subarray(third!.start), reading, 2)).toEqual([third])
  })

  test('cells have quotes or not, and wrong quotes are no cells', () => {
    expect(cellsOf('a; b ;"c;""d""";', ';')).toEqual(['a', 'b', 'c;"d"', ''])
    for (const wrong of ['"a', '"a"b;c']) expect(cellsOf(wrong, ';')).toBeUndefined()
    for (const value of ['a', 'a;b', 'say "x"', 'two\nlines']) expect(cellsOf(csvCell(value), ';')).toEqual([value])
    expect([delimiterOf('a;b,c;d'), delimiterOf('a,b'), delimiterOf('a')]).toEqual([';', ',', ';'])
  })

  test('what is no UTF-8 is taken for Windows-1252', () => {
    const encodingOf = (bytes: Buffer) => {
      const watch = new EncodingWatch()
      for (const byte of bytes) watch.take(Buffer.of(byte))
      return watch.end()
    }
    expect(encodingOf(Buffer.from('João'))).toBe('utf-8')
    expect(encodingOf(Buffer.from('João', 'latin1'))).toBe('windows-1252')
  })
})

describe('columns of a file', () => {
  const columnOf = columnsFor({ kind: 'Degree', hasCourse: false })
  const known = (name: string): Column => {
    const found = columnOf(name)
    if (typeof found === 'string') throw new Error(`${name} ${found}`)
    return found
  }

  test('every path of the samples is one, and its cells become the sample again', () => {
    for (const variant of ['regular', 'outsideFederalSystem', 'secondCopy', 'judicial'] as const) {
      const data = sampleAcademicDocumentation({ variant }).documentacaoAcademicaRegistro
      const cells = cellsIn(data).filter(([name]) => columnOf(name) !== 'is filled in by the platform')
      const row = rowOf(
        cells.map(([name]) => known(name)),
        cells.map(([, cell]) => cell),
      )
      expect(cellsIn(row)).toEqual(cells)
    }
    const { livroRegistro } = (sampleDegree().diploma.infDiploma as { dadosRegistro: { livroRegistro: object } })
      .dadosRegistro
    for (const [name] of cellsIn({ registration: { livroRegistro } })) known(name)
    const ofTranscript = columnsFor({ kind: 'AcademicTranscript', type: 'Final', hasCourse: false })
    const transcript = sampleTranscript({ variant: 'final' }) as { documentoHistoricoEscolarFinal: object }
    const { infHistoricoEscolar } = transcript.documentoHistoricoEscolarFinal as { infHistoricoEscolar: object }
    for (const [name] of cellsIn(infHistoricoEscolar))
      expect([name, ofTranscript(name)]).not.toEqual([name, 'is not a column of the layout'])
  })

  test('what is no path, a list without index, or the platform’s own is none', () => {
    const { dadosDiploma } = { dadosDiploma: 'registroReq.dadosDiploma' }
    for (const name of ['', 'nome', '__proto__.x', `${dadosDiploma}.diplomado`, `${dadosDiploma}.diplomado.nome[1]`])
      expect([name, columnOf(name)]).toEqual([name, 'is not a column of the layout'])
    for (const name of ['registroReq.id', `${dadosDiploma}.id`, `${dadosDiploma}.iesEmissora.nome`, 'registration.id'])
      expect([name, columnOf(name)]).toEqual([name, 'is filled in by the platform'])
    const withCourse = columnsFor({ kind: 'Degree', hasCourse: true })
    expect(withCourse(`${dadosDiploma}.dadosCurso.nomeCurso`)).toBe('is that of courseId')
  })

  test('decimals and dates are taken as spreadsheets of Brazil write them; gaps of lists close, errors name columns', () => {
    const units = 'registroReq.dadosPrivadosDiplomado.historicoEscolar.elementosHistorico'
    const names = [
      'registroReq.dadosDiploma.diplomado.dataNascimento',
      `${units}[1].disciplina.nota`,
      `${units}[3].disciplina.nota`,
      `${units}[3].disciplina.aprovado`,
      `${units}[4].disciplina.reprovado`,
    ]
    const cells = ['31/12/1999', '', '7,5', 'sim', 'não']
    const row = rowOf(names.map(known), cells)
    const disciplina = { nota: '7.5', aprovado: {} }
    expect(row).toEqual({
      registroReq: {
        dadosDiploma: { diplomado: { dataNascimento: '1999-12-31' } },
        dadosPrivadosDiplomado: { historicoEscolar: { elementosHistorico: [{ disciplina }] } },
      },
    })
    expect(columnPath(`${units}[0].disciplina.nome`, names, cells)).toBe(`${units}[3].disciplina.nome`)
  })
})
