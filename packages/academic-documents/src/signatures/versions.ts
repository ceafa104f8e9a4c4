import { type AcademicDocument, childNamed } from './read-document.ts'

/** When a version of the layouts was in force, by the expedition date inside the document. */
export interface LayoutVersion {
  readonly version: string
  /** First and last day; null where no source tells. */
  readonly from: string | null
  readonly until: string | null
}

/**
 * The versions the ministry published (credentials-platform facts 1.1). 1.05 was published on 17 October 2022, and the
 * older ones were accepted for another 120 days; when 1.02 to 1.04 replaced each other is told nowhere.
 */
export const layoutVersions: readonly LayoutVersion[] = [
  { version: '1.00', from: null, until: '2023-02-14' },
  { version: '1.02', from: '2020-12-15', until: '2023-02-14' },
  { version: '1.03', from: '2020-12-15', until: '2023-02-14' },
  { version: '1.04', from: '2020-12-15', until: '2023-02-14' },
  { version: '1.04.1', from: '2022-05-02', until: '2023-02-14' },
  { version: '1.05', from: '2022-10-17', until: null },
]

export type VersionVerdict = 'in-force' | 'not-yet' | 'superseded' | 'unknown'

/** Whether a version was in force on a day (`2026-03-02`). */
export function versionOn(version: string, day: string): VersionVerdict {
  const found = layoutVersions.find((one) => one.version === version)
  if (found === undefined) return 'unknown'
  if (found.from !== null && day < found.from) return 'not-yet'
  return found.until !== null && day > found.until ? 'superseded' : 'in-force'
}

/** Where each kind has the date that decides; the first path that exists counts. */
const DATES: Readonly<Record<AcademicDocument['kind'], readonly (readonly string[])[]>> = {
  academicDocumentation: [
    ['DadosPrivadosDiplomado', 'HistoricoEscolar', 'SituacaoAtualDiscente', 'Formado', 'DataExpedicaoDiploma'],
    ['DadosPrivadosDiplomado', 'HistoricoEscolar', 'DataEmissaoHistorico'],
  ],
  degree: ['DadosRegistro', 'DadosRegistroNSF', 'DadosRegistroPorDecisaoJudicial'].map((name) => [
    name,
    'LivroRegistro',
    'DataExpedicaoDiploma',
  ]),
  academicTranscript: [['HistoricoEscolar', 'DataEmissaoHistorico']],
  curriculum: [['DataCurriculo']],
  cancellationList: [],
  inspectionFile: [['DataFimFiscalizacao']],
}

/** The date inside a document that its version follows; undefined when it has none. */
export function decisiveDate({ index, kind, body }: AcademicDocument): string | undefined {
  for (const path of DATES[kind]) {
    let at: number | undefined = body
    for (const name of path) at = at === undefined ? undefined : childNamed(index, at, [name])
    if (at !== undefined) return index.text(at)?.trim()
  }
  return undefined
}
