import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { DegreeData } from './contents/shapes.ts'
import type { TranscriptData } from './contents/transcript-shapes.ts'
import { representCurriculum } from './curriculum.ts'
import { representDegree } from './degree.ts'
import { sampleCurriculum } from './samples/sample-curriculum.ts'
import { sampleDegree } from './samples/sample-degree.ts'
import { sampleTranscript } from './samples/sample-transcript.ts'
import { defaultDegreeTemplate } from './templates/default-degree.ts'
import { previewTemplate, templateGuide } from './templates.ts'
import { soundFile } from './test-support/judges.ts'
import { sampleInput } from './test-support/sample-input.ts'
import { representTranscript } from './transcript.ts'

/** With what it needs of older versions of Java. */
const preflightJars = ['preflight', 'pdfbox2', 'fontbox2', 'xmpbox', 'commons-logging', 'javax.activation', 'jaxb-api']
const jars = preflightJars.map((name) => `/usr/share/java/${name}.jar`)

/** What PDFBox Preflight says of a file. */
async function verdictOf(pdf: Uint8Array): Promise<string> {
  const path = await soundFile(pdf)
  const { stdout, stderr } = spawnSync('java', [
    '-cp',
    jars.join(':'),
    'org.apache.pdfbox.preflight.Validator_A1b',
    path,
  ])
  return `${stdout}${stderr}`.replaceAll(path, 'it')
}

const named = (nome: string): DegreeData => ({
  ...sampleDegree,
  dadosDiploma: { ...sampleDegree.dadosDiploma, diplomado: { ...sampleDegree.dadosDiploma.diplomado, nome } },
})

const { historicoEscolar } = sampleTranscript
const manySheets: TranscriptData = {
  ...sampleTranscript,
  historicoEscolar: {
    ...historicoEscolar,
    elementosHistorico: Array.from({ length: 10 }, () => historicoEscolar.elementosHistorico).flat(),
  },
}

/** A PNG of one transparent pixel. */
const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const representations: Readonly<Record<string, () => Uint8Array>> = {
  degree: () => representDegree({ ...sampleInput, data: sampleDegree }),
  transcript: () => representTranscript({ ...sampleInput, data: sampleTranscript }),
  curriculum: () => representCurriculum({ ...sampleInput, data: sampleCurriculum }),
  'degree with letters of a face that stands in': () =>
    representDegree({ ...sampleInput, data: named('Łukasz Ƣ ŉ Đorđe Ǆ') }),
  'transcript of many sheets': () => representTranscript({ ...sampleInput, data: manySheets }),
  'degree with a logo': () =>
    representDegree({ ...sampleInput, data: sampleDegree, template: { ...defaultDegreeTemplate, pictures: { logo } } }),
  'preview of a degree': () => previewTemplate(templateGuide('degree').template),
}

describe('PDFBox Preflight', () => {
  for (const [kind, draw] of Object.entries(representations))
    test(`finds a ${kind} to be PDF/A-1b`, async () => {
      expect(await verdictOf(draw())).toMatch(/is a valid PDF\/A-1b file/)
    })

  test('finds a file that is none', async () => {
    const broken = Buffer.from(representations.degree!()).toString('latin1').replace('/GTS_PDFA1', '/GTS_PDFX1')
    expect(await verdictOf(Buffer.from(broken, 'latin1'))).not.toMatch(/is a valid/)
  })
})
